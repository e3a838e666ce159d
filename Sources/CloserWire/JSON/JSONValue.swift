/// A JSON value (RFC 8259), with the members of an object in the order in which they came.
///
/// Use it for public documents alone, since its texts are `String`s, which stay in memory. Such documents
/// are read with ``JSONScanner``.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number, which is a finite double.
    case number(Double)
    /// A text, unescaped.
    case string(String)
    case array([JSONValue])
    /// The members of an object. A parsed one has no name twice.
    case object([Member])
    /// An object or an array that was parsed.
    case unread(JSONText)

    package struct Member: Sendable {
        /// The name, unescaped.
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The value of an object's member; nil when this is no object or has no such name.
    ///
    /// Names are compared as bytes, because `String ==` takes two encodings of an accent for the same.
    package subscript(name: String) -> JSONValue? { members?[name] }

    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    package var array: [JSONValue]? { elements.map(Array.init) }

    /// The elements, if this is an array. Those of a parsed one are not in memory together.
    package var elements: AnySequence<JSONValue>? {
        switch self {
        case .array(let elements): AnySequence(elements)
        case .unread(let text) where !text.isObject: AnySequence(text)
        default: nil
        }
    }

    package var members: [Member]? { members(first: .max) }

    /// So many members at most, if this is an object. The others are not built.
    package func members(first count: Int) -> [Member]? {
        switch self {
        case .object(let members): Array(members.prefix(count))
        case .unread(let text) where text.isObject: text.members(first: count)
        default: nil
        }
    }
}

// Literals, so that a document can be written down as it looks.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object with the members in the order in which they are written.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension [JSONValue.Member] {
    /// The value of the member of this name, compared as bytes; nil if there is none.
    package subscript(name: String) -> JSONValue? {
        first { $0.name.hasSameBytes(as: name) }?.value
    }
}

// MARK: - Parsing

extension JSONValue {
    /// Parses one JSON text, in UTF-8. ``JSONScanner`` says what is refused; every refusal is thrown with its place.
    package init(
        parsing bytes: some Collection<UInt8>, maximumDepth: Int = 16
    ) throws(JSONScanner.SyntaxError) {
        self = try JSONText.value(of: Array(bytes), maximumDepth: maximumDepth)
    }
}
