#if CLOSER_KIT
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
import CloserPrimitives
import Foundation
import TestSupport
import Testing

/// X25519 comes from libsodium with every provider, also where CryptoKit has one: the two agree.
@Suite("libsodium's X25519 and CryptoKit's")
struct X25519DifferentialTests {
    private typealias Theirs = Curve25519.KeyAgreement

    @Test("public keys, and secrets with random points")
    func agreement() throws {
        for _ in 0..<Effort.differentialCount {
            let (scalar, point) = (random(of: 32), random(of: 32))
            let ours = X25519.PrivateKey(adopting: SecretBytes(testOnly: scalar))
            let theirs = try Theirs.PrivateKey(rawRepresentation: scalar)
            #expect(ours.publicKey.bytes == Array(theirs.publicKey.rawRepresentation), "\(scalar)")
            let secrets = (secret(ours, point), secret(theirs, point))
            #expect(secrets.0 == secrets.1, "\(scalar) \(point)")
        }
    }

    @Test("points of low order, with and without the bit that RFC 7748 ignores, and their neighbours")
    func lowOrder() throws {
        var refused = 0
        for index in 0..<Effort.differentialCount {
            let scalar = random(of: 32)
            var point = Self.lowOrder[index % Self.lowOrder.count]
            if index % 3 == 1 { point[31] |= 0x80 }
            let isNeighbour = index % 3 == 2
            if isNeighbour { point = point.flipping(bit: Int.random(in: 8..<248)) }
            let ours = secret(X25519.PrivateKey(adopting: SecretBytes(testOnly: scalar)), point)
            let theirs = try secret(Theirs.PrivateKey(rawRepresentation: scalar), point)
            #expect(ours == theirs && (ours == nil) != isNeighbour, "\(scalar) \(point)")
            if ours == nil { refused += 1 }
        }
        #expect(refused >= Effort.differentialCount / 2)
    }

    private func secret(_ key: X25519.PrivateKey, _ point: [UInt8]) -> [UInt8]? {
        guard let theirs = X25519.PublicKey(point) else { return nil }
        return try? key.sharedSecret(with: theirs).testOnlyBytes()
    }

    /// CryptoKit may refuse an all-zero secret or hand it out; for us it is a refusal.
    private func secret(_ key: Theirs.PrivateKey, _ point: [UInt8]) -> [UInt8]? {
        guard let theirs = try? Theirs.PublicKey(rawRepresentation: point),
            let secret = try? key.sharedSecretFromKeyAgreement(with: theirs)
        else { return nil }
        let bytes = unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
        return bytes.allSatisfy { $0 == 0 } ? nil : bytes
    }

    /// The u-coordinates of order 1, 2, 4 and 8 on curve and twist, below 2²⁵⁵: 0, 1, two of order 8, p − 1, p and p + 1.
    private static let lowOrder: [[UInt8]] =
        [
            [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
            [
                0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4,
                0x6a,
                0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8,
                0x00,
            ],
            [
                0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef,
                0x5b,
                0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11,
                0x57,
            ],
        ]
        + [0xec, 0xed, 0xee].map { [$0] + [UInt8](repeating: 0xFF, count: 30) + [0x7F] }
}
#endif
