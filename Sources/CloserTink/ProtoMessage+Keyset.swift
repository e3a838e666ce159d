internal import CloserWire

extension ProtoMessage {
    /// Splits all of `bytes`; every way in which they can fail is `.malformed`.
    static func parsing(_ bytes: Span<UInt8>) throws(KeysetError) -> ProtoMessage {
        try parsing(bytes, in: 0..<bytes.count)
    }

    static func parsing(_ bytes: Span<UInt8>, in range: Range<Int>) throws(KeysetError) -> ProtoMessage {
        do { return try ProtoMessage(bytes, in: range) } catch { throw .malformed }
    }

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

    func requireVersion0(_ field: Int) throws(KeysetError) {
        let version = try number(field)
        guard version == 0 else { throw .unsupportedVersion(version) }
    }
}

/// A name out of a keyset, compared byte by byte: for `String ==`, a Kelvin sign is a K.
struct WireName: Equatable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
    init(_ bytes: Span<UInt8>) { self.bytes = Array(copying: bytes) }
}
