internal import CloserWire

/// The shape of a JSON keyset: exactly Tink's members, each once and of the right type. ``Keyset`` checks the rules.
///
/// What is JSON is read to its end. The first member that Tink would not write so is kept, and refuses the keyset by its name.
struct KeysetDocument {
    struct Key {
        /// Nil if it is missing: a destroyed key has none.
        var data: KeyData?
        var (status, prefix): (UInt32, UInt32) = (0, 0)
        var id: UInt32 = 0
    }

    struct KeyData {
        var typeURL = WireText("")
        var materialType: UInt32 = 0
        /// Where the base64 of the key stands. The key is a secret, so its text stays outside of `String`.
        var value = JSONScanner.Text.none
    }

    private(set) var primaryID: UInt32 = 0
    private(set) var keys: [Key] = []
    private var fault: KeysetError?
    private var isEncrypted = false
    /// Whether a member is there that other JSON seldom has.
    private var resemblesKeyset = false

    init(_ bytes: Span<UInt8>) throws(KeysetError) {
        var (document, scanner) = (Self(), JSONScanner())
        do {
            try document.readKeyset(&scanner, bytes)
            try scanner.finish(in: bytes)
        } catch { throw .malformed }
        guard !document.isEncrypted else { throw .encrypted }
        guard document.resemblesKeyset else { throw .malformed }
        if let fault = document.fault { throw fault }
        self = document
    }

    private init() {}

    private mutating func note(_ member: String, _ fault: String) {
        self.fault = self.fault ?? .faultyMember(member, fault: fault)
    }
}

// MARK: - Objects

private typealias SyntaxError = JSONScanner.SyntaxError

