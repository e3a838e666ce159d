internal import CloserWire

/// The shape of a JSON keyset: exactly Tink's members, each once and of the right type. ``Keyset`` checks the rules.
///
/// Numbers are read with their own rule here: Tink writes an id as an integer literal, and refuses a key id of `1e2`.
struct KeysetDocument {
    struct Key {
        /// Nil if it is missing: a destroyed key has none.
        var data: KeyData?
        var (status, prefix) = (WireText(""), WireText(""))
        var id: UInt32 = 0
    }

    struct KeyData {
        var (typeURL, materialType) = (WireText(""), WireText(""))
        /// Where the base64 of the key stands. The key is a secret, so its text stays outside of `String`.
        var value = JSONScanner.Text.none
    }

    private(set) var primaryID: UInt32 = 0
    private(set) var keys: [Key] = []

    init(_ bytes: Span<UInt8>) throws(JSONScanner.SyntaxError) {
        var scanner = JSONScanner()
        var document = Self()
        try scanner.members(["key"], or: ["primaryKeyId"], in: bytes) {
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
        try members(["status", "outputPrefixType"], or: ["keyData", "keyId"], in: bytes) {
            (scanner, name) throws(SyntaxError) in
            switch name {
            case "keyData": key.data = try scanner.keyData(in: bytes)
            case "status": key.status = try scanner.name(in: bytes)
            case "keyId": key.id = try scanner.id(in: bytes)
            default: key.prefix = try scanner.name(in: bytes)
            }
        }
        return key
    }

    private mutating func keyData(in bytes: Span<UInt8>) throws(SyntaxError) -> KeysetDocument.KeyData {
        var data = KeysetDocument.KeyData()
        try members(["typeUrl", "value", "keyMaterialType"], in: bytes) {
            (scanner, name) throws(SyntaxError) in
            switch name {
            case "typeUrl": data.typeURL = try scanner.name(in: bytes)
            case "value": data.value = try scanner.string(in: bytes)
            default: data.materialType = try scanner.name(in: bytes)
            }
        }
        return data
    }

    fileprivate mutating func name(in bytes: Span<UInt8>) throws(SyntaxError) -> WireText {
        WireText(try text(try string(in: bytes), in: bytes))
    }

    /// An id, which is an integer literal of 32 bits without sign, fraction or exponent.
    fileprivate mutating func id(in bytes: Span<UInt8>) throws(SyntaxError) -> UInt32 {
        _ = try kind(in: bytes)
        let start = position
        guard let id = UInt32(exactly: try number(in: bytes)),
            (start..<position).allSatisfy({ (0x30...0x39).contains(bytes[$0]) })
        else { throw .numberOutOfRange(at: start) }
        return id
    }

    /// Reads an object of exactly these members, in any order. `optional` ones may be missing, because
    /// proto3's JSON leaves out a value of 0.
    fileprivate mutating func members(
        _ required: [String], or optional: [String] = [], in bytes: Span<UInt8>,
        _ body: (inout JSONScanner, String) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        var missing = required.map(WireText.init)
        let known = missing + optional.map(WireText.init)
        try object(in: bytes) { (scanner, name) throws(SyntaxError) in
            guard known.contains(WireText(name)) else { throw .unexpectedByte(at: scanner.position) }
            missing.removeAll { $0 == WireText(name) }
            try body(&scanner, name)
        }
        guard missing.isEmpty else { throw .unexpectedByte(at: position) }
    }
}
