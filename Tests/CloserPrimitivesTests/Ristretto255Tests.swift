import CloserPrimitives
import CloserWire
import TestSupport
import Testing

private let known = Vector.all(TestData.primitives["ristretto255"], named: "ristretto255", atLeast: 40)
private let refused = Vector.all(TestData.primitives["noRistretto255"], named: "noRistretto255", atLeast: 40)

@Suite("ristretto255, RFC 9496")
struct Ristretto255Tests {
    @Test("uniform bytes become the same element as with ge25519", arguments: known)
    func element(_ vector: Vector) {
        let element = Ristretto255.SecretElement(mapping: vector.secret("uniform"))
        let bytes = element.withBytes { [UInt8](copying: $0) }
        #expect(bytes == vector.hex("element"))
        #expect(Ristretto255.Element(bytes)?.bytes == bytes)
    }

    @Test("an element times a scalar, whoever may see the result", arguments: known)
    func product(_ vector: Vector) throws {
        guard vector.hex("scalar").contains(where: { $0 != 0 }) else { return }
        let scalar = try #require(testOnlyScalar(vector.hex("scalar")))
        let secret = Ristretto255.SecretElement(mapping: vector.secret("uniform"))
        let product = scalar.publicProduct(with: secret).bytes
        #expect(product == vector.hex("product"))
        let element = try #require(Ristretto255.Element(vector.hex("element")))
        let shared = scalar.sharedElement(with: element).withBytes { [UInt8](copying: $0) }
        #expect(shared == product)
    }

    @Test("a scalar is drawn from 64 bytes modulo the order", arguments: known)
    func drawn(_ vector: Vector) {
        let isZero = vector.hex("scalar").allSatisfy { $0 == 0 }
        // Zero is no scalar, so the next 64 bytes are drawn.
        let next: [UInt8] = [5] + [UInt8](repeating: 0, count: 63)
        let scalar = Ristretto255.Scalar.random(from: .testOnlyScript(vector.hex("wide") + next))
        let bytes = scalar.withBytes { [UInt8](copying: $0) }
        #expect(bytes == (isZero ? Array(next.prefix(32)) : vector.hex("scalar")))
    }

    @Test("what is no element, or the identity, is refused", arguments: refused)
    func noElement(_ vector: Vector) {
        #expect(Ristretto255.Element(vector.hex("encoding")) == nil)
    }

    @Test("an element with bit 255 set is none, whatever libsodium says of it", arguments: known)
    func bit255(_ vector: Vector) {
        let bytes = vector.hex("element")
        #expect(Ristretto255.Element(bytes.flipping(bit: 255)) == nil)
    }

    @Test("another count of bytes is no element and no scalar", arguments: [0, 31, 33, 64])
    func counts(_ count: Int) {
        let bytes = Array((known[0].hex("element") + [UInt8](repeating: 0, count: 32)).prefix(count))
        #expect(Ristretto255.Element(bytes) == nil)
        guard count > 0 else { return }
        #expect(testOnlyScalar(bytes) == nil)
    }

    @Test("a scalar is 1 to the order less one")
    func range() {
        let order: [UInt8] =
            [
                0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE,
                0x14,
            ] + [UInt8](repeating: 0, count: 15) + [0x10]
        var last = order
        last[0] -= 1
        let one = [1] + [UInt8](repeating: 0, count: 31)
        for (bytes, isScalar) in [
            (one, true), (last, true), (order, false), ([UInt8](repeating: 0, count: 32), false),
            ([UInt8](repeating: 0xFF, count: 32), false), (one.flipping(bit: 255), false),
        ] {
            #expect((testOnlyScalar(bytes) != nil) == isScalar)
        }
    }
}

/// A published scalar, if it is one. The compiler takes no `Scalar?` in a macro, so this returns a class.
private func testOnlyScalar(_ bytes: [UInt8]) -> TestScalar? { TestScalar(bytes) }

private final class TestScalar: Sendable {
    private let scalar: Ristretto255.Scalar

    init?(_ bytes: [UInt8]) {
        guard let scalar = Ristretto255.Scalar(adopting: SecretBytes(testOnly: bytes)) else { return nil }
        self.scalar = scalar
    }

    func publicProduct(with element: borrowing Ristretto255.SecretElement) -> Ristretto255.Element {
        scalar.publicProduct(with: element)
    }

    func sharedElement(with element: Ristretto255.Element) -> Ristretto255.SecretElement {
        scalar.sharedElement(with: element)
    }
}
