internal import CloserWire

/// What the server stores of a release: the one-time key of an answer, sealed to the partner (closer-keys-formats(7),
/// DOCUMENTS).
public struct ReleaseKeyDocument: Equatable, Sendable {
    /// The answer's one-time key, sealed to the partner.
    public let keybox: KeyboxToken
    /// The answer's author.
    public let senderID: UserID
    /// The partner, who may open it.
    public let recipientID: UserID

    /// The document of a release. Sender and recipient are two people, which the caller checks.
    public init(_ keybox: KeyboxToken, from senderID: UserID, to recipientID: UserID) {
        (self.keybox, self.senderID, self.recipientID) = (keybox, senderID, recipientID)
    }

    /// Parses the JSON document.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        try self.init(parsing: text, from: nil, to: nil)
    }

    /// Parses the JSON document. A server whose path names sender and recipient may store it without them: then `sender` and
    /// `recipient` stand for the ids that it lacks.
    ///
    /// - Throws: ``DocumentError``.
    public init(
        parsing text: some Collection<UInt8>, from sender: UserID?, to recipient: UserID?
    ) throws(DocumentError) {
        let bytes = Array(text)
        let ids = [("senderId", sender), ("recipientId", recipient)].compactMap { name, user in
            user.map { DocumentPath.ID(name: name, text: $0.text) }
        }
        let reader = try DocumentReader(bytes.span, as: .releaseKey, given: ids)
        let parties = reader.parties(in: bytes.span)
        let keybox = reader.parsed("encryptedAnswerKey", in: bytes.span) { try KeyboxToken(parsing: $0) }
        self.init(keybox, from: parties.sender, to: parties.recipient)
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let keybox = JSONValue.Member("encryptedAnswerKey", .string(keybox.description))
        let parties = Parties(sender: senderID, recipient: recipientID)
        return JSONValue.object([keybox] + parties.members).bytes
    }
}
