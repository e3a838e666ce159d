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
