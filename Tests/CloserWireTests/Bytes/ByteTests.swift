import CloserWire
import Testing

@Suite("ByteReader")
struct ByteReaderTests {
    @Test("takes, reads big-endian, and leaves nothing over")
    func reads() throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
        var reader = ByteReader(count: bytes.count)
        #expect(try reader.byte(in: bytes.span) == 1)
        #expect(try reader.uint32(in: bytes.span) == 0x0203_0405)
        #expect(throws: ByteReader.LayoutError.trailing(1)) { try reader.finish() }
        #expect(throws: ByteReader.LayoutError.truncated) { _ = try reader.take(2) }
        #expect(reader.rest() == 5..<6)
        try reader.finish()
    }
}

@Suite("Big-endian numbers")
struct BigEndianTests {
    private static let number: UInt64 = 0x0102_0304_0506_07F8
    private static let digits: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 0xF8]

    @Test("four and eight bytes are written into an array and into a span, most significant first")
    func written() {
        let number = Self.number, half = UInt32(truncatingIfNeeded: number)
        #expect([UInt8](bigEndian: number) == Self.digits)
        #expect([UInt8](bigEndian: half) == Self.digits.suffix(4))
        let appended = [UInt8](capacity: 12) {
            $0.append(bigEndian: half)
            $0.append(bigEndian: number)
        }
        #expect(appended == Self.digits.suffix(4) + Self.digits)
    }

    @Test("and read again, in every width that a format has")
    func read() throws {
        #expect(UInt64(bigEndian: Self.digits) == Self.number)
        #expect(UInt32(bigEndian: Self.digits.prefix(4)) == 0x0102_0304)
        for count in 0...8 {
            let expected = count == 0 ? 0 : Self.number >> UInt64(64 - 8 * count)
            let value = UInt64(bigEndianDigits: Self.digits.span.extracting(first: count))
            #expect(value == expected)
        }
    }

    @Test("four bytes of which one is missing are no number")
    func truncated() {
        var reader = ByteReader(count: 3)
        let bytes = Array(Self.digits.prefix(3))
        #expect(throws: ByteReader.LayoutError.truncated) { _ = try reader.uint32(in: bytes.span) }
    }

    @Test("another count of bytes is our mistake") func wrongCount() async {
        await #expect(processExitsWith: .failure) { _ = UInt32(bigEndian: [1, 2, 3]) }
        await #expect(processExitsWith: .failure) { _ = UInt64(bigEndian: [1, 2, 3, 4, 5, 6, 7, 8, 9]) }
    }
}
