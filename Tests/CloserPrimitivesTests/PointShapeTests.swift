import Testing

@testable import CloserPrimitives

/// Below the provider, which may refuse the same by a policy of its own.
@Suite("The shape of an encoded point, before a provider sees it")
struct PointShapeTests {
    private func hasShape(_ first: UInt8, _ count: Int, _ format: P256.PointFormat) -> Bool {
        let bytes = [first] + [UInt8](repeating: 1, count: count - 1)
        return format.hasShape(of: bytes.span)
    }

    @Test("one first byte for 65 bytes, and two for 33", arguments: UInt8.min...UInt8.max)
    func firstByte(_ first: UInt8) {
        #expect(hasShape(first, 65, .uncompressed) == (first == 4))
        #expect(hasShape(first, 33, .compressed) == (first == 2 || first == 3))
    }

    @Test("no other length", arguments: [1, 32, 33, 34, 64, 65, 66, 97])
    func length(_ count: Int) {
        #expect(hasShape(4, count, .uncompressed) == (count == 65))
        #expect(hasShape(2, count, .compressed) == (count == 33))
    }

    @Test("nor none", arguments: [P256.PointFormat.uncompressed, .compressed])
    func none(_ format: P256.PointFormat) {
        let hasShape = format.hasShape(of: Span())
        #expect(!hasShape)
    }
}
