internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// The fields of a record, a key slot or an index in order, most of them behind their byte count as u32be: `LP(fields)`.
///
/// Bytes of another form are `.damaged`.
struct RecordFields {
    private var reader: ByteReader
    let id: RecordID

    init(count: Int, of id: RecordID = RecordID()) { (reader, self.id) = (ByteReader(count: count), id) }
    init(range: Range<Int>) { (reader, id) = (ByteReader(range: range), RecordID()) }

    var position: Int { reader.position }
    var isAtEnd: Bool { reader.isAtEnd }

    mutating func range(in bytes: Span<UInt8>) throws(VaultError) -> Range<Int> {
        do { return try reader.item(in: bytes) } catch { throw .damaged }
    }

    mutating func bytes(in bytes: Span<UInt8>) throws(VaultError) -> [UInt8] {
        [UInt8](copying: bytes.extracting(try range(in: bytes)))
    }

    mutating func secret(in bytes: Span<UInt8>) throws(VaultError) -> SecretBytes {
        SecretBytes(copying: bytes.extracting(try range(in: bytes)))
    }

    mutating func text(in bytes: Span<UInt8>) throws(VaultError) -> String {
        guard let text = String(utf8: try self.bytes(in: bytes)) else { throw .damaged }
        return text
    }

    mutating func flag(in bytes: Span<UInt8>) throws(VaultError) -> Bool {
        let flag = try self.bytes(1, in: bytes)[0]
        guard flag <= 1 else { throw .damaged }
        return flag == 1
    }

    /// A field of four bytes, big-endian.
    mutating func uint32(in bytes: Span<UInt8>) throws(VaultError) -> UInt32 {
        UInt32(bigEndian: try self.bytes(4, in: bytes))
    }

    /// Four bytes without a count before them, big-endian.
    mutating func uint32Fixed(in bytes: [UInt8]) throws(VaultError) -> UInt32 {
        do { return try reader.uint32(in: bytes.span) } catch { throw .damaged }
    }

    /// So many bytes without a count before them.
    mutating func fixed(_ count: Int, in bytes: [UInt8]) throws(VaultError) -> ArraySlice<UInt8> {
        do { return bytes[try reader.take(count)] } catch { throw .damaged }
    }

    /// The number of a rekey: a field of eight bytes, of which four are used.
    mutating func epoch(in bytes: Span<UInt8>) throws(VaultError) -> UInt32 {
        guard let epoch = UInt32(exactly: try number(in: bytes)) else { throw .damaged }
        return epoch
    }

    /// A field of eight bytes, big-endian.
    mutating func number(in bytes: Span<UInt8>) throws(VaultError) -> UInt64 {
        UInt64(bigEndian: try self.bytes(8, in: bytes))
    }

    mutating func digest(in bytes: Span<UInt8>) throws(VaultError) -> [UInt8] {
        try self.bytes(SHA256.byteCount, in: bytes)
    }

    private mutating func bytes(_ count: Int, in bytes: Span<UInt8>) throws(VaultError) -> [UInt8] {
        let field = try self.bytes(in: bytes)
        guard field.count == count else { throw .damaged }
        return field
    }

    mutating func identifier<Noun>(in bytes: Span<UInt8>) throws(VaultError) -> Identifier.Of<Noun> {
        try parsed(try text(in: bytes)) { try Identifier.Of(parsing: $0) }
    }

    mutating func keyset(in bytes: Span<UInt8>) throws(VaultError) -> Keyset {
        let binary = bytes.extracting(try range(in: bytes))
        do { return try InsecureCleartextKeyset.read(binary: binary, .strict) } catch { throw .damaged }
    }

    /// What `read` makes of the next field; nil for an empty one.
    mutating func optional<Value>(
        in bytes: Span<UInt8>, _ read: (inout RecordFields) throws(VaultError) -> Value
    ) throws(VaultError) -> Value? {
        var next = self
        guard try next.range(in: bytes).isEmpty else { return try read(&self) }
        self = next
        return nil
    }

    /// What `parse` makes of a text; nil for an empty field.
    mutating func optional<Parsed>(
        in bytes: Span<UInt8>, _ parse: (String) throws -> Parsed
    ) throws(VaultError) -> Parsed? {
        let text = try text(in: bytes)
        return text.isEmpty ? nil : try parsed(text, parse)
    }

    func parsed<Parsed>(_ text: String, _ parse: (String) throws -> Parsed) throws(VaultError) -> Parsed {
        do { return try parse(text) } catch { throw .damaged }
    }

    func finish() throws(VaultError) {
        do { try reader.finish() } catch { throw .damaged }
    }
}

extension OutputSpan where Element == UInt8 {
    mutating func append(field bytes: Span<UInt8>) { append(item: bytes) }

    mutating func append(field bytes: [UInt8]) { append(item: bytes.span) }

    mutating func append(field text: String) { append(field: Array(text.utf8)) }

    mutating func append(field flag: Bool) { append(field: [flag ? 1 : 0] as [UInt8]) }

    mutating func append(field keyset: Keyset) {
        InsecureCleartextKeyset.binary(keyset).withBytes { append(field: $0) }
    }
}
