// Which provider computes AES-GCM, P-256 and SHA-2. Guarded memory, constant time, base64 of secrets, randomness, X25519,
// ristretto255 and Argon2id with one lane come from libsodium with every provider.
//
// A provider is a folder, whose types have names of their own, so that a test can build two of them and compare. Package.swift
// turns traits into these conditions. CryptoKit wins when both are built: it has to be asked for.

#if CLOSER_KIT
typealias Cipher = KitAESGCM
typealias CurvePoint = KitPoint
typealias SecretScalar = KitScalar
typealias SHA2 = KitSHA2
#elseif CLOSER_LIBCRYPTO
typealias Cipher = LibcryptoAESGCM
typealias CurvePoint = LibcryptoPoint
typealias SecretScalar = LibcryptoScalar
typealias SHA2 = LibcryptoSHA2
#else
#error("no provider of primitives: the package closer-keys needs the trait SystemLibraries or CryptoKit")
#endif

/// What a program may decide for its whole process. A library leaves it to the app.
package enum LibcryptoProcess {
    /// Leaves OpenSSL's configuration file unread, which takes a millisecond, and its tables to the system when the process ends.
    /// Call before anything else. With CryptoKit it does nothing.
    package static func startForShortRun() {
        #if CLOSER_LIBCRYPTO && !CLOSER_KIT
        Libcrypto.startForShortRun()
        #endif
    }
}

/// Which libraries compute, for `closer-keys version` and for reports.
package enum LibraryVersions {
    /// Names and versions. libargon2 only says which version of the algorithm it computes.
    package static var all: [(name: String, version: String)] {
        var all = [("libsodium", Sodium.version)]
        #if CLOSER_KIT
        all.append((Kit.name, Kit.version))
        #else
        all.append(("libcrypto", Libcrypto.version))
        #endif
        #if CLOSER_LIBARGON2
        all.append(("libargon2", Argon2id.libraryVersion))
        #endif
        return all
    }
}
