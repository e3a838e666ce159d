/// What a ciphertext is for, as associated data or context: identifiers joined with `|`, which none of them contains.
public struct KeyContext: Equatable, Sendable {
    /// ASCII.
    public let text: String

    /// ASCII.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// Of a sealed answer: `coupleId|questionId|userId` of its author (formats §5).
    public static func sealedAnswer(_ answer: AnswerContext) -> KeyContext {
        KeyContext([answer.couple, answer.question, answer.author])
    }

    /// Of the keybox that releases it: `coupleId|questionId|sender|recipient` (formats §5).
    public static func release(_ answer: AnswerContext, to recipient: Identifier) -> KeyContext {
        KeyContext([answer.couple, answer.question, answer.author, recipient])
    }

    /// Of a rekey: `coupleId|ck.rekey.<epoch>|sender|recipient` (security §5).
    static func rekey(_ route: RekeyRoute, epoch: UInt32) -> KeyContext {
        KeyContext(
            text: "\(route.couple.text)|ck.rekey.\(epoch)|\(route.sender.text)|\(route.recipient.text)")
    }

    private init(text: String) { self.text = text }

    private init(_ parts: [Identifier]) { text = parts.map(\.text).joined(separator: "|") }
}

/// Whose answer it is, and to what.
public struct AnswerContext: Equatable, Sendable {
    public let couple: Identifier
    public let question: Identifier
    public let author: Identifier

    /// `ck.` begins names of our own: a question called so could be mistaken for a rekey.
    public struct ReservedQuestion: Error, Equatable, Sendable {}

    public init(couple: Identifier, question: Identifier, author: Identifier) throws(ReservedQuestion) {
        guard !question.text.utf8.starts(with: "ck.".utf8) else { throw ReservedQuestion() }
        (self.couple, self.question, self.author) = (couple, question, author)
    }
}
