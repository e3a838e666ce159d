/// The curve P-256 (FIPS 186-4 §D.1.2.3; SEC 1): key pairs and Diffie-Hellman.
package enum P256 {
    /// Scalars and coordinates have 32 bytes, big-endian, leading zeros kept.
    package static let scalarByteCount = 32

    /// n of FIPS 186-4 §D.1.2.3, 32 bytes, the least significant first. A private scalar is 1 to n − 1.
    private static let littleEndianOrder: [UInt8] = [
        0x51, 0x25, 0x63, 0xFC, 0xC2, 0xCA, 0xB9, 0xF3, 0x84, 0x9E, 0x17, 0xA7, 0xAD, 0xFA, 0xE6, 0xBC,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF,
    ]

    /// How a point is written (SEC 1 §2.3.3).
    package enum PointFormat: Equatable, Sendable {
        /// `04 ‖ X ‖ Y`.
        case uncompressed
        /// `02` or `03` by the parity of Y, then X.
        case compressed

        /// 65 or 33.
        package var byteCount: Int { self == .uncompressed ? 65 : 33 }

        /// Whether bytes have the length and the first byte of this form, and of no other: some providers take hybrid points
        /// (06, 07) and infinity, too.
        func hasShape(of bytes: Span<UInt8>) -> Bool {
            guard bytes.count == byteCount else { return false }
            return self == .uncompressed ? bytes[0] == 4 : bytes[0] == 2 || bytes[0] == 3
        }
    }

    /// Why bytes are not a key.
    package enum KeyError: Error, Equatable, Sendable {
        /// Wrong length, wrong first byte, a coordinate not below p, or not on the curve.
        case notAPoint
        /// Zero, or not below the group's order.
        case scalarOutOfRange
    }

    /// A point on the curve, checked.
    package struct PublicKey: Sendable {
        /// `04 ‖ X ‖ Y`, 65 bytes.
        package let uncompressed: [UInt8]
        /// The point as the provider holds it, so that it is decoded once.
        fileprivate let decoded: PublicPoint

        /// Takes exactly one encoding in `format`, and checks that the point is on the curve.
        ///
        /// - Throws: `.notAPoint`.
        package init(_ bytes: Span<UInt8>, format: PointFormat = .uncompressed) throws(KeyError) {
            guard format.hasShape(of: bytes), let point = CurvePoint(decoding: bytes) else {
                throw .notAPoint
            }
            // To write a point in this form costs an inversion modulo p. Bytes that came in it are kept instead.
            self.init(
                point,
                uncompressed: format == .uncompressed
                    ? [UInt8](capacity: 65) { $0.append(copying: bytes) } : nil)
        }

        fileprivate init(_ point: consuming CurvePoint, uncompressed: [UInt8]? = nil) {
            let decoded = PublicPoint(point)
            self.uncompressed =
                uncompressed ?? [UInt8](capacity: 65) { decoded.point.appendUncompressed(to: &$0) }
            self.decoded = decoded
        }

        package var x: [UInt8] { Array(uncompressed[1..<33]) }
        package var y: [UInt8] { Array(uncompressed[33..<65]) }

        package func encoded(_ format: PointFormat) -> [UInt8] {
            format == .uncompressed ? uncompressed : [2 + (uncompressed[64] & 1)] + x
        }
    }

    /// A private scalar, in locked memory, with its public key.
    package final class PrivateKey: Sendable {
        private let scalar: SecretBytes
        /// The point that belongs to the scalar, computed from it.
        package let publicKey: PublicKey

        /// A new key: random bytes, drawn again in the rare case that they are out of range (FIPS 186-4 §B.4.2).
        package static func random(from randomness: Randomness = .system) -> PrivateKey {
            firstInRange { .random(count: scalarByteCount, from: randomness) }
        }

        /// A new key for one message.
        package static func ephemeral(from randomness: Randomness = .system) -> PrivateKey {
            firstInRange { .random(shortLived: scalarByteCount, from: randomness) }
        }

        private static func firstInRange(_ draw: () -> SecretBytes) -> PrivateKey {
            while true {
                guard let key = try? PrivateKey(adopting: draw()) else { continue }
                return key
            }
        }

        /// Takes over 32 bytes, big-endian, 1 to n − 1.
        ///
        /// - Throws: `.scalarOutOfRange`, also for another count of bytes.
        package init(adopting scalar: consuming SecretBytes) throws(KeyError) {
            guard scalar.withBytes(Self.isInRange) else { throw .scalarOutOfRange }
            self.publicKey = PublicKey(CurvePoint(generatorTimes: SecretScalar(scalar)))
            self.scalar = scalar
        }

        package func withScalar<Failure: Error>(
            _ body: (Span<UInt8>) throws(Failure) -> Void
        ) throws(Failure) {
            try scalar.withBytes(body)
        }

        /// The x coordinate of the shared point, 32 bytes, leading zeros kept (SEC 1 §3.3.1).
        package func sharedSecret(with theirs: PublicKey) -> SecretBytes {
            SecretBytes(shortLived: scalarByteCount) { output in
                theirs.decoded.point.appendAgreement(with: SecretScalar(scalar), to: &output)
            }
        }

        private static func isInRange(_ scalar: Span<UInt8>) -> Bool {
            guard scalar.count == scalarByteCount else { return false }
            return ConstantTime.isPositive(scalar, below: littleEndianOrder)
        }
    }
}

extension P256.PublicKey: Equatable {
    /// Whether both are the same point. A public key is public, so the time may depend on it.
    package static func == (ours: Self, theirs: Self) -> Bool { ours.uncompressed == theirs.uncompressed }
}

/// A decoded public point, shared by the copies of its key.
private final class PublicPoint: Sendable {
    let point: CurvePoint

    init(_ point: consuming CurvePoint) { self.point = point }
}
