#if CLOSER_KIT && CLOSER_LIBCRYPTO
import CloserWire
import TestSupport
import Testing

@testable import CloserPrimitives

@Suite("CryptoKit's provider and libcrypto's take the same points, and agree on the same secrets")
struct CurveDifferentialTests {
    @Test(
        "public keys of random scalars, of small ones, and of those next to the order",
        .proves("OpenSSL and CryptoKit as providers give the same results"))
    func agreement() {
        for index in 0..<Effort.differentialCount {
            let (ours, theirs) = (Pair(scalar(index)), Pair(scalar(index + 1)))
            #expect(ours.publicKeys.0 == ours.publicKeys.1, "scalar \(ours.bytes)")
            let secrets = ours.agreements(with: theirs.publicKeys.0)
            #expect(secrets.0 == secrets.1, "scalar \(ours.bytes), point \(theirs.publicKeys.0)")
        }
    }

    @Test("compressed points: of random coordinates, half of which are of no point, and of those above p")
    func compressed() {
        var taken = 0
        for index in 0..<Effort.differentialCount {
            let x = index % 20 == 0 ? Curve.abovePrime(index / 20) : random(of: 32)
            let points = decoded([2 + UInt8.random(in: 0...1)] + x)
            #expect(points.0 == points.1, "x \(x)")
            if points.0 != nil { taken += 1 }
        }
        // Half of all coordinates are of a point. Ten standard deviations around that are no chance.
        let (expected, width) = (Effort.differentialCount * 19 / 40, Effort.differentialCount / 8)
        #expect(abs(taken - expected) < width)
    }

    @Test("uncompressed points: on the curve, next to it, anywhere, and with a coordinate above p")
    func uncompressed() {
        for index in 0..<Effort.differentialCount {
            let good = Pair(scalar(index)).publicKeys.0
            let mirrored = decoded([2 + ~good[64] & 1] + good[1..<33])
            let bytes: [UInt8] =
                switch index % 5 {
                case 0: good
                case 1: good.flipping(bit: Int.random(in: 8..<65 * 8))
                case 2: [4] + random(of: 64)
                case 3: [4] + Curve.abovePrime(index) + good[33...]
                default: [4] + good[1..<33] + Curve.abovePrime(index)
                }
            let points = decoded(bytes)
            #expect(points.0 == points.1 && (points.0 != nil) == (index % 5 == 0), "\(bytes)")
            #expect(mirrored.0 == mirrored.1 && mirrored.0 != nil)
        }
    }

    /// The point in its uncompressed form, or nil where a provider refuses it.
    private func decoded(_ bytes: [UInt8]) -> ([UInt8]?, [UInt8]?) {
        var (first, second): ([UInt8]?, [UInt8]?)
        // A slice: the modules' own spans of arrays stand beside each other here.
        let bytes = bytes[...]
        if let point = LibcryptoPoint(decoding: bytes.span) {
            first = [UInt8](capacity: 65) { point.appendUncompressed(to: &$0) }
        }
        if let point = KitPoint(decoding: bytes.span) {
            second = [UInt8](capacity: 65) { point.appendUncompressed(to: &$0) }
        }
        return (first, second)
    }

    private func randomScalar() -> [UInt8] {
        var bytes: [UInt8] = []
        P256.PrivateKey.random().withScalar { bytes = [UInt8](copying: $0) }
        return bytes
    }

    /// 1 to n − 1: every tenth is small, and every tenth is the order less a small number.
    private func scalar(_ index: Int) -> [UInt8] {
        let small = UInt8.random(in: 1...80)
        switch index % 10 {
        case 0: return [UInt8](repeating: 0, count: 31) + [small]
        case 1: return Curve.order.dropLast() + [0x51 - small]
        default: return randomScalar()
        }
    }
}

/// A scalar, and its public key by both providers.
private struct Pair {
    let bytes: [UInt8]
    let publicKeys: ([UInt8], [UInt8])

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let secret = SecretBytes(testOnly: bytes)
        let first = LibcryptoPoint(generatorTimes: LibcryptoScalar(secret))
        let second = KitPoint(generatorTimes: KitScalar(secret))
        publicKeys = (
            [UInt8](capacity: 65) { first.appendUncompressed(to: &$0) },
            [UInt8](capacity: 65) { second.appendUncompressed(to: &$0) }
        )
    }

    func agreements(with point: [UInt8]) -> ([UInt8], [UInt8]) {
        let secret = SecretBytes(testOnly: bytes)
        let point = point[...]
        guard let first = LibcryptoPoint(decoding: point.span),
            let second = KitPoint(decoding: point.span)
        else { return ([1], [2]) }
        return (
            [UInt8](capacity: 32) { first.appendAgreement(with: LibcryptoScalar(secret), to: &$0) },
            [UInt8](capacity: 32) { second.appendAgreement(with: KitScalar(secret), to: &$0) }
        )
    }
}

private enum Curve {
    /// n of FIPS 186-4 §D.1.2.3.
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// A number from p to 2²⁵⁶ − 1, 32 bytes: p and some beyond it, of which many would be on the curve modulo p.
    static func abovePrime(_ index: Int) -> [UInt8] {
        let top: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x01]
        if index % 2 == 0 { return [0xFF, 0xFF, 0xFF, 0xFF, 0x80] + random(of: 27) }
        let zeros = [UInt8](repeating: 0, count: 12), ones = [UInt8](repeating: 0xFF, count: 11)
        // p ends in 96 one bits: one more than it ends in 96 zeros, and one more in the word above.
        return index % 4 == 1
            ? top + zeros + ones + [0xFF]
            : top + zeros.dropLast() + [1] + zeros.dropLast() + [UInt8(truncatingIfNeeded: index / 4)]
    }
}
#endif
