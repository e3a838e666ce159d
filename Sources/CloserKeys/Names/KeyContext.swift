/// What a ciphertext is for, as associated data or context: identifiers joined with `|`, which none of them contains.
///
/// Whoever opens a ciphertext computes the context again from what they know. So a server cannot move one to another
/// couple, question or person.
public struct KeyContext: Equatable, Sendable {
    /// The context, in ASCII.
    public let text: String

    /// The context in ASCII, as the ciphers take it.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// Of a sealed answer: `coupleId|questionId|author` (closer-keys-formats(7), SEALED ANSWERS, Sealed text).
    public static func sealedAnswer(_ answer: AnswerContext) -> KeyContext {
        KeyContext([answer.couple, answer.question, answer.author])
    }

    /// Of the keybox that releases it: `coupleId|questionId|sender|recipient` (closer-keys-formats(7), SEALED ANSWERS,
    /// Release). The sender is the answer's author.
    public static func release(_ answer: AnswerContext, to recipient: Identifier) -> KeyContext {
        KeyContext([answer.couple, answer.question, answer.author, recipient])
    }

    /// Of a rekey: `coupleId|ck.rekey.<epoch>|sender|recipient` (closer-keys-formats(7), REKEYING).
    static func rekey(_ route: RekeyRoute, epoch: UInt32) -> KeyContext {
        KeyContext(
            text: "\(route.couple.text)|ck.rekey.\(epoch)|\(route.sender.text)|\(route.recipient.text)")
    }

    private init(text: String) { self.text = text }

    private init(_ parts: [Identifier]) { text = parts.map(\.text).joined(separator: "|") }
}
