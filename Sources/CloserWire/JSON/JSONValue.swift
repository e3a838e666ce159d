/// A JSON value (RFC 8259), with the members of an object in the order they came in.
///
/// Never for a document that holds a secret: its texts are `String`s. Such documents are read with ``JSONScanner``.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value.
    public struct Member: Sendable {
        public var name: String
        public var value: JSONValue

        public init(_ name: String, _ value: JSONValue) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The value of an object's member; nil when this is no object or has no such name.
    ///
    /// Names are compared as bytes: `String ==` would call two spellings of an accent equal.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text, if this is one.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if this is one.
    public var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The elements, if this is an array.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members, if this is an object.
    public var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension [JSONValue.Member] {
    /// The value of the member of this name, compared as bytes; nil if there is none.
    public subscript(name: String) -> JSONValue? {
        first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

// MARK: - Parsing

extension JSONValue {
    /// Parses one JSON text; see ``JSONScanner`` for what is refused.
    public init(
        parsing bytes: Span<UInt8>, maximumDepth: Int = 16
    ) throws(JSONScanner.SyntaxError) {
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        self = try scanner.value(in: bytes)
        try scanner.finish(in: bytes)
    }

    /// Parses one JSON text.
    public init(
        parsing bytes: some Collection<UInt8>, maximumDepth: Int = 16
    ) throws(JSONScanner.SyntaxError) {
        try self.init(parsing: Array(bytes).span, maximumDepth: maximumDepth)
    }
}

extension JSONScanner {
    /// Reads any value.
    public mutating func value(in bytes: Span<UInt8>) throws(SyntaxError) -> JSONValue {
        switch try kind(in: bytes) {
        case .object: .object(try members(in: bytes))
        case .array: .array(try elements(in: bytes))
        case .string: .string(try text(try string(in: bytes), in: bytes))
        case .number: .number(try number(in: bytes))
        case .literal: try literal(in: bytes)
        }
    }

    private mutating func members(in bytes: Span<UInt8>) throws(SyntaxError) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        try object(in: bytes) { (scanner, name) throws(SyntaxError) in
            members.append(JSONValue.Member(name, try scanner.value(in: bytes)))
        }
        return members
    }

    private mutating func elements(in bytes: Span<UInt8>) throws(SyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try array(in: bytes) { (scanner) throws(SyntaxError) in
            elements.append(try scanner.value(in: bytes))
        }
        return elements
    }
}
