/// HKDF with SHA-256 (RFC 5869), extract and expand in one step: key material in, a key out.
package enum HKDF {
    /// The longest `info`: 32 KiB, the most that libcrypto takes. It is the same with every provider.
    package static let maximumInfoByteCount = 32 * 1024

    /// Derives `count` bytes, 1 to 255 × 32, that live for one call: they lie in a slot of the arena if they fit.
    ///
    /// Lengths outside these bounds are mistakes of the caller, who checks what comes from outside.
    package static func derive(
        from keyMaterial: borrowing SecretBytes, salt: Span<UInt8>, info: Span<UInt8>, count: Int
    ) -> SecretBytes {
        precondition(info.count <= maximumInfoByteCount, "HKDF info is limited to 32 KiB")
        precondition((1...255 * SHA256.byteCount).contains(count), "HKDF gives 1 to 8160 bytes")
        return SecretBytes(shortLived: count) { output in
            keyMaterial.withBytes { SHA2.appendHKDF(count, from: $0, salt: salt, info: info, to: &output) }
        }
    }
}
