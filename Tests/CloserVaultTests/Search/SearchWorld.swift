import CloserKeys
import CloserPrimitives
import CloserWire

@testable import CloserVault

/// Whose device it is.
enum Seat: Int, CaseIterable, Hashable {
    case alice
    case bob

    var user: String { self == .alice ? "alice" : "bob" }
    var other: Seat { self == .alice ? .bob : .alice }
}

/// Two moments, the second after the end of every invite that was made at the first.
enum SearchClock {
    static let start: UInt64 = 2_000_000_000
    /// Between the ends of the invites that were made at the two.
    static let late = start + 30 * 3600
    static func now(isLate: Bool) -> UInt64 { isLate ? late : start }
}

/// A phrase's key without Argon2id: no step of the search looks into a wrap. The salt names the phrase.
enum SearchStretch {
    static func salt(_ phrase: borrowing RecoveryPhrase) -> String {
        Base64.standard.encode(Array(digest(phrase).prefix(16)))
    }

    static func stretched(_ phrase: borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey {
        let digest = digest(phrase)
        return WrappingKey(adopting: SecretBytes(copying: digest.span), salt: Array(digest.prefix(16)))
    }

    private static func digest(_ phrase: borrowing RecoveryPhrase) -> [UInt8] {
        phrase.text.withBytes { SHA256.hash($0) }
    }
}

/// What one person or the server does.
enum SearchStep: Hashable {
    case invite
    case inviteAnew
    case cancelOffer
    /// This offer, with the code of that one.
    case accept(Int, code: Int)
    case cancelAnswer
    case confirm(Int)
    case finish(Int)
    case forget
    /// Gives up the oldest key that is not the primary.
    case retire
    /// `device accept-older`, or an import, of what the vault once was.
    case restore(Int, isImport: Bool)

    var isAccept: Bool { if case .accept = self { true } else { false } }

    /// Whether it may send keys, or bring a new primary: then what was granted before is not handed out again.
    var isOfPairing: Bool {
        switch self {
        case .accept, .confirm, .finish: true
        default: false
        }
    }
}

/// A document that somebody made.
struct SearchPaper {
    enum Content {
        case offer(PairOffer)
        case reply(PairReply)
        case grant(PairGrant)
    }

    let content: Content
    /// Whose device made it; nil for the server.
    let author: Seat?
    /// What the server did; nil for a genuine one.
    let trick: String?
    /// Of an offer: the code that goes with it, as it is told.
    var code: String?
    /// Of a reply: what it answers. Of a grant: what it grants.
    var answers: Int?
    /// The name of the pairing, of a reply.
    var transcript: Int?
    let lookup: Int
    let name: Int
    /// Whether the server could open it, or found out by it that its guess is right.
    var isOpened = false

    var offer: PairOffer? { if case .offer(let offer) = content { offer } else { nil } }
    var reply: PairReply? { if case .reply(let reply) = content { reply } else { nil } }
    var grant: PairGrant? { if case .grant(let grant) = content { grant } else { nil } }
}
