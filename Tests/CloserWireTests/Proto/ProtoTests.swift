import CloserWire
import TestSupport
import Testing

@Suite("Protobuf, the subset that keysets use")
struct ProtoTests {
    typealias Reason = ProtoMessage.FormatError

    private func message(_ hex: String) throws -> ProtoMessage {
        let bytes = try Hex.decode(hex)
        return try ProtoMessage(bytes.span, in: 0..<bytes.count)
    }

    @Test("fields in any order, unknown ones ignored, varints of up to ten bytes")
    func lenient() throws {
        let message = try message("18ff01" + "0a0161" + "08888080808080808080" + "00" + "7a00")
        #expect(try message.uint32(1) == 8)
        #expect(try message.uint32(3) == 255)
        #expect(try message.bytes(1) == 5..<6)
        #expect(try message.uint32(9) == 0)
        #expect(try message.bytes(2) == nil)
    }

    @Test(
        "what is refused",
        arguments: [
            ("08", Reason.truncated), ("0880", .truncated), ("0a0261", .truncated), ("0b", .unsupportedField),
            ("0c", .unsupportedField), ("0d00000000", .unsupportedField),
            ("090000000000000000", .unsupportedField),
            ("0e", .unsupportedField), ("0f", .unsupportedField), ("0000", .unsupportedField),
            ("08ffffffffffffffffff7f", .varintTooLong), ("08ffffffffffffffffffff01", .varintTooLong),
            ("0affffffffffffffffff01", .truncated), ("80808080800100", .unsupportedField),
        ])
    func refused(_ hex: String, _ reason: Reason) {
        #expect(throws: reason) { try message(hex) }
    }

    @Test("two values for one field, and a number above 32 bits")
    func ambiguous() throws {
        #expect(throws: Reason.repeatedField(1)) { try message("08010802").uint32(1) }
        #expect(throws: Reason.repeatedField(1)) { try message("0a000a00").bytes(1) }
        #expect(throws: Reason.outOfRange(1)) { try message("088080808010").uint32(1) }
        #expect(try message("0a000a00").repeatedBytes(1) == [2..<2, 4..<4])
    }

    @Test(
        "writes what protobuf's own encoders write",
        arguments: [
            (0, ""), (1, "0801"), (127, "087f"), (128, "088001"), (16384, "08808001"),
            (2_097_152, "0880808001"),
            (UInt32.max, "08ffffffff0f"),
        ])
    func varints(_ value: UInt32, _ hex: String) {
        let bytes = [UInt8](capacity: 16) { $0.appendField(1, uint32: value) }
        #expect(Hex.encode(bytes) == hex)
    }

    @Test(
        "a length goes in front of its message, whatever its size",
        arguments: [0, 1, 127, 128, 300, 16383, 16384])
    func lengths(_ count: Int) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = [UInt8](capacity: count + 8) { output in
            output.append(0xAA)
            output.appendMessage(2) { $0.append(content) }
        }
        let message = try ProtoMessage(bytes.span, in: 1..<bytes.count)
        let range = try #require(try message.bytes(2))
        #expect(Array(bytes[range]) == content)
        #expect(range.upperBound == bytes.count)
    }
}
