/// What an error says: its name to a script, and to a person what happened and what to do about it.
///
/// The texts are lower case, without a full stop, and without a byte of the input. The program prints them as its error and its hint.
/// Where one of its own commands or options is what to do, it names that in place of the advice.
package struct ErrorWords: Equatable, Sendable {
    /// The error's name.
    package let id: ErrorID
    /// What happened.
    package let message: String
    /// What to do; nil where the message says it.
    package let advice: String?

    /// Takes the name and the two texts.
    package init(_ id: ErrorID, _ message: String, _ advice: String? = nil) {
        (self.id, self.message, self.advice) = (id, message, advice)
    }

    /// Both on one line, for the `description` of an error.
    package var text: String { advice.map { "\(message); \($0)" } ?? message }

    /// These words with the subject in front.
    package func of(_ subject: String) -> ErrorWords {
        ErrorWords(id, "\(subject): \(message)", advice)
    }
}

/// An error that says what happened. Its `description` is ``ErrorWords/text``.
package protocol WordedError: IdentifiedError {
    /// What it says.
    var words: ErrorWords { get }
}

extension WordedError {
    package var errorID: ErrorID { words.id }
}
