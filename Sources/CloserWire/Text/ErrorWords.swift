/// What an error says to a person: what happened, and what to do about it.
///
/// Lower case, without a full stop, and without a byte of the input. The program prints the same two texts, as its error and its
/// hint. Where one of its own commands or options is what to do, it names that in place of the advice.
package struct ErrorWords: Equatable, Sendable {
    /// What happened.
    package let message: String
    /// What to do; nil where the message says it.
    package let advice: String?

    /// Takes the two texts.
    package init(_ message: String, _ advice: String? = nil) {
        (self.message, self.advice) = (message, advice)
    }

    /// Both on one line, for the `description` of an error.
    package var text: String { advice.map { "\(message); \($0)" } ?? message }

    /// These words with the subject in front.
    package func of(_ subject: String) -> ErrorWords { ErrorWords("\(subject): \(message)", advice) }
}

/// An error that says what happened. Its `description` is ``ErrorWords/text``.
package protocol WordedError: Error {
    /// What it says.
    var words: ErrorWords { get }
}
