import CloserKeys
import CloserVault
import Crypto
import Foundation

/// A couple key under a recovery phrase: the derivation of its wrapping key, and the whole unwrapping.
enum WrapRows {
    static func all() throws -> [Row] {
        let ours = try OurWrap()
        let bare = try ours.barePeer()
        let (sodium, reference) = (BareDerivation.Sodium(peer: bare), BareDerivation.Reference(peer: bare))
        for peer in [sodium, reference] as [any Contestant] {
            try peer.run(1)
            try ours.checkOpens(with: bare.key)
        }
        return [
            try Row(
                "derive the wrapping key", OurWrap.Derive(name: "closer-keys", peer: ours),
                against: [(sodium, .share(1.03)), (reference, .share(0.5))]
            ).noting([
                "Nothing public derives and does no more. Ours opens a document with a wrap around one byte, which",
                "derives and then refuses the tag: an upper bound.",
                "Of a derivation, the system takes 28 percent (perf): it clears 45 MiB of pages for whoever asks.",
            ]),
            try Row(
                "unwrap a couple key", OurWrap.Unwrap(peer: ours),
                against: [(OurWrap.Derive(name: "its derivation, as above", peer: ours), nil)]
            ).noting(["Of an unwrapping, peer / ours is the share that its derivation takes."]),
        ]
    }
}

/// A phrase, and wraps under it. A class, because a secret has one owner.
private final class OurWrap: Sendable {
    private let phrase: RecoveryPhrase
    private let document: CoupleDocument
    /// The same with an initialization vector, one byte of ciphertext and a tag that cannot fit.
    private let empty: CoupleDocument

    init() throws {
        let draft = try ScratchFolder.with { folder in
            try Vault.create(
                at: folder + "/vault", for: UserID(parsing: "user-Ana93"), locking: .key(.random(count: 32))
            ).draftCouple(of: CoupleID(parsing: "couple-7Qm2VbXh1L"), beginningAt: .strict)
        }
        document = draft.couple.document
        empty = try Self.emptied(document)
        phrase = draft.phrase
    }

    private static func emptied(_ document: CoupleDocument) throws -> CoupleDocument {
        var members = try members(document)
        members["wrappedCoupleKey"] = Data(count: 12 + 1 + 16).base64EncodedString()
        return try CoupleDocument(parsing: JSONSerialization.data(withJSONObject: members))
    }

    private static func members(_ document: CoupleDocument) throws -> [String: Any] {
        let members = try JSONSerialization.jsonObject(with: Data(document.bytes))
        return members as? [String: Any] ?? [:]
    }

    private func bytes(_ member: String) throws -> Data {
        guard let text = try Self.members(document)[member] as? String, let bytes = Data(base64Encoded: text)
        else {
            throw PeerFailure(description: "Foundation did not decode our base64")
        }
        return bytes
    }

    /// A peer with the same phrase and salt.
    func barePeer() throws -> BareDerivation {
        BareDerivation(password: phrase.text, salt: Array(try bytes("kdfSalt")))
    }

    /// That a peer really does the same work: what it derived opens our wrap.
    func checkOpens(with key: SymmetricKey) throws {
        let box = try AES.GCM.SealedBox(combined: bytes("wrappedCoupleKey"))
        let associatedData = Array("closer_couple_key".utf8)
        guard (try? AES.GCM.open(box, using: key, authenticating: associatedData)) != nil else {
            throw PeerFailure(description: "a peer derived another key")
        }
    }

    /// Only who has derived the key can refuse a tag.
    private func derive() throws {
        do { keep(try CoupleKey(of: empty, phrase)) } catch VaultError.unwrap(.wrongPhrase) { return }
        throw PeerFailure(description: "a tag of zeros was not refused")
    }

    struct Derive: Contestant {
        let name: String
        let peer: OurWrap

        func run(_ times: Int) throws {
            for _ in 0..<times { try peer.derive() }
        }
    }

    struct Unwrap: Contestant {
        let name = "closer-keys"
        let peer: OurWrap

        func run(_ times: Int) throws {
            for _ in 0..<times { keep(try CoupleKey(of: peer.document, peer.phrase)) }
        }
    }
}
