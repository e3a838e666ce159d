internal import CloserPrimitives
internal import CloserWire

// Keysets in Tink's JSON: what tinkey prints. The keys are base64 in a text, and that text is never a `String` here.

extension Keyset {
    /// The most that a JSON keyset may have: 32 KiB, checked before the first byte is parsed.
    public static let maximumJSONByteCount = 32 * 1024

    init(json bytes: Span<UInt8>) throws(KeysetError) {
        guard bytes.count <= Self.maximumJSONByteCount else {
            throw .tooLarge(maximumByteCount: Self.maximumJSONByteCount)
        }
        let document = try KeysetDocument(bytes)
        guard document.keys.count <= Self.maximumKeyCount else {
            throw .tooManyKeys(maximum: Self.maximumKeyCount)
        }
        let entries = try document.keys.enumerated().map { (key) throws(KeysetError) in
            try KeyEntry(key.element, at: "key[\(key.offset)]", in: bytes)
        }
        try self.init(entries: entries, primaryID: document.primaryID)
    }

    /// Tink's JSON form, without white space, in UTF-8.
    func json() -> SecretBytes {
        SecretBytes(capacity: maximumByteCount) { output in
            output.append("{\"primaryKeyId\":\(primaryID),\"key\":[")
            for (index, entry) in entries.enumerated() {
                if index > 0 { output.append(",") }
                entry.appendJSON(to: &output)
            }
            output.append("]}")
        }
    }
}

extension KeyEntry {
    fileprivate init(_ key: KeysetDocument.Key, at path: String, in bytes: Span<UInt8>) throws(KeysetError) {
        let status = try Status(parsing: key.status)
        self.init(
            id: key.id, status: status, prefix: try OutputPrefix(parsing: key.prefix),
            material: try Self.material(key, at: "\(path).keyData", in: bytes, status))
    }

    private static func material(
        _ key: KeysetDocument.Key, at path: String, in bytes: Span<UInt8>, _ status: Status
    ) throws(KeysetError) -> KeyMaterial? {
        guard let data = key.data else {
            guard status == .destroyed else { throw .faultyMember(path, fault: "is missing") }
            return nil
        }
        let text = SecretBytes(capacity: data.value.range.count) { output in
            JSONScanner().copy(data.value, in: bytes, into: &output)
        }
        let value: SecretBytes
        do { value = try text.withBytes(SecretBase64.standard.decode) } catch {
            throw .faultyMember("\(path).value", fault: text.withBytes(Self.base64Fault))
        }
        return try value.withBytes { (value) throws(KeysetError) in
            try KeyMaterial(
                of: key.id, typeURL: data.typeURL, materialType: data.materialType, value: value)
        }
    }

    /// Why a text is refused, where other implementations of Tink take it.
    private static func base64Fault(_ text: Span<UInt8>) -> String {
        let isURL = text.indices.contains { text[$0] == UInt8(ascii: "-") || text[$0] == UInt8(ascii: "_") }
        guard !isURL else { return "is base64url instead of standard base64" }
        return text.count % 4 == 0 ? "is not standard base64" : "lacks its base64 padding"
    }

    fileprivate func appendJSON(to output: inout OutputSpan<UInt8>) {
        output.append("{")
        if let material {
            output.append("\"keyData\":{\"typeUrl\":\"\(material.typeURL)\",\"value\":\"")
            let value = SecretBytes(capacity: material.maximumValueByteCount) {
                material.appendValue(to: &$0, integers: .padded33)
            }
            value.withBytes { SecretBase64.standard.encode($0, into: &output) }
            let type = EnumNames.material.name(material.materialType.rawValue)
            output.append("\",\"keyMaterialType\":\"\(type)\"},")
        }
        output.append("\"status\":\"\(EnumNames.status.name(status.rawValue))\",\"keyId\":\(id),")
        output.append("\"outputPrefixType\":\"\(EnumNames.prefix.name(prefix.rawValue))\"}")
    }
}

/// The names of a protobuf enum's values, as protobuf's JSON writes them; the index is the number.
struct EnumNames {
    private let names: [String]

    static let status = EnumNames(names: ["UNKNOWN_STATUS", "ENABLED", "DISABLED", "DESTROYED"])
    static let prefix = EnumNames(names: ["UNKNOWN_PREFIX", "TINK", "LEGACY", "RAW", "CRUNCHY"])
    static let material = EnumNames(
        names: ["UNKNOWN_KEYMATERIAL", "SYMMETRIC", "ASYMMETRIC_PRIVATE", "ASYMMETRIC_PUBLIC", "REMOTE"])

    /// Those that mean something, for a message.
    var known: String { names.dropFirst().joined(separator: ", ") }

    func number(_ name: WireText) -> UInt32? {
        names.firstIndex { WireText($0) == name }.map { UInt32($0) }
    }

    func name(_ number: UInt32) -> String { names[Int(number)] }
}

extension OutputSpan where Element == UInt8 {
    fileprivate mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }
}
