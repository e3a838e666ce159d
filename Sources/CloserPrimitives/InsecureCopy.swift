/// The way out of ``SecretBytes``, for what must leave the library: a text field, the screen, the Keychain.
///
/// These copies stay in memory. Let go of them at once.
public enum InsecureCopy {
    /// The bytes, for an API that takes an array or `Data`.
    public static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    /// The text, for a view; it leaves two copies. Bytes that are not UTF-8 become U+FFFD, as in `String(decoding:as:)`.
    public static func string(_ secret: borrowing SecretBytes) -> String {
        String(decoding: bytes(secret), as: UTF8.self)
    }
}
