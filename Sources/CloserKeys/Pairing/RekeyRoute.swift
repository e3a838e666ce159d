internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// From whom to whom a couple's new key goes (security §5).
public struct RekeyRoute: Equatable, Sendable {
    public let couple: Identifier
    public let sender: Identifier
    public let recipient: Identifier

    public init(couple: Identifier, from sender: Identifier, to recipient: Identifier) {
        (self.couple, self.sender, self.recipient) = (couple, sender, recipient)
    }

    /// Of two partners only the one whose user id sorts first, byte by byte, sends: two new keys would cross.
    public static func sends(_ user: Identifier, before partner: Identifier) -> Bool {
        user.bytes.lexicographicallyPrecedes(partner.bytes)
    }

    /// `HKDF-SHA256(Z, salt "closer-keys/v1", info LP("rekey-auth", coupleId, sender, recipient, both points), 32)`,
    /// the sender's point first, 65 bytes each.
    func authenticationKey(
        _ ours: ECIESPrivateKey, _ theirs: ECIESPublicKey, senderPoint: [UInt8], recipientPoint: [UInt8]
    ) -> SecretBytes {
        let salt = Array("closer-keys/v1".utf8)
        let info = [UInt8](lengthPrefixed: [
            Array("rekey-auth".utf8), couple.bytes, sender.bytes, recipient.bytes, senderPoint,
            recipientPoint,
        ])
        return HKDF.derive(
            from: ours.sharedSecret(with: theirs), salt: salt.span, info: info.span, count: 32)
    }
}
