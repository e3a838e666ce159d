internal import CloserWire

/// What the server stores of a sealed answer, or of a message in a thread (closer-keys-formats(7), DOCUMENTS).
///
/// The server may have changed every member. Trust only what a reveal proves.
public struct AnswerDocument: Equatable, Sendable {
    /// The author.
    public let userID: UserID
    /// The question that is answered.
    public let questionID: QuestionID
    /// The sealed payload.
    public let token: SealedToken
    /// The author's promise of what is in it.
    package let commitment: Commitment
    /// Whether the author has released the one-time key, as the server tells it.
    public let isKeyReleased: Bool
    /// Whether the app has shown the answer; nil for a message in a thread, whose document lacks the member.
    public let isRevealed: Bool?

    /// 3: the only schema of sealed answers.
    static let schemaVersion: Int64 = 3

    /// The document of an answer of ours.
    package init(
        _ answer: SealedAnswer, of context: AnswerContext, isInThread: Bool, isKeyReleased: Bool = false
    ) {
        (userID, questionID) = (context.author, context.question)
        (token, commitment) = (answer.token, answer.commitment)
        (self.isKeyReleased, isRevealed) = (isKeyReleased, isInThread ? nil : false)
    }

    /// Parses the JSON document.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        let reader = try DocumentReader(bytes.span, as: .answer)
        (userID, questionID) = (
            reader.identifier("userId", in: bytes.span), reader.identifier("questionId", in: bytes.span)
        )
        token = reader.parsed("encryptedPayload", in: bytes.span) { try SealedToken(parsing: $0) }
        commitment = reader.parsed("commitmentHash", in: bytes.span) { try Commitment(parsing: $0.utf8) }
        (isKeyReleased, isRevealed) = (reader.bool("answerKeyReleased") == true, reader.bool("isRevealed"))
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        var members: [JSONValue.Member] = [
            .init("userId", .string(userID.text)), .init("questionId", .string(questionID.text)),
            .init("schemaVersion", .number(Double(Self.schemaVersion))),
            .init("encryptedPayload", .string(token.description)),
            .init("commitmentHash", .string(commitment.description)),
            .init("answerKeyReleased", .bool(isKeyReleased)),
        ]
        if let isRevealed { members.append(.init("isRevealed", .bool(isRevealed))) }
        return JSONValue.object(members).bytes
    }
}