extension KeysetDocument {
    private mutating func readKeyset(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(SyntaxError) {
        try object("", [], or: ["primaryKeyId", "key"], &scanner, bytes) {
            (document, scanner, name) throws(SyntaxError) in
            switch name {
            case "primaryKeyId": document.primaryID = try document.id(name, &scanner, bytes)
            default: try document.readKeys(&scanner, bytes)
            }
        }
    }

    private mutating func readKeys(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(SyntaxError) {
        guard try isNext(.array, "an array", "key", &scanner, bytes) else { return }
        resemblesKeyset = true
        try scanner.array(in: bytes) { (scanner) throws(SyntaxError) in
            try readKey(&scanner, bytes)
        }
    }

    private mutating func readKey(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(SyntaxError) {
        let path = "key[\(keys.count)]"
        var key = Key()
        try object(path, ["status", "outputPrefixType"], or: ["keyData", "keyId"], &scanner, bytes) {
            (document, scanner, name) throws(SyntaxError) in
            let member = "\(path).\(name)"
            switch name {
            case "keyData": key.data = try document.keyData(member, &scanner, bytes)
            case "status": key.status = try document.number(of: .status, member, &scanner, bytes)
            case "keyId": key.id = try document.id(member, &scanner, bytes)
            default: key.prefix = try document.number(of: .prefix, member, &scanner, bytes)
            }
        }
        keys.append(key)
    }

    private mutating func keyData(
        _ path: String, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(SyntaxError) -> KeyData {
        var data = KeyData()
        try object(path, ["typeUrl", "value", "keyMaterialType"], &scanner, bytes) {
            (document, scanner, name) throws(SyntaxError) in
            let member = "\(path).\(name)"
            switch name {
            case "typeUrl": data.typeURL = try document.name(member, &scanner, bytes)
            case "value": data.value = try document.text(member, &scanner, bytes)
            default: data.materialType = try document.number(of: .material, member, &scanner, bytes)
            }
        }
        return data
    }

    /// Reads an object that has these members and no others, in any order. `optional` ones may be missing, because
    /// proto3's JSON leaves out a value of 0 and an empty list.
    private mutating func object(
        _ path: String, _ required: [String], or optional: [String] = [], _ scanner: inout JSONScanner,
        _ bytes: Span<UInt8>,
        _ body: (inout Self, inout JSONScanner, String) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        if !path.isEmpty {
            guard try isNext(.object, "an object", path, &scanner, bytes) else { return }
        }
        var missing = required
        try scanner.object(in: bytes) { (scanner, name) throws(SyntaxError) in
            let known = (required + optional).first { $0.hasSameBytes(as: name) }
            if path.isEmpty { recognise(name) }
            guard let known else {
                noteUnknown(name, in: path, required + optional)
                _ = try scanner.skip(in: bytes)
                return
            }
            missing.removeAll { $0 == known }
            try body(&self, &scanner, known)
        }
        for name in missing { note("\(path).\(name)", "is missing") }
    }

    /// Protobuf's own names, with underscores, are read by some implementations of Tink and written by none.
    private mutating func noteUnknown(_ name: String, in path: String, _ known: [String]) {
        let prefix = path.isEmpty ? "" : "\(path)."
        guard let meant = known.first(where: { $0.underscored.hasSameBytes(as: name) }) else {
            return note(path.isEmpty ? "this keyset" : path, "has a member that is unknown to Tink")
        }
        note(prefix + meant.underscored, "must be spelled \(meant)")
    }

    private mutating func recognise(_ name: String) {
        let isSpelled = { (member: String) in
            member.hasSameBytes(as: name) || member.underscored.hasSameBytes(as: name)
        }
        isEncrypted = isEncrypted || isSpelled("encryptedKeyset")
        resemblesKeyset = resemblesKeyset || isSpelled("primaryKeyId")
    }
}

// MARK: - Values

extension KeysetDocument {
    /// Whether a value of this kind is next. Any other is passed over.
    private mutating func isNext(
        _ kind: JSONScanner.Kind, _ noun: String, _ member: String, _ scanner: inout JSONScanner,
        _ bytes: Span<UInt8>
    ) throws(SyntaxError) -> Bool {
        let found = try scanner.kind(in: bytes)
        guard found != kind else { return true }
        let isKnown = [.string, .number].contains(found)
        note(member, isKnown ? "is a \(found == .string ? "text" : "number"), not \(noun)" : "is not \(noun)")
        _ = try scanner.skip(in: bytes)
        return false
    }

    /// An id, which is an integer literal of 32 bits without sign, fraction or exponent. Tink writes no `1e2`.
    private mutating func id(
        _ member: String, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(SyntaxError) -> UInt32 {
        guard try isNext(.number, "a number", member, &scanner, bytes) else { return 0 }
        let literal = try scanner.skip(in: bytes)
        let isDigits = literal.count <= 10 && literal.allSatisfy { (0x30...0x39).contains(bytes[$0]) }
        let value = isDigits ? literal.reduce(UInt64(0)) { $0 * 10 + UInt64(bytes[$1] - 0x30) } : .max
        guard let id = UInt32(exactly: value) else {
            note(member, "must be a whole number from 0 to \(UInt32.max)")
            return 0
        }
        return id
    }

    /// The number of an enum's value, which is given by its name.
    private mutating func number(
        of names: EnumNames, _ member: String, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(SyntaxError) -> UInt32 {
        let noun = "one of \(names.known)"
        guard try isNext(.string, noun, member, &scanner, bytes) else { return 0 }
        guard let number = names.number(try name(member, &scanner, bytes)) else {
            note(member, "is not \(noun)")
            return 0
        }
        return number
    }

    private mutating func name(
        _ member: String, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(SyntaxError) -> WireText {
        WireText(try scanner.text(try text(member, &scanner, bytes), in: bytes))
    }

    private mutating func text(
        _ member: String, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
    ) throws(SyntaxError) -> JSONScanner.Text {
        guard try isNext(.string, "a text", member, &scanner, bytes) else { return .none }
        return try scanner.string(in: bytes)
    }
}

extension String {
    /// A member's name as protobuf's own language has it: `key_id` for `keyId`.
    fileprivate var underscored: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
}
