package import CloserWire

/// What keeps a text from being one object in strict JSON, and where that shows. It quotes nothing: an answer's names are a secret as
/// its values are.
public struct JSONFault: Error, Equatable, Sendable {
    /// After "the answer", for instance.
    package let message: String
    private let hint: String?

    private init(_ message: String, hint: String? = nil) { (self.message, self.hint) = (message, hint) }

    /// Says where the parser found its `error` in `text`. The places count from `start`.
    package init(_ error: JSONScanner.SyntaxError, in text: Span<UInt8>, from start: Int = 0) {
        let read = text.extracting(droppingFirst: start)
        func at(_ offset: Int) -> String { Self.place(offset - start, in: read) }
        let first = read.indices.first { !read[$0].isJSONWhiteSpace }
        if let fault = TextFault(read) {
            self.init(fault.words, hint: TextFault.hint)
            return
        }
        switch error {
        case .unexpectedByte(let offset) where offset - start == first && Self.mayBeginValue(text[offset]):
            self.init(noObject: read)
        case .unexpectedByte(let offset):
            self.init("has a character that JSON does not have there, \(at(offset))")
        case .byteBehind(let offset): self.init("has more behind its end, \(at(offset))")
        case .unexpectedEnd where first == nil: self.init("is empty")
        case .unexpectedEnd: self.init("ends early, \(at(text.count))", hint: "a part of it is missing")
        case .duplicateName(let offset): self.init("has a name twice in one object, again \(at(offset))")
        case .tooDeep(let offset): self.init("has more than 16 levels, \(at(offset))")
        case .numberOutOfRange(let offset):
            self.init(
                "has a number outside what canonical JSON allows here, \(at(offset))",
                hint: "write a number beyond 2^53 - 1 as a text")
        case .loneSurrogate(let offset): self.init("has half of a surrogate pair, \(at(offset))")
        case .malformedUTF8(let offset):
            self.init("has a byte that is not UTF-8, \(at(offset))", hint: "save it as UTF-8")
        }
    }

    /// A value of another kind.
    fileprivate init(noObject text: Span<UInt8>) {
        let first = text.indices.first { !text[$0].isJSONWhiteSpace }.map { text[$0] }
        switch first {
        case UInt8(ascii: "["): self.init("is an array, not an object")
        case UInt8(ascii: "\""): self.init("is a text in quotation marks, not an object")
        default: self.init("is a single value, not an object")
        }
    }

    private static func mayBeginValue(_ byte: UInt8) -> Bool { "[\"-0123456789".utf8.contains(byte) }

    /// Both counted from 1; the line only where there are several.
    private static func place(_ offset: Int, in text: Span<UInt8>) -> String {
        let before = text.extracting(first: min(offset, text.count))
        let newlines = before.indices.filter { before[$0] == UInt8(ascii: "\n") }
        let byte = "byte \(offset - (newlines.last ?? -1))"
        let hasLines = text.indices.dropLast().contains { text[$0] == UInt8(ascii: "\n") }
        return hasLines ? "at line \(newlines.count + 1), \(byte)" : "at \(byte)"
    }

    /// The words for a text that has a name. Without a hint of its own, the file may be another one.
    package func words(of subject: String) -> ErrorWords {
        ErrorWords(.malformed, "\(subject) \(message)", hint ?? "check that it is the right document")
    }
}

extension JSONFault: WordedError {
    package var words: ErrorWords { words(of: "this") }
}

extension JSONValue {
    /// The members of one object in strict JSON.
    package static func members(of bytes: some Collection<UInt8>) throws(JSONFault) -> [Member] {
        let bytes = Array(bytes)
        let value: JSONValue
        do { value = try JSONValue(parsing: bytes) } catch { throw JSONFault(error, in: bytes.span) }
        guard let members = value.members else { throw JSONFault(noObject: bytes.span) }
        return members
    }
}
