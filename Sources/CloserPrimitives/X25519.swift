/// X25519 (RFC 7748): two key pairs give both sides one secret of 32 bytes.
package enum X25519 {
    /// Keys and secrets have 32 bytes each.
    package static let byteCount = 32

    /// Why an agreement failed.
    package enum AgreementError: Error, Equatable, Sendable {
        /// The result would be all zero: a key that everyone knows.
        case lowOrderPublicKey
    }

    /// A public key of the other side or ours: 32 bytes, as RFC 7748 §5 encodes a u-coordinate.
    package struct PublicKey: Equatable, Sendable {
        package let bytes: [UInt8]

        /// Takes exactly 32 bytes; nil for any other count. Points of low order are taken: see ``isLowOrder``.
        package init?(_ bytes: some Collection<UInt8>) {
            self.bytes = Array(bytes)
            guard self.bytes.count == byteCount else { return nil }
        }

        /// Whether these bytes are the one spelling of their point that a key pair gives: a number below 2²⁵⁵ − 19, the highest bit clear.
        ///
        /// RFC 7748 §5 ignores that bit and reduces greater numbers, so a point may have two or three spellings.
        package var isCanonical: Bool {
            guard bytes[31] < 0x80 else { return false }
            return bytes[31] < 0x7F || bytes[0] < 0xED || bytes[1..<31].contains { $0 < 0xFF }
        }

        /// Whether every agreement with it would be all zero: such a point has no private key.
        ///
        /// A clamped scalar is a multiple of the cofactors of curve and twist (RFC 7748 §5), so any one of them finds out.
        package var isLowOrder: Bool {
            let anyScalar = SecretBytes(shortLived: byteCount) { $0.append(repeating: 1, count: byteCount) }
            return (try? PrivateKey.multiply(self, by: anyScalar)) == nil
        }
    }

    /// A private key, in locked memory, with its public key.
    package final class PrivateKey: Sendable {
        private let scalar: SecretBytes
        /// The point that belongs to the scalar, computed from it.
        package let publicKey: PublicKey

        package convenience init(from randomness: Randomness = .system) {
            self.init(adopting: .random(count: byteCount, from: randomness))
        }

        /// Takes over 32 bytes; any other count is a mistake of the caller and stops the process.
        package init(adopting scalar: consuming SecretBytes) {
            precondition(scalar.count == byteCount, "an X25519 key has 32 bytes")
            let point = [UInt8](capacity: byteCount) { appendPublicKey(of: scalar, to: &$0) }
            guard let publicKey = PublicKey(point) else {
                preconditionFailure("the public key has not 32 bytes")
            }
            self.publicKey = publicKey
            self.scalar = scalar
        }

        package func withScalar<Result: ~Copyable, Failure: Error>(
            _ body: (Span<UInt8>) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try scalar.withBytes(body)
        }

        /// The secret that both sides share, 32 bytes. It is biased: feed it to ``HKDF`` before it is a key.
        ///
        /// - Throws: `.lowOrderPublicKey` if it would be all zero.
        package func sharedSecret(with theirs: PublicKey) throws(AgreementError) -> SecretBytes {
            try Self.multiply(theirs, by: scalar)
        }

        fileprivate static func multiply(
            _ point: PublicKey, by scalar: borrowing SecretBytes
        ) throws(AgreementError) -> SecretBytes {
            // RFC 7748 §6.1 lets us abort on an all-zero result; we always do. Accepting it would let a
            // server publish 32 zero bytes and know every key. Fails closed: `.lowOrderPublicKey`.
            try SecretBytes(shortLived: byteCount) { (output) throws(AgreementError) in
                guard appendAgreement(of: scalar, with: point.bytes.span, to: &output) else {
                    throw .lowOrderPublicKey
                }
            }
        }
    }
}
