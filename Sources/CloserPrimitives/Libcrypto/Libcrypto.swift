#if CLOSER_LIBCRYPTO
internal import CCloserLibcrypto

/// libcrypto's algorithms, each fetched once and kept: a fetch takes longer than a small operation.
@safe enum Libcrypto {
    nonisolated(unsafe) static let aes128GCM = unsafe cipher("AES-128-GCM")
    nonisolated(unsafe) static let aes256GCM = unsafe cipher("AES-256-GCM")
    nonisolated(unsafe) static let sha256 = unsafe digest("SHA2-256")
    nonisolated(unsafe) static let sha512 = unsafe digest("SHA2-512")
    nonisolated(unsafe) static let hkdf = unsafe owned(
        .fetch, unsafe EVP_KDF_fetch(nil, "HKDF", nil))
    nonisolated(unsafe) static let hmac = unsafe owned(
        .fetch, unsafe EVP_MAC_fetch(nil, "HMAC", nil))

    private static func cipher(_ name: String) -> OpaquePointer {
        unsafe owned(.fetch, unsafe EVP_CIPHER_fetch(nil, name, nil))
    }

    private static func digest(_ name: String) -> OpaquePointer {
        unsafe owned(.fetch, unsafe EVP_MD_fetch(nil, name, nil))
    }

    /// The version of the library that is loaded.
    static var version: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }

    /// The C function is `OPENSSL_init_crypto`.
    static func startForShortRun() {
        let options = OPENSSL_INIT_NO_LOAD_CONFIG | Int(OPENSSL_INIT_NO_ATEXIT)
        expectOne(.start, OPENSSL_init_crypto(UInt64(options), nil))
    }
}

/// Which of libcrypto's calls failed, for the message.
enum LibcryptoCall {
    case start, fetch, allocate, cipher, digest, derive, authenticate, number, point
}

/// Ends the process when a call fails that works for every input: libcrypto is broken or out of memory.
///
/// Calls that some input makes fail go elsewhere: their status becomes a typed error where they are made.
func expectOne(_ call: LibcryptoCall, _ status: CInt) {
    precondition(status == 1, "libcrypto failed: \(call), code \(ERR_peek_last_error())")
}

/// The object that a C call has just made. The caller puts it into an owner on the next line.
@unsafe func owned(_ call: LibcryptoCall, _ object: OpaquePointer?) -> OpaquePointer {
    guard let object = unsafe object else {
        preconditionFailure("libcrypto failed: \(call), code \(ERR_peek_last_error())")
    }
    return unsafe object
}
#endif
