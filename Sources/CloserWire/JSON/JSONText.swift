/// An object or an array where it stands in a text that was checked.
///
/// It is read level by level, when it is asked for: an unread part costs its bytes in the text. As a sequence it has the
/// elements of the array.
package struct JSONText: Sendable, Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    /// The index of the next byte to be read: at first, the bracket.
    private var position: Int

    /// Reads a whole text, whose value may be of any kind. ``JSONScanner`` says what is refused.
    static func value(of bytes: [UInt8], maximumDepth: Int) throws(JSONScanner.SyntaxError) -> JSONValue {
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        let range = try scanner.skip(in: bytes.span, strictly: true)
        try scanner.finish(in: bytes.span)
        var text = Self(bytes: bytes, position: range.lowerBound)
        return text.value()
    }

    private init(bytes: [UInt8], position: Int) { (self.bytes, self.position) = (bytes, position) }

    /// Whether it is an object, and no array.
    var isObject: Bool { bytes[position] == UInt8(ascii: "{") }

    var members: [JSONValue.Member] { members(first: .max) }

    /// The first members of the object, at most `count`.
    func members(first count: Int) -> [JSONValue.Member] {
        var (rest, members) = (self, [JSONValue.Member]())
        while members.count < count, rest.advance() {
            let name = rest.string()
            _ = rest.advance()
            if members.isEmpty { members.reserveCapacity(4) }
            members.append(JSONValue.Member(name, rest.value()))
        }
        return members
    }

    /// The next element of the array.
    package mutating func next() -> JSONValue? { advance() ? value() : nil }

    /// Goes on behind the bracket, a comma or a colon. False at the end.
    private mutating func advance() -> Bool {
        skipWhiteSpace()
        guard !isAtEnd else { return false }
        position += 1
        skipWhiteSpace()
        return !isAtEnd
    }

    /// Whether it is at `]` or `}`, which differ in one bit.
    private var isAtEnd: Bool { bytes[position] | 0x20 == UInt8(ascii: "}") }

    private mutating func skipWhiteSpace() {
        while bytes[position].isJSONWhiteSpace { position += 1 }
    }

    private mutating func value() -> JSONValue {
        switch bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            defer { skipList() }
            return .unread(self)
        case UInt8(ascii: "\""): return .string(string())
        default:
            return read { (scanner, bytes) throws(JSONScanner.SyntaxError) in
                guard case .number = try scanner.kind(in: bytes) else {
                    return try scanner.literal(in: bytes)
                }
                return .number(try scanner.number(in: bytes))
            }
        }
    }

    private mutating func skipList() {
        var depth = 0
        repeat {
            switch bytes[position] {
            case UInt8(ascii: "\""): _ = text()
            case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, position) = (depth + 1, position + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): (depth, position) = (depth - 1, position + 1)
            default: position += 1
            }
        } while depth > 0
    }

    private mutating func string() -> String {
        let text = text()
        guard text.hasEscapes else { return String(decoding: bytes[text.range], as: UTF8.self) }
        return String(decoding: text.characters(in: bytes.span), as: UTF8.self)
    }

    private mutating func text() -> JSONScanner.Text {
        read { (scanner, bytes) throws(JSONScanner.SyntaxError) in try scanner.string(in: bytes) }
    }

    private mutating func read<Found>(
        _ body: (inout JSONScanner, Span<UInt8>) throws(JSONScanner.SyntaxError) -> Found
    ) -> Found {
        var scanner = JSONScanner(position: position)
        defer { position = scanner.position }
        do { return try body(&scanner, bytes.span) } catch {
            preconditionFailure("a text is checked before it is read")
        }
    }
}
