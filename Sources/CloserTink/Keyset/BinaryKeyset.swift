internal import CloserPrimitives
internal import CloserWire

extension Keyset {
    /// How strictly a keyset is read.
    public enum Reading: Sendable {
        /// For one's own keysets, which any implementation of Tink may have written: fields in any order, unknown ones
        /// ignored.
        case lenient
        /// For keysets of a partner or a server: the keyset is written again, and the same bytes must come out. Only the
        /// choice of 32 or 33 bytes for integers is free. So a sender cannot hide anything beside the keys.
        case strict
    }
}

extension Keyset {
    /// The most that a binary keyset may have: 16 KiB, checked before the first byte is parsed.
    public static let maximumBinaryByteCount = 16 * 1024

    private enum Field { static let (primaryID, key) = (1, 2) }

    init(binary bytes: Span<UInt8>, reading: Keyset.Reading) throws(KeysetError) {
        do { try self.init(parsing: bytes, reading) } catch {
            throw reading == .lenient ? error.recognising(bytes) : error
        }
    }

    private init(parsing bytes: Span<UInt8>, _ reading: Keyset.Reading) throws(KeysetError) {
        guard bytes.count <= Self.maximumBinaryByteCount else {
            throw .tooLarge(maximumByteCount: Self.maximumBinaryByteCount)
        }
        let message = try ProtoMessage.parsing(bytes)
        let keys = message.repeatedBytes(Field.key)
        // Counted before they are parsed: each private key costs a multiplication on the curve.
        guard keys.count <= Self.maximumKeyCount else { throw .tooManyKeys(maximum: Self.maximumKeyCount) }
        let entries = try keys.map { (range) throws(KeysetError) in try KeyEntry(parsing: bytes, in: range) }
        try self.init(entries: entries, primaryID: try message.number(Field.primaryID))
        if reading == .strict { try requireCanonical(bytes) }
    }

    func binary(integers: IntegerWidth = .padded33) -> SecretBytes {
        SecretBytes(capacity: binaryRoom) { append(to: &$0, integers: integers) }
    }

    /// The binary form of a public keyset.
    func openBinary() -> [UInt8] {
        [UInt8](capacity: binaryRoom) { append(to: &$0, integers: .padded33) }
    }

    /// Whether the binary form fits into what is read again. It is not written for that while its room fits.
    var isReadable: Bool {
        binaryRoom <= Self.maximumBinaryByteCount || binary().count <= Self.maximumBinaryByteCount
    }

    private var binaryRoom: Int { entries.reduce(16) { $0 + $1.binaryRoom } }

    private func append(to output: inout OutputSpan<UInt8>, integers: IntegerWidth) {
        output.appendField(Field.primaryID, uint32: primaryID)
        for entry in entries {
            output.appendMessage(Field.key) { entry.append(to: &$0, integers: integers) }
        }
    }

    private func requireCanonical(_ bytes: Span<UInt8>) throws(KeysetError) {
        for integers in IntegerWidth.allCases {
            let written = SecretBytes(shortLived: binaryRoom) { append(to: &$0, integers: integers) }
            guard !written.withBytes({ ConstantTime.isEqual($0, bytes) }) else { return }
        }
        throw .notCanonical
    }
}

extension KeyEntry {
    private enum Field { static let (keyData, status, id, prefix) = (1, 2, 3, 4) }
    private enum KeyDataField { static let (typeURL, value, materialType) = (1, 2, 3) }

    fileprivate init(parsing bytes: Span<UInt8>, in range: Range<Int>) throws(KeysetError) {
        let message = try ProtoMessage.parsing(bytes, in: range)
        let (id, status) = (
            try message.number(Field.id), try Status(parsing: try message.number(Field.status))
        )
        self.init(
            id: id, status: status, prefix: try OutputPrefix(parsing: try message.number(Field.prefix)),
            material: try Self.material(try message.range(Field.keyData), in: bytes, of: id, status))
    }

    private static func material(
        _ range: Range<Int>, in bytes: Span<UInt8>, of id: UInt32, _ status: Status
    ) throws(KeysetError) -> KeyMaterial? {
        // Some implementations of Tink leave the key data of a destroyed key out. Any other key must have some.
        if range.isEmpty, status == .destroyed { return nil }
        let keyData = try ProtoMessage.parsing(bytes, in: range)
        return try KeyMaterial(
            of: id, typeURL: WireText(bytes.extracting(try keyData.range(KeyDataField.typeURL))),
            materialType: try keyData.number(KeyDataField.materialType),
            value: bytes.extracting(try keyData.range(KeyDataField.value)))
    }

