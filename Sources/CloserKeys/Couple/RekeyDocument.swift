internal import CloserWire

/// What one partner gives the other to rekey (closer-keys-formats(7), REKEYING).
///
/// It is public: only the recipient opens the keybox.
public struct RekeyDocument: Equatable, Sendable {
    /// The sealed keys and phrase.
    public let keybox: KeyboxToken
    /// The user who made the new key.
    public let senderID: UserID
    /// The user who accepts it.
    public let recipientID: UserID
    /// How many rekeys the couple has had, this one included. Only the same number within the keybox is authenticated.
    public let epoch: UInt32

    /// The document of a sealed rekey.
    package init(_ keybox: KeyboxToken, on route: RekeyRoute, epoch: UInt32) {
        (self.keybox, self.epoch) = (keybox, epoch)
        (senderID, recipientID) = (route.sender, route.recipient)
    }

    /// Parses the JSON document.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        let reader = try DocumentReader(bytes.span, as: .rekey)
        let parties = reader.parties(in: bytes.span)
        keybox = reader.parsed("encryptedCoupleKey", in: bytes.span) { try KeyboxToken(parsing: $0) }
        (senderID, recipientID, epoch) = (parties.sender, parties.recipient, UInt32(reader.integer("epoch")))
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let keybox = JSONValue.Member("encryptedCoupleKey", .string(keybox.description))
        let parties = Parties(sender: senderID, recipient: recipientID)
        let epoch = JSONValue.Member("epoch", .number(Double(epoch)))
        return JSONValue.object([keybox] + parties.members + [epoch]).bytes
    }
}
