/// Those bytes of a secret that stay when others are left out, moved together in constant time.
///
/// Its cost grows with the square of the length, so it is for what people read and type: codes and phrases.
package struct ConstantTimeFilter: ~Copyable {
    /// The bytes that stay, in their order, as far as there is room, and zeros behind them.
    package let padded: SecretBytes
    /// How many stay, also if they are more than there is room for.
    package let count: Int

    /// Keeps each byte for which `mask`, given its position, has all bits, and leaves out each for which it has none.
    package init(of bytes: Span<UInt8>, room: Int, mask: (Int) -> UInt8) {
        let masks = SecretBytes(shortLived: bytes.count) { output in
            for index in bytes.indices { output.append(mask(index)) }
        }
        padded = SecretBytes(shortLived: room) { output in
            masks.withBytes { Self.append(bytes, masks: $0, room: room, to: &output) }
        }
        count = masks.withBytes { masks in masks.indices.reduce(0) { $0 &+ Int(masks[$1] & 1) } }
    }

    /// The bytes that stay, without the zeros: from here on their count shows. Too little room is a mistake of the caller.
    package borrowing func bytes() -> SecretBytes {
        padded.withBytes { SecretBytes(copying: $0.extracting(first: count)) }
    }

    private static func append(
        _ bytes: Span<UInt8>, masks: Span<UInt8>, room: Int, to output: inout OutputSpan<UInt8>
    ) {
        for slot in 0..<room {
            var (found, position): (UInt8, Int32) = (0, 0)
            for index in bytes.indices {
                found |= bytes[index] & masks[index] & isSame(position, Int32(slot))
                position &+= Int32(masks[index] & 1)
            }
            output.append(found)
        }
    }

    private static func isSame(_ position: Int32, _ slot: Int32) -> UInt8 {
        let difference = Int64(position ^ slot)
        return UInt8(truncatingIfNeeded: (difference &- 1) >> 32)
    }
}
