/// SHA-256 (FIPS 180-4): 32 bytes that stand for a text.
package enum SHA256 {
    package static let byteCount = 32

    package static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest: [UInt8] = []
        // `init(capacity:)` looks up the type of array each time, as long as to hash a short text.
        digest.append(addingCapacity: byteCount) { SHA2.appendSHA256(of: bytes, to: &$0) }
        return digest
    }

    /// The hash of bytes that come in parts, such as those of a file that is larger than memory.
    package struct Parts: ~Copyable {
        private let state = SHA2.Parts()

        package init() {}
        package func append(_ bytes: Span<UInt8>) { state.append(bytes) }
        package consuming func digest() -> [UInt8] {
            [UInt8](capacity: byteCount) { state.appendDigest(to: &$0) }
        }
    }
}

/// SHA-512 (FIPS 180-4): 64 bytes that stand for a text. Safety numbers and CPace are made with it.
package enum SHA512 {
    package static let byteCount = 64

    package static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: byteCount) { SHA2.appendSHA512(of: bytes, to: &$0) }
    }

    /// The digest of a secret, 64 bytes that live for one call: they lie in a slot of the arena.
    package static func hash(_ secret: borrowing SecretBytes) -> SecretBytes {
        SecretBytes(shortLived: byteCount) { output in
            secret.withBytes { SHA2.appendSHA512(of: $0, to: &output) }
            // CryptoKit gives the digest as a value.
            Sodium.wipeStack()
        }
    }
}
