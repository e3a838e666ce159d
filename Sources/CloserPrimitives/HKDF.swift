internal import CCloserLibcrypto

/// HKDF with SHA-256 (RFC 5869), extract and expand in one: key material in, keys out.
package enum HKDF {
    /// The longest `info` that libcrypto takes: 32 KiB.
    package static let maximumInfoByteCount = 32 * 1024

    /// Derives `count` bytes (at most 255 × 32) that die with the call that wanted them.
    ///
    /// The C function is `EVP_KDF_derive`.
    package static func derive(
        from keyMaterial: borrowing SecretBytes, salt: Span<UInt8>, info: Span<UInt8>, count: Int
    ) -> SecretBytes {
        precondition(info.count <= maximumInfoByteCount, "HKDF info is limited to 32 KiB")
        precondition((1...255 * SHA256.byteCount).contains(count), "HKDF gives 1 to 8160 bytes")
        return SecretBytes(shortLived: count) { output in
            unsafe output.append(count) { target in
                keyMaterial.withBytes { material in
                    unsafe expectOne(.derive, derive(material, salt, info, target, count))
                }
                return true
            }
        }
    }

    @unsafe private static func derive(
        _ material: Span<UInt8>, _ salt: Span<UInt8>, _ info: Span<UInt8>,
        _ target: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> CInt {
        let context = unsafe owned(.allocate, EVP_KDF_CTX_new(Libcrypto.hkdf))
        defer { unsafe EVP_KDF_CTX_free(context) }
        return unsafe material.withPointer { material, materialCount in
            unsafe salt.withPointer { salt, saltCount in
                unsafe info.withPointer { info, infoCount in
                    var parameters = unsafe Parameters()
                    unsafe parameters.add("digest", "SHA2-256")
                    unsafe parameters.add("key", material, materialCount)
                    unsafe parameters.add("salt", salt, saltCount)
                    unsafe parameters.add("info", info, infoCount)
                    return unsafe parameters.withList { unsafe EVP_KDF_derive(context, target, count, $0) }
                }
            }
        }
    }
}
