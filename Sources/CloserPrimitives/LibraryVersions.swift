internal import CCloserArgon2
internal import CCloserLibcrypto
internal import CCloserSodium

/// Which C libraries are loaded, for a report.
package enum LibraryVersions {
    /// Names and versions; libargon2 has only the number of the algorithm's.
    package static var all: [(name: String, version: String)] {
        [
            ("libsodium", unsafe String(cString: sodium_version_string())),
            ("libcrypto", unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))),
            ("libargon2", "algorithm 1.\(ARGON2_VERSION_NUMBER.rawValue & 15)"),
        ]
    }
}
