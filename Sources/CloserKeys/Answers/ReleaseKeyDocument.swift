internal import CloserWire

/// What the server stores of a release: the one-time key of an answer, sealed to the partner.
public struct ReleaseKeyDocument: Equatable, Sendable {
    public let keybox: KeyboxToken
    /// The answer's author.
    public let senderID: Identifier
    public let recipientID: Identifier

    public init(_ keybox: KeyboxToken, from senderID: Identifier, to recipientID: Identifier) {
        (self.keybox, self.senderID, self.recipientID) = (keybox, senderID, recipientID)
    }

    /// Parses the JSON document.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        var reader = try DocumentReader(bytes.span)
        let keybox = reader.text("encryptedAnswerKey", .keybox, in: bytes.span) {
            try? KeyboxToken(parsing: $0)
        }
        let senderID = reader.identifier("senderId", in: bytes.span)
        let recipientID = reader.identifier("recipientId", in: bytes.span)
        if let senderID, senderID == recipientID { reader.breaks("recipientId", .otherPerson) }
        guard reader.broken.isEmpty, let keybox, let senderID, let recipientID else {
            throw .broken(reader.broken)
        }
        self.init(keybox, from: senderID, to: recipientID)
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let object: JSONValue = [
            "encryptedAnswerKey": .string(keybox.description), "senderId": .string(senderID.text),
            "recipientId": .string(recipientID.text),
        ]
        return object.bytes
    }
}
