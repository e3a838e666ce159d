import CloserKeys
import CloserTink
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
                "Nothing public derives and does no more. Ours is KeyWrap.unwrap of a wrap around no bytes, which",
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
    private let phrase = RecoveryPhrase.random()
    private let wrap: KeyWrap
    /// The same with an initialization vector, no ciphertext and a tag that cannot fit.
    private let empty: KeyWrap

    init() throws {
        let wrap = try KeyWrap(try CoupleKey(Keyset(.aes256GCM)), under: phrase)
        empty = KeyWrap(
            wrappedCoupleKey: Data(count: 12 + 16).base64EncodedString(), kdfSalt: wrap.kdfSalt,
            kdfParams: wrap.kdfParams)
        self.wrap = wrap
    }

    /// A peer with the same phrase and salt.
    func barePeer() throws -> BareDerivation {
        BareDerivation(password: phrase.text, salt: Array(try Self.bytes(wrap.kdfSalt)))
    }

    /// That a peer really does the same work: what it derived opens our wrap.
    func checkOpens(with key: SymmetricKey) throws {
        let box = try AES.GCM.SealedBox(combined: Self.bytes(wrap.wrappedCoupleKey))
        let associatedData = Array("closer_couple_key".utf8)
        guard (try? AES.GCM.open(box, using: key, authenticating: associatedData)) != nil else {
            throw PeerFailure(description: "a peer derived another key")
        }
    }

    private static func bytes(_ base64: String) throws -> Data {
        guard let bytes = Data(base64Encoded: base64) else {
            throw PeerFailure(description: "Foundation did not decode our base64")
        }
        return bytes
    }

    /// Only who has derived the key can refuse a tag.
    private func derive() throws {
        do { keep(try empty.unwrap(with: phrase)) } catch UnwrapError.wrongPhrase { return }
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
            for _ in 0..<times { keep(try peer.wrap.unwrap(with: peer.phrase)) }
        }
    }
}
