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
