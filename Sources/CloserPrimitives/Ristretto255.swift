/// ristretto255 (RFC 9496): a group of prime order, in which every element has exactly one encoding.
package enum Ristretto255 {
    /// Elements and scalars have 32 bytes each.
    package static let byteCount = 32
    /// 64: as many uniform bytes as an element or a scalar is made from.
    package static let uniformByteCount = 64

    /// ℓ of RFC 9496 §4.4, 32 bytes, the least significant first. A scalar here is 1 to ℓ − 1.
    private static let littleEndianOrder: [UInt8] = [
        0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10,
    ]

    /// An element that everybody may see, checked: canonical, and other than the identity.
    package struct Element: Equatable, Sendable {
        /// 32 bytes, its only encoding.
        package let bytes: [UInt8]

        /// Takes exactly 32 bytes that encode an element other than the identity; nil for any others (RFC 9496 §4.3.1).
        package init?(_ bytes: some Collection<UInt8>) {
            let bytes = Array(bytes)
            guard bytes.count == byteCount, Self.isEncoding(bytes.span) else { return nil }
            self.bytes = bytes
        }

        fileprivate init(computed bytes: [UInt8]) { self.bytes = bytes }

        // libsodium 1.0.18 takes encodings with bit 255 set, all of which are none, and the identity, with which everyone would
        // know the shared element. Fails closed: both are refused here.
        private static func isEncoding(_ bytes: Span<UInt8>) -> Bool {
            let isIdentity = bytes.indices.allSatisfy { bytes[$0] == 0 }
            return bytes[byteCount - 1] & 0x80 == 0 && !isIdentity && isValidForSodium(bytes)
        }
    }

    /// A secret element: what a password is mapped to, or what two sides share.
    package struct SecretElement: ~Copyable, Sendable {
        fileprivate let encoding: SecretBytes

        /// Maps 64 uniform bytes, such as a SHA-512, to an element; any other count is a mistake of the caller.
        ///
        /// How the elements of two inputs relate to each other is unknown (RFC 9496 §4.3.4).
        package init(mapping hash: borrowing SecretBytes) {
            precondition(hash.count == uniformByteCount, "an element is made from 64 bytes")
            self.init(
                SecretBytes(shortLived: byteCount) { output in
                    hash.withBytes { appendElement(mapping: $0, to: &output) }
                })
        }

        fileprivate init(_ encoding: consuming SecretBytes) { self.encoding = encoding }

        /// Lends the 32 bytes of its encoding.
        package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
            _ body: (Span<UInt8>) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try encoding.withBytes(body)
        }
    }

    /// A secret number from 1 to ℓ − 1, in locked memory.
    package struct Scalar: ~Copyable, Sendable {
        private let bytes: SecretBytes

        /// A new scalar, uniform: 64 random bytes modulo ℓ, drawn again if they are 0.
        package static func random(from randomness: Randomness = .system) -> Scalar {
            let scalar = random(shortLivedFrom: randomness)
            return Scalar(inRange: scalar.withBytes { SecretBytes(copying: $0) })
        }

        /// A random scalar that dies with the call that drew it.
        package static func random(shortLivedFrom randomness: Randomness) -> Scalar {
            while true {
                let draw = SecretBytes.random(shortLived: uniformByteCount, from: randomness)
                let reduced = SecretBytes(shortLived: byteCount) { output in
                    draw.withBytes { appendReduced($0, to: &output) }
                }
                if let scalar = Scalar(adopting: reduced) { return scalar }
            }
        }

        /// Takes over 32 bytes, the least significant first; nil unless they are 1 to ℓ − 1.
        package init?(adopting bytes: consuming SecretBytes) {
            guard bytes.withBytes(Self.isInRange) else { return nil }
            self.init(inRange: bytes)
        }

        private init(inRange bytes: consuming SecretBytes) { self.bytes = bytes }

        package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
            _ body: (Span<UInt8>) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try bytes.withBytes(body)
        }

        /// A secret element times this scalar, which everybody may see.
        package borrowing func publicProduct(with element: borrowing SecretElement) -> Element {
            Element(
                computed: [UInt8](capacity: byteCount) { output in
                    bytes.withBytes { scalar in
                        element.withBytes { appendProduct(of: scalar, and: $0, to: &output) }
                    }
                })
        }

        /// What both sides share: the other side's element times this scalar. It is not uniform, so hash it before it is a key.
        package borrowing func sharedElement(with theirs: Element) -> SecretElement {
            SecretElement(
                SecretBytes(shortLived: byteCount) { output in
                    bytes.withBytes { appendProduct(of: $0, and: theirs.bytes.span, to: &output) }
                })
        }

        private static func isInRange(_ bytes: Span<UInt8>) -> Bool {
            bytes.count == byteCount && Sodium.isPositive(bytes, below: littleEndianOrder.span)
        }
    }
}
