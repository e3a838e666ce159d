import CloserSystem
import Testing

/// What a scanner reads from the whole is tested with the program's pictures; this is of the square.
@Suite("QR codes, ISO/IEC 18004", .enabled(if: QRCode.libraryVersion != nil))
struct QRCodeTests {
    @Test(
        "each version's last byte count at level M, and the next",
        arguments: [(14, 21), (84, 37), (2331, 177)])
    func widths(_ count: Int, _ width: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try #require(QRCode(bytes)).width == width)
        if count < QRCode.maximumByteCount { #expect(QRCode(bytes + [0])?.width == width + 4) }
    }

    @Test("nothing, and one byte too many")
    func refused() {
        #expect(QRCode([]) == nil)
        #expect(QRCode([UInt8](repeating: 0, count: 2332)) == nil)
    }

    @Test("three corners show where it is, the fourth does not, and around it all is light")
    func corners() throws {
        let code = try #require(QRCode(Array("closer-keys".utf8)))
        let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
        func corner(_ row: Int, _ column: Int) -> [String] {
            (0..<7).map { y in
                String((0..<7).map { code.isDark(row: row + y, column: column + $0) ? "#" : "." })
            }
        }
        let last = code.width - 7
        #expect(corner(0, 0) == finder && corner(0, last) == finder && corner(last, 0) == finder)
        #expect(corner(last, last) != finder)
        #expect(!code.isDark(row: -1, column: 0) && !code.isDark(row: 0, column: code.width))
    }

    @Test("a zero byte is a byte like any other")
    func zeros() throws {
        let codes = try [[0], [0, 0], [0, 1], [1, 0]].map { try #require(QRCode($0)) }
        for (index, code) in codes.enumerated() { #expect(codes.firstIndex(of: code) == index) }
    }
}
