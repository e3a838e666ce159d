/// Walks through a JSON text (RFC 8259) once, strictly, and hands out what it finds as ranges.
///
/// It refuses what two readers may read differently: duplicate names, white space of other kinds, control characters,
/// lone surrogates, malformed UTF-8, a byte order mark, nesting beyond the limit, anything behind the value. Only names
/// are copied, so a secret in a string stays where it is; ``copy(_:in:into:)`` unescapes it into a secret's memory.
package struct JSONScanner: Sendable {
    /// What a value is, by its first byte.
    package enum Kind: Sendable { case object, array, string, number, literal }

    /// Where a string's characters are, without the quotation marks.
    package struct Text: Sendable {
        /// The indices of its bytes in the text.
        package let range: Range<Int>
        let hasEscapes: Bool

        package static let none = Text(range: 0..<0, hasEscapes: false)
    }

    /// The next byte to be read.
    package private(set) var position = 0
    private var depth = 0
    private let maximumDepth: Int
    /// The range of the name or the text that was read last, for ``read(_:in:)``.
    private var characters: [UInt8] = []

    /// A scanner before the first byte. With more than `maximumDepth` objects and arrays within each other, a text is
    /// refused: a sender cannot exhaust our stack.
    package init(maximumDepth: Int = 16) { self.maximumDepth = maximumDepth }

    /// A scanner of what begins at `position`.
    package init(position: Int, maximumDepth: Int = 16) {
        self.init(maximumDepth: maximumDepth)
        self.position = position
    }

    // MARK: - Structure

    package mutating func kind(in bytes: Span<UInt8>) throws(SyntaxError) -> Kind {
        switch try peek(bytes) {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        default: .literal
        }
    }

    /// Reads an object: `body` must read the value of each member.
    package mutating func object(
        in bytes: Span<UInt8>, _ body: (inout JSONScanner, String) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        try members(in: bytes) { (scanner, name) throws(SyntaxError) in
            try body(&scanner, try scanner.read(name, in: bytes))
        }
    }

    private mutating func members(
        in bytes: Span<UInt8>, _ body: (inout JSONScanner, Text) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        var names = SeenNames()
        try list(in: bytes, from: "{", to: "}") { (scanner) throws(SyntaxError) in
            let name = try scanner.string(in: bytes, strictly: true)
            guard names.insert(name, in: bytes) else { throw .duplicateName(at: name.range.lowerBound - 1) }
            try scanner.expect(":", in: bytes)
            try body(&scanner, name)
        }
    }

    /// Reads an array: `body` must read each element.
    package mutating func array(
        in bytes: Span<UInt8>, _ body: (inout JSONScanner) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        try list(in: bytes, from: "[", to: "]", body)
    }

    /// Throws unless only white space is left.
    package mutating func finish(in bytes: Span<UInt8>) throws(SyntaxError) {
        skipWhiteSpace(bytes)
        guard position == bytes.count else { throw .byteBehind(at: position) }
    }

    private mutating func list(
        in bytes: Span<UInt8>, from first: Unicode.Scalar, to last: Unicode.Scalar,
        _ element: (inout JSONScanner) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        try expect(first, in: bytes)
        guard depth < maximumDepth else { throw .tooDeep(at: position - 1) }
        depth += 1
        defer { depth -= 1 }
        if try peek(bytes) == UInt8(ascii: last) { return position += 1 }
        while true {
            try element(&self)
            guard try peek(bytes) != UInt8(ascii: last) else { return position += 1 }
            try expect(",", in: bytes)
        }
    }

    /// Passes over any value and says where it stands. Its structure is checked. Its numbers may be of any size, and its strings
    /// of any bytes, unless it is checked `strictly`, as everything is that is read. `body` sees each text in it, names aside.
    package mutating func skip(
        in bytes: Span<UInt8>, strictly isStrict: Bool = false, _ body: (Text) -> Void = { _ in }
    ) throws(SyntaxError) -> Range<Int> {
        func skip(_ scanner: inout JSONScanner) throws(SyntaxError) {
            _ = try scanner.skip(in: bytes, strictly: isStrict, body)
        }
        let kind = try kind(in: bytes)
        let start = position
        switch kind {
        case .object: try members(in: bytes) { (scanner, _) throws(SyntaxError) in try skip(&scanner) }
        case .array: try array(in: bytes, skip)
        case .string: body(try string(in: bytes, strictly: isStrict))
        case .number where isStrict: _ = try number(in: bytes)
        case .number: position = try JSONNumber.end(in: bytes, at: start).end
        case .literal: _ = try literal(in: bytes)
        }
        return start..<position
    }

    // MARK: - Leaves

    /// Reads a string and says where its characters are. Escapes are checked here, UTF-8 if it is read `strictly`, else by
    /// ``text(_:in:)``.
    package mutating func string(
        in bytes: Span<UInt8>, strictly isStrict: Bool = false
    ) throws(SyntaxError) -> Text {
        try expect("\"", in: bytes)
        let start = position
        var (index, hasEscapes) = (start, false)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                position = index + 1
                let text = Text(range: start..<index, hasEscapes: hasEscapes)
                if isStrict { try text.check(in: bytes) }
                return text
            case UInt8(ascii: "\\"):
                hasEscapes = true
                index = try JSONEscape(in: bytes, at: index).end
            case 0..<0x20: throw .unexpectedByte(at: index)
            default: index += 1
            }
        }
        throw .unexpectedEnd
    }

    /// Reads `true`, `false` or `null`.
    package mutating func literal(in bytes: Span<UInt8>) throws(SyntaxError) -> JSONValue {
        switch bytes[position] {
        case UInt8(ascii: "t"): try word("true", .bool(true), in: bytes)
        case UInt8(ascii: "f"): try word("false", .bool(false), in: bytes)
        default: try word("null", .null, in: bytes)
        }
    }

    private mutating func word(
        _ word: String, _ value: JSONValue, in bytes: Span<UInt8>
    ) throws(SyntaxError) -> JSONValue {
        var index = position
        for byte in word.utf8 {
            guard index < bytes.count, bytes[index] == byte else { throw .unexpectedByte(at: position) }
            index += 1
        }
        position = index
        return value
    }

    /// Reads a number and says where it is; see ``JSONNumber``.
    package mutating func number(in bytes: Span<UInt8>) throws(SyntaxError) -> Double {
        skipWhiteSpace(bytes)
        let number = try JSONNumber(in: bytes, at: position)
        position = number.end
        return number.value
    }

    /// The characters of `text`, unescaped. Throws `.malformedUTF8`.
    package func text(_ text: Text, in bytes: Span<UInt8>) throws(SyntaxError) -> String {
        var scanner = self
        return try scanner.read(text, in: bytes)
    }

    /// Reads a text. The bytes are put together where those of the text before were: to ask for memory takes longer than to copy
    /// a name.
    mutating func read(_ text: Text, in bytes: Span<UInt8>) throws(SyntaxError) -> String {
        // To append nothing writes into what all empty arrays share.
        guard !text.range.isEmpty else { return "" }
        characters.removeAll(keepingCapacity: true)
        characters.append(addingCapacity: text.range.count) { Self.copy(text, in: bytes, into: &$0) }
        guard let string = String(utf8: characters) else {
            throw .malformedUTF8(in: bytes.extracting(text.range), at: text.range.lowerBound)
        }
        return string
    }

    /// Appends the characters of `text`, unescaped and unchecked. They are at most as many as its range has.
    package func copy(_ text: Text, in bytes: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        Self.copy(text, in: bytes, into: &output)
    }

    private static func copy(_ text: Text, in bytes: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        guard text.hasEscapes else { return output.append(bytes.extracting(text.range)) }
        var (index, start) = (text.range.lowerBound, text.range.lowerBound)
        while index < text.range.upperBound {
            if bytes[index] == UInt8(ascii: "\\"), let escape = try? JSONEscape(in: bytes, at: index) {
                output.append(bytes.extracting(start..<index))
                for byte in escape.scalar.utf8 { output.append(byte) }
                (index, start) = (escape.end, escape.end)
            } else {
                index += 1
            }
        }
        output.append(bytes.extracting(start..<index))
    }

    // MARK: - Bytes

    @inline(__always)
    private mutating func expect(_ character: Unicode.Scalar, in bytes: Span<UInt8>) throws(SyntaxError) {
        guard try peek(bytes) == UInt8(ascii: character) else { throw .unexpectedByte(at: position) }
        position += 1
    }

    @inline(__always)
    private mutating func peek(_ bytes: Span<UInt8>) throws(SyntaxError) -> UInt8 {
        skipWhiteSpace(bytes)
        guard position < bytes.count else { throw .unexpectedEnd }
        return bytes[position]
    }

    @inline(__always)
    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count, bytes[position].isJSONWhiteSpace { position += 1 }
    }
}

