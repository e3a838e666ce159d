/// Walks through the object of a line once, and looks at each byte once: ``JSONScanner`` without names to be compared and without
/// depth, which it leaves to that one.
struct LineScanner {
    private(set) var position: Int
    private let end: Int
    /// Whether some byte is no ASCII: then the UTF-8 must be checked.
    private(set) var hasOtherThanASCII = false

    /// There are 16 levels, as everywhere else, and the object of the line is one of them.
    private static let maximumDepthBelow = 15

    init(position: Int, end: Int) { (self.position, self.end) = (position, end) }

    /// Reads a string and says where its characters are. Its escapes are checked.
    mutating func string(in bytes: Span<UInt8>) throws(JSONScanner.SyntaxError) -> JSONScanner.Text {
        try expect("\"", in: bytes)
        let start = position
        var hasEscapes = false
        while true {
            position = ordinaryEnd(bytes)
            guard position < end else { throw .unexpectedEnd }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return JSONScanner.Text(range: start..<position, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position = try JSONEscape(in: bytes.extracting(first: end), at: position).end
            default: throw .unexpectedByte(at: position)
            }
        }
    }

    /// Where the characters end that a string has as they are.
    private mutating func ordinaryEnd(_ bytes: Span<UInt8>) -> Int {
        let rest = bytes.extracting(position..<end)
        var high: UInt8 = 0
        defer { if high >= 0x80 { hasOtherThanASCII = true } }
        for index in rest.indices {
            let byte = rest[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return position + index
            }
            high |= byte
        }
        return end
    }

    /// Reads a value that is no string.
    mutating func skipValue(in bytes: Span<UInt8>) throws(JSONScanner.SyntaxError) {
        var scanner = JSONScanner(position: position, maximumDepth: Self.maximumDepthBelow)
        let found = try scanner.skip(in: bytes.extracting(first: end))
        for index in found where bytes[index] >= 0x80 { hasOtherThanASCII = true }
        position = found.upperBound
    }

    mutating func expect(_ character: Unicode.Scalar, in bytes: Span<UInt8>) throws(JSONScanner.SyntaxError) {
        guard try take(character, in: bytes) else { throw .unexpectedByte(at: position) }
    }

    /// Whether `character` comes next; then it is read.
    mutating func take(
        _ character: Unicode.Scalar, in bytes: Span<UInt8>
    ) throws(JSONScanner.SyntaxError) -> Bool {
        guard try peek(bytes) == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// The next byte that is no white space. It is not read.
    mutating func peek(_ bytes: Span<UInt8>) throws(JSONScanner.SyntaxError) -> UInt8 {
        skipWhiteSpace(bytes)
        guard position < end else { throw .unexpectedEnd }
        return bytes[position]
    }

    mutating func finish(in bytes: Span<UInt8>) throws(JSONScanner.SyntaxError) {
        skipWhiteSpace(bytes)
        guard position == end else { throw .byteBehind(at: position) }
    }

    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        while position < end, bytes[position].isJSONWhiteSpace { position += 1 }
    }
}

extension Span where Element == UInt8 {
    /// Whether both have the same bytes. Not for secrets: the time depends on them.
    package func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
