// What our formats append to bytes that are being written: in an array, or in a secret's memory.

extension OutputSpan where Element == UInt8 {
    /// Appends all of `bytes`.
    public mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }

    /// Appends all of `bytes`.
    public mutating func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    /// Appends four bytes, big-endian.
    public mutating func append(bigEndian value: UInt32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// Appends one item of `LP(items)`.
    public mutating func append(item: Span<UInt8>) {
        append(bigEndian: UInt32(item.count))
        append(item)
    }
}

extension Array where Element == UInt8 {
    /// Four bytes, big-endian.
    public init(bigEndian value: UInt32) {
        self = []
        append(bigEndian: value)
    }

    /// Appends four bytes, big-endian.
    public mutating func append(bigEndian value: UInt32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// `LP(items)`: each item behind its byte count as u32be, so that no two lists look the same (formats §1).
    public init(lengthPrefixed items: [[UInt8]]) {
        self = []
        for item in items {
            append(bigEndian: UInt32(item.count))
            append(contentsOf: item)
        }
    }

    /// A copy of `bytes`, which are no secret.
    public init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count) { $0.append(bytes) }
    }
}
