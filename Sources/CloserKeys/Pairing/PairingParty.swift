internal import CloserTink
internal import CloserWire

/// One of the two who pair: a user, and the public keys of their device.
///
/// Only a party that knows the code can name these keys. So after a pairing both sides have the keys of each other
/// without comparing numbers.
package struct PairingParty: Equatable, Sendable {
    /// Who it is.
    package let user: UserID
    /// The key to which answers are released.
    package let publicKey: PublicKeyToken
    /// The key for chats.
    package let x25519PublicKey: X25519PublicKey

    /// One side of a pairing.
    package init(user: UserID, publicKey: PublicKeyToken, x25519PublicKey: X25519PublicKey) {
        (self.user, self.publicKey, self.x25519PublicKey) = (user, publicKey, x25519PublicKey)
    }

    /// `LP(step, userId, P, X25519 key)`, where P is the one-key keyset of the public key, with integers of 33 bytes: the
    /// associated data of this side's message.
    func associatedData(of step: PairingStep) -> [UInt8] {
        guard let keyset = try? NoSecretKeyset.binary(publicKey.keyset) else {
            preconditionFailure("a public key token without a public key")
        }
        return [UInt8](lengthPrefixed: [Array(step.rawValue.utf8), user.bytes, keyset, x25519PublicKey.bytes])
    }

    var members: [JSONValue.Member] {
        [
            .init("userId", .string(user.text)), .init("publicKey", .string(publicKey.description)),
            .init("x25519PublicKey", .string(x25519PublicKey.description)),
        ]
    }
}

/// Which of the two first messages associated data belongs to. So neither can be taken for the other.
enum PairingStep: String {
    case offer
    case reply
}

extension DocumentReader {
    /// The name under which a server keeps the documents of one pairing.
    func lookup(in bytes: Span<UInt8>) -> PairingCode.Lookup {
        parsed("lookup", in: bytes) { try PairingCode.Lookup(parsing: $0) }
    }

    /// The user who sends a document, and their keys.
    func party(in bytes: Span<UInt8>) -> PairingParty {
        PairingParty(
            user: identifier("userId", in: bytes),
            publicKey: parsed("publicKey", in: bytes) { try PublicKeyToken(parsing: $0.utf8) },
            x25519PublicKey: parsed("x25519PublicKey", in: bytes) { try X25519PublicKey(parsing: $0) })
    }
}

extension [JSONValue.Member] {
    /// The members that all documents of a pairing begin with.
    static func pairing(_ lookup: PairingCode.Lookup) -> [JSONValue.Member] {
        [.init("lookup", .string(lookup.text)), .init("purpose", .string(PairingTranscript.purpose))]
    }
}
