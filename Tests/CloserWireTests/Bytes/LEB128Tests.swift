import CloserWire
import Testing

@Suite("Unsigned LEB128")
struct LEB128Tests {
    @Test(
        "a number takes seven bits a byte, the least significant first",
        arguments: [
            (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]), (16383, [0xFF, 0x7F]),
            (16384, [0x80, 0x80, 1]), (624_485, [0xE5, 0x8E, 0x26]),
            (.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
        ] as [(UInt64, [UInt8])])
    func numbers(_ number: UInt64, _ expected: [UInt8]) {
        let written = [UInt8](capacity: LEB128.maximumByteCount) { $0.append(leb128: number) }
        #expect(written == expected)
    }

    // draft-irtf-cfrg-cpace-21 §A.1.
    @Test("lists of items are those of CPace's examples")
    func items() {
        let texts = ["1234", "5", "", "678"].map { Array($0.utf8) }
        let list = [UInt8](capacity: 32) { output in
            for text in texts { output.append(leb128Item: text.span) }
        }
        #expect(list == [4, 0x31, 0x32, 0x33, 0x34, 1, 0x35, 0, 3, 0x36, 0x37, 0x38])
        let long = [UInt8](0..<128)
        let item = [UInt8](capacity: 130) { $0.append(leb128Item: long.span) }
        #expect(item == [0x80, 1] + long)
    }
}
