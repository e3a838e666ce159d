/// What a ciphertext is for, as associated data or context: identifiers joined with `|`, which none of them contains.
///
/// The reader of a ciphertext computes the context from what it knows. So a server cannot move one to another
/// couple, question or person.
package struct KeyContext: Equatable, Sendable {
    /// The context, in ASCII.
    package let text: String

    /// The context in ASCII, as the ciphers take it.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// The context of a sealed answer: `coupleId|questionId|author` (closer-keys-formats(7), SEALED ANSWERS, Sealed text).
    package static func sealedAnswer(_ answer: AnswerContext) -> KeyContext {
        KeyContext([answer.couple.text, answer.question.text, answer.author.text])
    }

    /// The context of the keybox that releases it: `coupleId|questionId|sender|recipient` (closer-keys-formats(7), SEALED ANSWERS,
    /// Release). The sender is the answer's author.
    package static func release(_ answer: AnswerContext, to recipient: UserID) -> KeyContext {
        KeyContext([answer.couple.text, answer.question.text, answer.author.text, recipient.text])
    }

    /// The context of a rekey: `coupleId|ck.rekey.<epoch>|sender|recipient` (closer-keys-formats(7), REKEYING).
    static func rekey(_ route: RekeyRoute, epoch: UInt32) -> KeyContext {
        KeyContext(
            text: "\(route.couple.text)|ck.rekey.\(epoch)|\(route.sender.text)|\(route.recipient.text)")
    }

    private init(text: String) { self.text = text }

    private init(_ parts: [String]) { text = parts.joined(separator: "|") }
}