    /// Room for the binary form: names, ids and lengths take less than 120 bytes.
    fileprivate var binaryRoom: Int { 120 + (material?.maximumValueByteCount ?? 0) }

    fileprivate func append(to output: inout OutputSpan<UInt8>, integers: IntegerWidth) {
        if let material {
            output.appendMessage(Field.keyData) { keyData in
                keyData.appendField(KeyDataField.typeURL, bytes: Array(material.typeURL.utf8))
                keyData.appendMessage(KeyDataField.value) {
                    material.appendValue(to: &$0, integers: integers)
                }
                keyData.appendField(KeyDataField.materialType, uint32: material.materialType.rawValue)
            }
        }
        output.appendField(Field.status, uint32: status.rawValue)
        output.appendField(Field.id, uint32: id)
        output.appendField(Field.prefix, uint32: prefix.rawValue)
    }
}

extension KeyEntry.Status {
    init(parsing number: UInt32) throws(KeysetError) {
        guard let status = KeyEntry.Status(rawValue: number) else { throw .unknownStatus(number) }
        self = status
    }
}

// MARK: - What is not quite a keyset

extension KeysetError {
    /// This error, or a more telling one if the bytes are a keyset that is encrypted or has a line break behind it.
    fileprivate func recognising(_ bytes: Span<UInt8>) -> KeysetError {
        if Self.isEncrypted(bytes) { return .encrypted }
        let count = Self.lineBreakByteCount(bytes)
        guard self == .malformed, count > 0 else { return self }
        do { _ = try Keyset(binary: bytes.extracting(droppingLast: count), reading: .lenient) } catch {
            guard error == .encrypted else { return self }
        }
        return .lineBreak(byteCount: count)
    }

    /// Tink's EncryptedKeyset has a ciphertext where a keyset has its keys, and no other field but what Tink tells of the keys.
    private static func isEncrypted(_ bytes: Span<UInt8>) -> Bool {
        guard let message = try? ProtoMessage.parsing(bytes), (try? message.number(1)) == 0,
            message.repeatedBytes(1).isEmpty, let ciphertext = try? message.range(2),
            ciphertext.count >= minimumCiphertextByteCount
        else { return false }
        let key = try? ProtoMessage.parsing(bytes, in: ciphertext)
        return key?.repeatedBytes(1).isEmpty ?? true
    }

    /// Less than an encrypted keyset of one short key has.
    private static var minimumCiphertextByteCount: Int { 64 }

    private static func lineBreakByteCount(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count > 1, bytes[bytes.count - 1] == UInt8(ascii: "\n") else { return 0 }
        return bytes[bytes.count - 2] == UInt8(ascii: "\r") ? 2 : 1
    }
}

// MARK: - Reading a message

extension ProtoMessage {
    /// Splits all of `bytes`. Any fault is `.malformed`.
    static func parsing(_ bytes: Span<UInt8>) throws(KeysetError) -> ProtoMessage {
        try parsing(bytes, in: 0..<bytes.count)
    }

    static func parsing(_ bytes: Span<UInt8>, in range: Range<Int>) throws(KeysetError) -> ProtoMessage {
        do { return try ProtoMessage(bytes, in: range) } catch { throw .malformed }
    }

    /// The number in a field; 0 when it is not there, as in proto3.
    func number(_ field: Int) throws(KeysetError) -> UInt32 {
        do { return try uint32(field) } catch { throw .malformed }
    }

    /// Where a bytes field is; an empty range at 0 when it is not there, as in proto3.
    func range(_ field: Int) throws(KeysetError) -> Range<Int> {
        do { return try bytes(field) ?? 0..<0 } catch { throw .malformed }
    }

    /// A nested message; an empty one when it is not there.
    func message(_ field: Int, in bytes: Span<UInt8>) throws(KeysetError) -> ProtoMessage {
        try .parsing(bytes, in: try range(field))
    }

    /// Throws `.unsupportedVersion` unless the key's version is 0, the only one there is.
    func requireVersion0(_ field: Int) throws(KeysetError) {
        let version = try number(field)
        guard version == 0 else { throw .unsupportedVersion(version) }
    }
}
