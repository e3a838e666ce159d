internal import CCloserLibcrypto

/// SHA-256 (FIPS 180-4): 32 bytes that stand for a text.
package enum SHA256 {
    /// 32 bytes.
    package static let byteCount = 32

    /// The digest of `bytes`, 32 bytes.
    package static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: byteCount) { unsafe Digest.append(Libcrypto.sha256, byteCount, of: bytes, to: &$0) }
    }
}

/// SHA-512 (FIPS 180-4): 64 bytes that stand for a text.
package enum SHA512 {
    /// 64 bytes.
    package static let byteCount = 64

    /// The digest of `bytes`, 64 bytes.
    package static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: byteCount) { unsafe Digest.append(Libcrypto.sha512, byteCount, of: bytes, to: &$0) }
    }
}

private enum Digest {
    /// The C function is `EVP_Digest`.
    @unsafe static func append(
        _ algorithm: OpaquePointer, _ byteCount: Int, of bytes: Span<UInt8>,
        to output: inout OutputSpan<UInt8>
    ) {
        unsafe output.append(byteCount) { target in
            unsafe bytes.withPointer { source, count in
                unsafe expectOne(.digest, EVP_Digest(source, count, target, nil, algorithm, nil))
            }
            return true
        }
    }
}
