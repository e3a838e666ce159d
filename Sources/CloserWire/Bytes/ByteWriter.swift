// What our formats append to bytes that are being written, in an array or in a secret's memory.

extension OutputSpan where Element == UInt8 {
    package mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }

    package mutating func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    package mutating func append(bigEndian value: UInt32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    package mutating func append(bigEndian value: UInt64) {
        append(bigEndian: UInt32(truncatingIfNeeded: value >> 32))
        append(bigEndian: UInt32(truncatingIfNeeded: value))
    }

    /// Appends one item of `LP(items)`: its byte count as four bytes, big-endian, then the item.
    package mutating func append(item: Span<UInt8>) {
        append(bigEndian: UInt32(item.count))
        append(item)
    }
}

extension Array where Element == UInt8 {
    /// A copy of `bytes`, which are no secret.
    package init(copying bytes: Span<UInt8>) {
        self = []
        // All empty arrays share one piece of memory. To append nothing to one writes its count there, 0 as it was: with two threads
        // that is a race (`make check-sanitize`).
        guard !bytes.isEmpty else { return }
        // `init(capacity:)` looks up the type of array each time, some 400 instructions.
        append(addingCapacity: bytes.count) { $0.append(bytes) }
    }

    package init(bigEndian value: UInt32) {
        self.init(capacity: 4) { $0.append(bigEndian: value) }
    }

    package init(bigEndian value: UInt64) {
        self.init(capacity: 8) { $0.append(bigEndian: value) }
    }

    package mutating func append(bigEndian value: UInt32) {
        append(addingCapacity: 4) { $0.append(bigEndian: value) }
    }

    /// `LP(items)`: each item behind its byte count as four bytes, big-endian, so that no two lists look the same
    /// (closer-keys-formats(7), NOTATION).
    package init(lengthPrefixed items: [[UInt8]]) {
        self = []
        reserveCapacity(items.reduce(0) { $0 + 4 + $1.count })
        for item in items {
            append(bigEndian: UInt32(item.count))
            append(contentsOf: item)
        }
    }
}
