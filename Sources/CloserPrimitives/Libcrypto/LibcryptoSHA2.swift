#if CLOSER_LIBCRYPTO
internal import CCloserLibcrypto

/// SHA-2 as libcrypto computes it, and what is built on it: HMAC and HKDF.
enum LibcryptoSHA2 {
    static func appendSHA256(of bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        unsafe appendDigest(Libcrypto.sha256, SHA256.byteCount, of: bytes, to: &output)
    }

    static func appendSHA512(of bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        unsafe appendDigest(Libcrypto.sha512, SHA512.byteCount, of: bytes, to: &output)
    }

    /// The C function is `EVP_Digest`.
    @unsafe private static func appendDigest(
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

    /// Owns the `EVP_MD_CTX` of a SHA-256. The C functions are `EVP_DigestInit_ex`, `EVP_DigestUpdate` and `EVP_DigestFinal_ex`.
    @safe final class Parts {
        private let context = unsafe owned(.allocate, EVP_MD_CTX_new())

        init() { unsafe expectOne(.digest, EVP_DigestInit_ex(context, Libcrypto.sha256, nil)) }

        func append(_ bytes: Span<UInt8>) {
            unsafe bytes.withPointer { unsafe expectOne(.digest, EVP_DigestUpdate(context, $0, $1)) }
        }

        /// Ends it: no part may follow.
        func appendDigest(to output: inout OutputSpan<UInt8>) {
            unsafe output.append(SHA256.byteCount) { unsafe EVP_DigestFinal_ex(context, $0, nil) == 1 }
        }

        deinit { unsafe EVP_MD_CTX_free(context) }
    }
}

// MARK: - HMAC

extension LibcryptoSHA2 {
    /// Appends the tag, 32 bytes. The C functions are `EVP_MAC_init`, `EVP_MAC_update` and `EVP_MAC_final`.
    static func appendHMAC(of message: Span<UInt8>, key: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        unsafe output.append(HMACSHA256.byteCount) { target in
            unsafe writeHMAC(of: message, key: key, to: target)
            return true
        }
    }

    @unsafe private static func writeHMAC(
        of message: Span<UInt8>, key: Span<UInt8>, to target: UnsafeMutablePointer<UInt8>
    ) {
        let context = unsafe owned(.allocate, EVP_MAC_CTX_new(Libcrypto.hmac))
        defer { unsafe EVP_MAC_CTX_free(context) }
        var parameters = unsafe Parameters()
        unsafe parameters.add("digest", "SHA2-256")
        unsafe key.withPointer { key, count in
            unsafe parameters.withList {
                unsafe expectOne(.authenticate, EVP_MAC_init(context, key, count, $0))
            }
        }
        unsafe message.withPointer { unsafe expectOne(.authenticate, EVP_MAC_update(context, $0, $1)) }
        var written = 0
        unsafe expectOne(.authenticate, EVP_MAC_final(context, target, &written, HMACSHA256.byteCount))
    }
}

// MARK: - HKDF

extension LibcryptoSHA2 {
    /// Appends `count` derived bytes. The C function is `EVP_KDF_derive`.
    static func appendHKDF(
        _ count: Int, from keyMaterial: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>,
        to output: inout OutputSpan<UInt8>
    ) {
        unsafe output.append(count) { target in
            unsafe expectOne(.derive, derive(keyMaterial, salt, info, target, count))
            return true
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
                    return unsafe parameters.withList {
                        unsafe EVP_KDF_derive(context, target, count, $0)
                    }
                }
            }
        }
    }
}

// MARK: - Parameters

/// The settings of one call, as libcrypto wants them: an array of `OSSL_PARAM` that ends with an empty one.
///
/// It keeps pointers: the names are static texts, and the caller's values must outlive the call.
@unsafe private struct Parameters {
    private var list: [OSSL_PARAM] = unsafe []

    mutating func add(_ name: StaticString, _ text: StaticString) {
        unsafe list.append(OSSL_PARAM_construct_utf8_string(characters(name), characters(text), 0))
    }

    mutating func add(_ name: StaticString, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
        let value = unsafe UnsafeMutableRawPointer(mutating: bytes)  // C only reads it
        unsafe list.append(OSSL_PARAM_construct_octet_string(characters(name), value, count))
    }

    func withList<Result>(_ body: (UnsafePointer<OSSL_PARAM>?) -> Result) -> Result {
        unsafe (list + [OSSL_PARAM_construct_end()]).withUnsafeBufferPointer {
            unsafe body($0.baseAddress)
        }
    }

    private func characters(_ text: StaticString) -> UnsafeMutablePointer<CChar> {
        let bytes = unsafe UnsafeMutableRawPointer(mutating: text.utf8Start)
        return unsafe bytes.assumingMemoryBound(to: CChar.self)
    }
}
#endif
