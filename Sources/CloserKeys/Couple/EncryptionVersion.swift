/// How far a couple has come with encryption (formats §3).
///
/// It only rises: a server that lowers it would have new texts written in the clear (security §2, W9).
public enum EncryptionVersion: Int, Comparable, Sendable {
    /// Nothing is encrypted.
    case plaintext = 0
    /// There is a couple key, and old texts are still in the clear.
    case migrating = 1
    /// What is not encrypted is refused. New couples start here.
    case strict = 2

    public static func < (ours: Self, theirs: Self) -> Bool { ours.rawValue < theirs.rawValue }
}
