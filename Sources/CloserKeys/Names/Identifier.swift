package import CloserWire

/// The name of a couple.
public typealias CoupleID = Identifier.Of<Identifier.Couple>
/// The name of a user.
public typealias UserID = Identifier.Of<Identifier.User>
/// The name of a question.
public typealias QuestionID = Identifier.Of<Identifier.Question>
/// The name of a thread of messages.
package typealias ThreadID = Identifier.Of<Identifier.Thread>
/// The name of a FitLink chat.
public typealias ChatID = Identifier.Of<Identifier.Chat>
/// The name of a message in a chat, which the app draws.
public typealias MessageID = Identifier.Of<Identifier.Message>

/// What all names have in common: 1 to 128 of ASCII's letters and digits and `. _ - : @ +`.
///
/// Any other character is refused (closer-keys-formats(7), NOTATION, Identifiers): with a `|` inside, two contexts could
/// look the same (docs/threat-model.md#w20). Each noun has a type of its own, ``CoupleID`` and so on, so that the compiler refuses
/// a user where a couple is meant.
public enum Identifier {
    /// Marks the name of a couple.
    public enum Couple {}
    /// Marks the name of a user.
    public enum User {}
    /// Marks the name of a question.
    public enum Question {}
    /// Marks the name of a thread.
    package enum Thread {}
    /// Marks the name of a chat.
    public enum Chat {}
    /// Marks the name of a message.
    public enum Message {}

    /// The text is empty, too long, or has a forbidden character.
    public struct FormatError: Error, Equatable, Sendable {
        /// Whether it is a name, and servers use it otherwise: see ``Identifier/Of/init(naming:)``.
        public internal(set) var isReserved = false
        package static let reserved = FormatError(isReserved: true)
    }

    /// 128 characters.
    public static let maximumCount = 128

    /// Whether it is a name that servers use otherwise: paths resolve `.` and `..`, and Firestore refuses `__.*__`.
    package static func isReserved(_ text: String) -> Bool {
        [".", ".."].contains(text) || text.utf8.count >= 4 && text.hasPrefix("__") && text.hasSuffix("__")
    }

    package static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "@"),
            UInt8(ascii: "+"):
            true
        default: false
        }
    }

    /// The name of one noun, such as ``CoupleID``.
    public struct Of<Noun>: Equatable, Hashable, Sendable {
        /// The name as it is written.
        public let text: String

        /// Takes `text` as it is.
        ///
        /// - Throws: ``Identifier/FormatError``.
        public init(parsing text: String) throws(FormatError) {
            guard (1...maximumCount).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else {
                throw FormatError()
            }
            self.text = text
        }

        /// Takes the name that a person gives to a new user or couple. It also refuses `.`, `..` and names such as `__x__`: paths resolve
        /// the first two, and Firestore refuses all three as the id of a document.
        ///
        /// - Throws: ``Identifier/FormatError``.
        public init(naming text: String) throws(FormatError) {
            try self.init(parsing: text)
            guard !isReserved(text) else { throw .reserved }
        }

        /// The name in ASCII.
        public var bytes: [UInt8] { Array(text.utf8) }
    }
}

extension Identifier.Of: CustomStringConvertible {
    /// The name as it is written.
    public var description: String { text }
}

extension CoupleID {
    /// The option that names it to the program.
    package var option: String { "--couple".option(text) }
}

extension Identifier.FormatError: WordedError {
    package var words: ErrorWords {
        guard !isReserved else {
            return ErrorWords(
                .malformed,
                "a new user or couple is not named ., .. or __x__: servers use such names otherwise",
                "choose another name")
        }
        return ErrorWords(.malformed, "an identifier has 1 to 128 of the characters a-z A-Z 0-9 . _ - : @ +")
    }
}
