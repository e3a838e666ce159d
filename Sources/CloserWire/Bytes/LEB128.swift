// Unsigned LEB128: seven bits in a byte, the least significant first, and the top bit set in all but the last. Protobuf calls it a
// varint, and CPace writes lengths with it.

extension OutputSpan where Element == UInt8 {
    /// Appends a number in as few bytes as it takes, at most ten.
    package mutating func append(leb128 value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends one item of CPace's `lv_cat(items)`: its byte count, then the item.
    package mutating func append(leb128Item item: Span<UInt8>) {
        append(leb128: UInt64(item.count))
        append(item)
    }
}

/// Room for numbers in unsigned LEB128.
package enum LEB128 {
    /// Ten bytes hold every number of 64 bits.
    package static let maximumByteCount = 10
}
