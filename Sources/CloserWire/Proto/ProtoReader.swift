/// One protobuf message, split into its fields: the subset that Tink's keysets use.
///
/// It takes varints of up to ten bytes and length-delimited fields, in any order, and ignores fields that the caller skips.
/// Groups and fixed-width fields are refused. So is a second value of a field that is not repeated: protobuf would merge
/// the two, Tink writes one, and two readers that merge differently would see two keys.
///
/// Reading is free of recursion. A caller asks for a nested message by its range, so the caller's types bound the depth.
package struct ProtoMessage: Sendable {
    /// Why bytes are refused as a message.
    package enum FormatError: Error, Equatable, Sendable {
        /// A field is longer than what is left of the message.
        case truncated
        /// A varint has more than ten bytes, or more than 64 bits.
        case varintTooLong
        /// A group, a fixed-width field, or a field number of 0 or above 2^29 − 1.
        case unsupportedField
        /// More than one value for this field.
        case repeatedField(Int)
        /// A number of more than 32 bits in this field.
        case outOfRange(Int)
    }

    private enum Value { case varint(UInt64), bytes(Range<Int>) }

    private var fields: [(number: Int, value: Value)] = []

    /// Splits `range` of `bytes` into fields. Nested messages stay as they are.
    package init(_ bytes: Span<UInt8>, in range: Range<Int>) throws(FormatError) {
        var reader = ByteReader(range: range)
        while !reader.isAtEnd {
            let tag = try Self.varint(&reader, bytes)
            guard let number = Int(exactly: tag >> 3), (1..<1 << 29).contains(number) else {
                throw .unsupportedField
            }
            fields.append((number, try Self.value(wireType: tag & 7, &reader, bytes)))
        }
    }

    /// The number in a uint32 or enum field; 0 when it is not there, as in proto3.
    package func uint32(_ number: Int) throws(FormatError) -> UInt32 {
        let values = fields.compactMap { field -> UInt64? in
            guard field.number == number, case .varint(let value) = field.value else { return nil }
            return value
        }
        guard values.count <= 1 else { throw .repeatedField(number) }
        guard let value = UInt32(exactly: values.first ?? 0) else { throw .outOfRange(number) }
        return value
    }

    /// Where the bytes of a singular field are; nil when it is not there.
    package func bytes(_ number: Int) throws(FormatError) -> Range<Int>? {
        let ranges = repeatedBytes(number)
        guard ranges.count <= 1 else { throw .repeatedField(number) }
        return ranges.first
    }

    /// Where the bytes of each value of a repeated field are.
    package func repeatedBytes(_ number: Int) -> [Range<Int>] {
        fields.compactMap { field in
            guard field.number == number, case .bytes(let range) = field.value else { return nil }
            return range
        }
    }

    private static func value(
        wireType: UInt64, _ reader: inout ByteReader, _ bytes: Span<UInt8>
    ) throws(FormatError) -> Value {
        switch wireType {
        case 0: return .varint(try varint(&reader, bytes))
        case 2:
            guard let count = Int(exactly: try varint(&reader, bytes)) else { throw .truncated }
            do { return .bytes(try reader.take(count)) } catch { throw .truncated }
        default: throw .unsupportedField
        }
    }

    private static func varint(_ reader: inout ByteReader, _ bytes: Span<UInt8>) throws(FormatError) -> UInt64
    {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            let byte: UInt8
            do { byte = try reader.byte(in: bytes) } catch { throw .truncated }
            guard shift < 63 || byte <= 1 else { throw .varintTooLong }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw .varintTooLong
    }
}
