internal import CloserWire

/// What one partner gives the other to rekey: no secret, and worth nothing to anyone else.
public struct RekeyDocument: Equatable, Sendable {
    public let keybox: KeyboxToken
    public let senderID: Identifier
    public let recipientID: Identifier
    /// How many rekeys the couple has had, this one included. What counts is the same number within the keybox.
    public let epoch: UInt32

    public init(_ keybox: KeyboxToken, on route: RekeyRoute, epoch: UInt32) {
        (self.keybox, self.epoch) = (keybox, epoch)
        (senderID, recipientID) = (route.sender, route.recipient)
    }

    /// Parses the JSON document.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        var reader = try DocumentReader(bytes.span)
        let keybox = reader.text("encryptedCoupleKey", .keybox, in: bytes.span) {
            try? KeyboxToken(parsing: $0)
        }
        let senderID = reader.identifier("senderId", in: bytes.span)
        let recipientID = reader.identifier("recipientId", in: bytes.span)
        let epoch = reader.number("epoch", .epoch, oneOf: 1...Int(UInt32.max))
        if let senderID, senderID == recipientID { reader.breaks("recipientId", .otherPerson) }
        guard reader.broken.isEmpty, let keybox, let senderID, let recipientID, let epoch else {
            throw .broken(reader.broken)
        }
        (self.keybox, self.epoch) = (keybox, UInt32(epoch))
        (self.senderID, self.recipientID) = (senderID, recipientID)
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let object: JSONValue = [
            "encryptedCoupleKey": .string(keybox.description), "senderId": .string(senderID.text),
            "recipientId": .string(recipientID.text), "epoch": .number(Double(epoch)),
        ]
        return object.bytes
    }
}
