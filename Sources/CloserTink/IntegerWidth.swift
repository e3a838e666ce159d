internal import CloserPrimitives
internal import CloserWire

/// In how many bytes a 32-byte integer of a key is written: the one choice in which Tinks differ.
enum IntegerWidth: CaseIterable, Sendable {
    /// `00` and 32 bytes, as Java 1.13 and Go write. Ours.
    case padded33
    /// 32 bytes, as C++ and Python write.
    case plain32

    /// Appends the integer field `number` of a message.
    func append(_ number: Int, _ integer: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        output.appendMessage(number) { output in
            if self == .padded33 { output.append(0) }
            output.append(integer)
        }
    }

    /// Longer ones are refused before they are looked at: twice 33 is more than any Tink wrote.
    private static let maximumByteCount = 66

    /// The 32 bytes of an integer that may have leading zeros too many or too few (old Java: two's complement).
    ///
    /// Looks at every byte of what is too much and branches on their sum alone, since it may be a private scalar.
    static func read(_ bytes: Span<UInt8>) throws(KeysetError) -> SecretBytes {
        guard bytes.count <= maximumByteCount else { throw .integerOutOfRange }
        let excess = max(0, bytes.count - P256.scalarByteCount)
        let high = (0..<excess).reduce(UInt8(0)) { $0 | bytes[$1] }
        guard high == 0 else { throw .integerOutOfRange }
        return SecretBytes(capacity: P256.scalarByteCount) { output in
            output.append(repeating: 0, count: P256.scalarByteCount - (bytes.count - excess))
            output.append(bytes.extracting(droppingFirst: excess))
        }
    }
}
