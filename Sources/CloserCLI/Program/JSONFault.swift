internal import CloserWire

/// What keeps a text from being JSON as we read it, and where that shows. It quotes nothing: an answer's names are a secret as
/// its values are.
struct JSONFault {
    /// After "the answer", for instance.
    let words: String
    let hint: String?

    private init(_ words: String, hint: String? = nil) { (self.words, self.hint) = (words, hint) }

    /// Nil for what is one object in strict JSON. The value may be of any kind if `wantsObject` is false, and its numbers of any
    /// size if `takesAnyNumber`, as in the lines of a batch.
    init?(_ text: Span<UInt8>, wantsObject: Bool = true, takesAnyNumber: Bool = false) {
        if let words = TextFault.words(text) {
            self.init(words, hint: TextFault.hint)
        } else if Inputs.textRange(of: text).isEmpty {
            self.init("is empty")
        } else if let fault = Self.encoding(of: text) {
            self = fault
        } else if let fault = Self.syntax(of: text, takesAnyNumber) {
            self = fault
        } else if wantsObject, let fault = Self.kind(of: text) {
            self = fault
        } else {
            return nil
        }
    }

    private static func encoding(of text: Span<UInt8>) -> JSONFault? {
        do {
            _ = try UTF8Span(validating: text)
            return nil
        } catch {
            let place = place(error.byteOffsets.lowerBound, in: text)
            return JSONFault("has a byte that is not UTF-8, \(place)", hint: "save it as UTF-8")
        }
    }

    private static func syntax(of text: Span<UInt8>, _ takesAnyNumber: Bool) -> JSONFault? {
        var scanner = JSONScanner()
        do { _ = try scanner.skip(in: text, strictly: !takesAnyNumber) } catch {
            return Self(error, in: text)
        }
        do { try scanner.finish(in: text) } catch {
            return JSONFault("has more behind its end, \(place(scanner.position, in: text))")
        }
        return nil
    }

    private init(_ error: JSONScanner.SyntaxError, in text: Span<UInt8>) {
        func at(_ offset: Int) -> String { Self.place(offset, in: text) }
        switch error {
        case .unexpectedByte(let offset):
            self.init("has a character that JSON does not have there, \(at(offset))")
        case .unexpectedEnd: self.init("ends early, \(at(text.count))", hint: "a part of it is missing")
        case .duplicateName(let offset):
            // The scanner names the place behind the comma.
            let name = Inputs.textRange(of: text, in: offset..<text.count).lowerBound
            self.init("has a name twice in one object, again \(at(name))")
        case .tooDeep(let offset): self.init("has more than 16 levels, \(at(offset))")
        case .numberOutOfRange(let offset):
            self.init(
                "has a number outside what canonical JSON allows here, \(at(offset))",
                hint: "write a number beyond 2^53 - 1 as a text")
        case .loneSurrogate(let offset): self.init("has half of a surrogate pair, \(at(offset))")
        case .malformedUTF8(let offset): self.init("has a byte that is not UTF-8, \(at(offset))")
        }
    }

    private static func kind(of text: Span<UInt8>) -> JSONFault? {
        switch text[Inputs.textRange(of: text).lowerBound] {
        case UInt8(ascii: "{"): nil
        case UInt8(ascii: "["): JSONFault("is an array, not an object")
        case UInt8(ascii: "\""): JSONFault("is a text in quotation marks, not an object")
        default: JSONFault("is a single value, not an object")
        }
    }

    /// Both counted from 1; the line only where there are several.
    private static func place(_ offset: Int, in text: Span<UInt8>) -> String {
        let before = text.extracting(first: min(offset, text.count))
        let newlines = before.indices.filter { before[$0] == UInt8(ascii: "\n") }
        let byte = "byte \(offset - (newlines.last ?? -1))"
        let hasLines = text.indices.dropLast().contains { text[$0] == UInt8(ascii: "\n") }
        return hasLines ? "at line \(newlines.count + 1), \(byte)" : "at \(byte)"
    }
}
