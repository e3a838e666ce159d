import CloserKeys

@testable import CloserVault

/// What one person does with the question, as the program does it.
enum RevealStep: Hashable {
    case seal(Int, replacing: Bool)
    /// `status --document`: what `seal` printed, once more.
    case document
    case release(facing: Int, to: KeyOwner)
    case reveal(Int, with: Int, allowing: Bool)
    /// The couple is rekeyed: from then on a key seals that the server never saw.
    case rekey

    /// Whose public key the server hands out as the partner's.
    enum KeyOwner: String, CaseIterable {
        case partner
        case server
        case own
    }
}

/// A document of an answer that somebody made, and what is known of it by whoever knows all keys.
struct RevealAnswer {
    /// As it is delivered. The server may name another author than the true one.
    let delivered: PartnerAnswer
    /// Who it says has written it.
    let label: Seat
    /// Who wrote it; nil for the server.
    let author: Seat?
    /// What the server did; nil for a genuine one.
    var trick: String?
    let token: Int
    let commitment: Int
    var content: Content

    /// What is inside of the token.
    struct Content {
        /// Whose answer it was sealed as: the token opens for no other author.
        let sealedAs: Seat
        /// What a hash of it gives, which need not be what the document says.
        let commitment: Int
        let oneTimeKey: Int
        /// The key under which its MAC holds; nil if it has none.
        let macKey: Int?
        var isOfPlace = true
        /// What its author wrote, by number.
        let number: Int

        /// The object that the app of the author hands over to be sealed.
        var text: String { RevealPapers.text(number) }
    }
}

/// A release that somebody made.
struct RevealBox {
    let document: ReleaseKeyDocument
    /// Who it says has released it, and who made it; nil for the server.
    let label: Seat
    let author: Seat?
    var trick: String?
    let name: Int
    let oneTimeKey: Int
    /// For whose answer and which recipient the box was sealed, and to which key.
    let sender: Seat
    let recipient: Seat
    let sealedTo: Int
}

/// What came out of a step.
enum RevealOutput: Equatable {
    case answer(Int)
    case box(Int)
    /// What a person was shown: the hash of the payload, the app's object in it, and how far it is proven.
    case shown(Int, text: String, authenticity: Authenticity)
}

/// What a step came to: the vault as it is now, and what came out or why nothing did.
struct RevealOutcome {
    let vault: Int
    let output: RevealOutput?
    let error: VaultError?
}