extension JSONScanner.Text {
    /// Throws `.malformedUTF8`. An escape stands for whole characters, so those around it are judged with it as without it.
    fileprivate func check(in bytes: Span<UInt8>) throws(JSONScanner.SyntaxError) {
        let characters = bytes.extracting(range)
        guard characters.isASCII || String(utf8: Array(copying: characters)) != nil else {
            throw .malformedUTF8(in: characters, at: range.lowerBound)
        }
    }
}

extension JSONScanner.SyntaxError {
    /// The first byte of a text that is no UTF-8. The text begins at `start`.
    static func malformedUTF8(in text: Span<UInt8>, at start: Int) -> Self {
        let bytes = Array(copying: text)
        // Each byte that is no UTF-8 was replaced by U+FFFD.
        let count = zip(bytes, String(decoding: bytes, as: UTF8.self).utf8).prefix { $0 == $1 }.count
        return .malformedUTF8(at: start + count)
    }
}

extension Span where Element == UInt8 {
    fileprivate var isASCII: Bool {
        var all: UInt8 = 0
        for index in indices { all |= self[index] }
        return all < 0x80
    }
}

extension UInt8 {
    /// Whether it is one of the four bytes that JSON calls white space (RFC 8259 §2): space, tab, line feed and
    /// carriage return.
    package var isJSONWhiteSpace: Bool {
        switch self {
        case 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }
}
