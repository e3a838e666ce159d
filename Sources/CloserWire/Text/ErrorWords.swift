/// What an error says: its name to a script, and to a person what happened and what to do about it.
///
/// The texts are lower case, without a full stop, and without a byte of the input. An app shows the message and the advice. The
/// program prints them as its error and its hint, and behind the advice what to type.
package struct ErrorWords: Equatable, Sendable {
    package let id: ErrorID
    /// What happened.
    package let message: String
    /// What to do; nil where the message says it.
    package let advice: String?
    /// The command or the option with which a person does it; nil where the program has none.
    private let command: String?

    package init(_ id: ErrorID, _ message: String, _ advice: String? = nil, typing command: String? = nil) {
        (self.id, self.message, self.advice, self.command) = (id, message, advice, command)
    }

    /// What the program prints behind the message.
    package var hint: String? {
        guard let advice, let command else { return advice ?? command }
        return "\(advice): \(command)"
    }

    /// These words with the subject in front.
    package func of(_ subject: String) -> ErrorWords {
        ErrorWords(id, "\(subject): \(message)", advice, typing: command)
    }

    package func advising(_ advice: String) -> ErrorWords { ErrorWords(id, message, advice) }
}

extension String {
    /// The text as a sentence: with a capital letter in front and a full stop behind.
    package var sentence: String { "\(prefix(1).uppercased())\(dropFirst())." }

    /// This option with a value, as the program reads it: behind a space, a value that begins with a hyphen would be an option.
    package func option(_ value: String) -> String { self + (value.hasPrefix("-") ? "=" : " ") + value }
}

/// An error that says what happened.
package protocol WordedError: IdentifiedError, CustomStringConvertible {
    var words: ErrorWords { get }
    /// The words for a person who uses an app, where those of the program speak of what an app does not show, such as key files.
    var appWords: ErrorWords { get }
}

extension WordedError {
    package var errorID: ErrorID { words.id }
    package var appWords: ErrorWords { words }

    /// The name that scripts and apps compare.
    public var id: String { errorID.rawValue }
    /// The number of the name.
    public var code: Int { errorID.number }
    /// What happened, as a sentence.
    public var summary: String { appWords.message.sentence }
    /// What to do, as a sentence.
    public var remedy: String? { appWords.advice?.sentence }

    /// What happened, and what to do.
    public var description: String { words.advice.map { "\(words.message); \($0)" } ?? words.message }
}
