internal import CloserWire

/// The shape of a JSON keyset: exactly Tink's members, each once, of the right type. No rule is checked yet.
struct KeysetDocument {
    struct Key {
        var data = KeyData()
        var (status, prefix) = ("", "")
        var id: UInt32 = 0
    }

    struct KeyData {
        var (typeURL, materialType) = ("", "")
        /// Where the base64 of the key is: it is a secret and stays where it is.
        var value = JSONScanner.Text.none
    }

    private(set) var primaryID: UInt32 = 0
    private(set) var keys: [Key] = []

    init(_ bytes: Span<UInt8>) throws(JSONScanner.SyntaxError) {
        var scanner = JSONScanner()
        var document = Self()
        try scanner.members(["primaryKeyId", "key"], in: bytes) {
            (scanner, name) throws(JSONScanner.SyntaxError) in
            switch name {
            case "primaryKeyId": document.primaryID = try scanner.id(in: bytes)
            default:
                try scanner.array(in: bytes) { (scanner) throws(JSONScanner.SyntaxError) in
                    document.keys.append(try scanner.key(in: bytes))
                }
            }
        }
        try scanner.finish(in: bytes)
        self = document
    }

    private init() {}
}

extension JSONScanner {
    fileprivate mutating func key(in bytes: Span<UInt8>) throws(SyntaxError) -> KeysetDocument.Key {
        var key = KeysetDocument.Key()
        try members(["keyData", "status", "keyId", "outputPrefixType"], in: bytes) {
            (scanner, name) throws(SyntaxError) in
            switch name {
            case "keyData": key.data = try scanner.keyData(in: bytes)
            case "status": key.status = try scanner.text(try scanner.string(in: bytes), in: bytes)
            case "keyId": key.id = try scanner.id(in: bytes)
            default: key.prefix = try scanner.text(try scanner.string(in: bytes), in: bytes)
            }
        }
        return key
    }

    private mutating func keyData(in bytes: Span<UInt8>) throws(SyntaxError) -> KeysetDocument.KeyData {
        var data = KeysetDocument.KeyData()
        try members(["typeUrl", "value", "keyMaterialType"], in: bytes) {
            (scanner, name) throws(SyntaxError) in
            switch name {
            case "typeUrl": data.typeURL = try scanner.text(try scanner.string(in: bytes), in: bytes)
            case "value": data.value = try scanner.string(in: bytes)
            default: data.materialType = try scanner.text(try scanner.string(in: bytes), in: bytes)
            }
        }
        return data
    }

    fileprivate mutating func id(in bytes: Span<UInt8>) throws(SyntaxError) -> UInt32 {
        let start = position
        guard let id = UInt32(exactly: try number(in: bytes)) else { throw .numberOutOfRange(at: start) }
        return id
    }

    /// Reads an object that has exactly these members, in any order.
    fileprivate mutating func members(
        _ names: [String], in bytes: Span<UInt8>,
        _ body: (inout JSONScanner, String) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        var found = 0
        try object(in: bytes) { (scanner, name) throws(SyntaxError) in
            guard names.contains(name) else { throw .unexpectedByte(at: scanner.position) }
            found += 1
            try body(&scanner, name)
        }
        guard found == names.count else { throw .unexpectedByte(at: position) }
    }
}
