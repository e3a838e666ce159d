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
        let document: KeysetDocument
        do { document = try KeysetDocument(bytes) } catch { throw .malformed }
        guard document.keys.count <= Self.maximumKeyCount else {
            throw .tooManyKeys(maximum: Self.maximumKeyCount)
        }
        let entries = try document.keys.map { (key) throws(KeysetError) in try KeyEntry(key, in: bytes) }
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
    fileprivate init(_ key: KeysetDocument.Key, in bytes: Span<UInt8>) throws(KeysetError) {
        let status = try Status(parsing: Names.status.number(key.status))
        self.init(
            id: key.id, status: status, prefix: try OutputPrefix(parsing: Names.prefix.number(key.prefix)),
            material: try Self.material(key.data, in: bytes, status))
    }

    private static func material(
        _ data: KeysetDocument.KeyData?, in bytes: Span<UInt8>, _ status: Status
    ) throws(KeysetError) -> KeyMaterial? {
        guard let data else {
            guard status == .destroyed else { throw .malformed }
            return nil
        }
        let text = SecretBytes(capacity: data.value.range.count) { output in
            JSONScanner().copy(data.value, in: bytes, into: &output)
        }
        let value: SecretBytes
        do { value = try text.withBytes(SecretBase64.standard.decode) } catch { throw .malformed }
        let materialType = Names.material.number(data.materialType)
        return try value.withBytes { (value) throws(KeysetError) in
            try KeyMaterial(typeURL: data.typeURL, materialType: materialType, value: value)
        }
    }

    fileprivate func appendJSON(to output: inout OutputSpan<UInt8>) {
        output.append("{")
        if let material {
            output.append("\"keyData\":{\"typeUrl\":\"\(material.typeURL)\",\"value\":\"")
            let value = SecretBytes(capacity: material.maximumValueByteCount) {
                material.appendValue(to: &$0, integers: .padded33)
            }
            value.withBytes { SecretBase64.standard.encode($0, into: &output) }
            let type = Names.material.name(material.materialType.rawValue)
            output.append("\",\"keyMaterialType\":\"\(type)\"},")
        }
        output.append("\"status\":\"\(Names.status.name(status.rawValue))\",\"keyId\":\(id),")
        output.append("\"outputPrefixType\":\"\(Names.prefix.name(prefix.rawValue))\"}")
    }
}

/// The names of a protobuf enum's values, as protobuf's JSON writes them; the index is the number.
private struct Names {
    let names: [String]

    static let status = Names(names: ["UNKNOWN_STATUS", "ENABLED", "DISABLED", "DESTROYED"])
    static let prefix = Names(names: ["UNKNOWN_PREFIX", "TINK", "LEGACY", "RAW", "CRUNCHY"])
    static let material = Names(
        names: ["UNKNOWN_KEYMATERIAL", "SYMMETRIC", "ASYMMETRIC_PRIVATE", "ASYMMETRIC_PUBLIC", "REMOTE"])

    /// The number of a name; 0, protobuf's "unknown", if there is no such name.
    func number(_ name: WireText) -> UInt32 { UInt32(names.firstIndex { WireText($0) == name } ?? 0) }

    func name(_ number: UInt32) -> String { names[Int(number)] }
}

extension OutputSpan where Element == UInt8 {
    fileprivate mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }
}
