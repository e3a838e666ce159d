internal import CCloserLibcrypto

/// HMAC with SHA-256 (RFC 2104): 32 bytes that only a holder of the key can make.
package enum HMACSHA256 {
    /// 32 bytes.
    package static let byteCount = 32

    /// The tag of `message`, 32 bytes.
    package static func tag(of message: Span<UInt8>, key: borrowing SecretBytes) -> [UInt8] {
        [UInt8](capacity: byteCount) { output in
            unsafe output.append(byteCount) { target in
                key.withBytes { unsafe write(of: message, key: $0, to: target) }
                return true
            }
        }
    }

    /// Whether `tag` is that of `message`, compared in constant time.
    package static func isValid(_ tag: Span<UInt8>, of message: Span<UInt8>, key: borrowing SecretBytes)
        -> Bool
    {
        ConstantTime.isEqual(self.tag(of: message, key: key).span, tag)
    }

    /// The C functions are `EVP_MAC_init`, `EVP_MAC_update` and `EVP_MAC_final`.
    @unsafe private static func write(
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
        unsafe expectOne(.authenticate, EVP_MAC_final(context, target, &written, byteCount))
    }
}
