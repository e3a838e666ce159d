package import CloserWire

/// What is wrong with the spelling of a token or of another text in base64. It quotes neither letters nor bytes.
public struct Misspelling: Error, Equatable, Sendable {
    private let message: String
    private let hint: String?
    private let command: String?

    private init(_ message: String, _ hint: String? = nil, typing command: String? = nil) {
        (self.message, self.hint, self.command) = (message, hint, command)
    }

    /// The words for a text that has a name.
    package func words(of noun: String) -> ErrorWords {
        ErrorWords(.malformed, "this \(noun) \(message)", hint, typing: command)
    }

    func of(member name: String) -> Misspelling {
        Misspelling("is misspelled: its \(name) \(message)", hint, typing: command)
    }
}

extension Misspelling: WordedError {
    package var words: ErrorWords { ErrorWords(.malformed, "this \(message)", hint, typing: command) }
}

extension Misspelling {
    package static let empty = Self("is empty")
    package static let quoted = Self("has quotation marks around it", "take them off: jq -r does")
    package static let tooShort = Self("is too short: a part of it is missing", "copy the whole of it")
    package static let lineBreak = Self(
        "has a line break inside", "write it on one line: tr -d '\\r\\n' does")
    package static let several = Self(
        "has another one behind it", "give one at a time", typing: "--jsonl takes one on each line")
    package static let noPadding = Self("lacks its padding", filling)
    package static let otherPadding = Self("has other padding than it must have", filling)
    package static let urlPadding = Self(
        "has padding, which base64url omits here", "take the = off its end")
    package static let standardLetters = Self(
        "has + or /, which base64url does not have", "write it in base64url: tr -- '+/' '-_'")
    package static let urlLetters = Self(
        "has - or _, which standard base64 does not have", "write it in standard base64: tr -- '-_' '+/'")
    /// Bits or bytes that have another spelling.
    package static let other = Self("is not in the only accepted spelling")

    private static let filling = "fill it up with = to a multiple of four characters"

    /// A letter that no base64 has, at this offset.
    package static func foreignLetter(at offset: Int) -> Self {
        Self("has a character that is none of base64, at byte \(offset + 1)", "copy it again, and only it")
    }

    /// A text that has the name of a token, and goes on in another way than with its version.
    package static func beginning(otherThan beginnings: [String]) -> Self {
        Self("does not begin with \(beginnings.joined(separator: " or "))", "copy the whole of it")
    }

    /// A member that is missing, or no text.
    static func lacks(text name: String) -> Self { Self("needs a text as its \(name)") }
}

extension Misspelling {
    /// How a program saved or wrapped the text; nil if that is right.
    package init?(wrapping text: Span<UInt8>) {
        if let fault = TextFault(text) {
            self.init(fault.words, TextFault.hint)
        } else if text.isEmpty {
            self = .empty
        } else if "\"'".utf8.contains(text[0]) {
            self = .quoted
        } else {
            return nil
        }
    }

    /// What is wrong in base64 that stands behind `prefix`.
    init(_ error: Base64.DecodingError, in text: Span<UInt8>, of base64: Base64, behind prefix: [UInt8] = [])
    {
        self =
            switch error {
            case .foreignByte(let offset): Self(at: offset, in: text, behind: prefix)
            case .padding where base64 == .url: .urlPadding
            case .padding: text[text.count - 1] == UInt8(ascii: "=") ? .otherPadding : .noPadding
            case .tooShort: .tooShort
            case .strayBits: .other
            }
    }

    private init(at offset: Int, in text: Span<UInt8>, behind prefix: [UInt8]) {
        let rest = text.extracting(droppingFirst: offset)
        self =
            switch rest[0] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                Self.isRepeated(prefix, in: rest) ? .several : .lineBreak
            case UInt8(ascii: "+"), UInt8(ascii: "/"): .standardLetters
            case UInt8(ascii: "-"), UInt8(ascii: "_"): .urlLetters
            default: .foreignLetter(at: prefix.count + offset)
            }
    }

    private static func isRepeated(_ prefix: [UInt8], in text: Span<UInt8>) -> Bool {
        let next = text.indices.first { !text[$0].isJSONWhiteSpace } ?? text.count
        let another = text.extracting(droppingFirst: next).extracting(first: prefix.count)
        return !prefix.isEmpty && another.isSame(as: prefix.span)
    }
}

extension Base64 {
    /// Decodes a text that is nothing but base64.
    func decodeSpelled(_ text: Span<UInt8>) throws(Misspelling) -> [UInt8] {
        do throws(DecodingError) { return try decode(text) } catch {
            throw Misspelling(wrapping: text) ?? Misspelling(error, in: text, of: self)
        }
    }
}
