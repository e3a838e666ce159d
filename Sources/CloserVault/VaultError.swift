/// Why a vault did not open or change. After any of them it holds what it held before.
public enum VaultError: Error, Equatable, Sendable {
    /// There is no file.
    case missing(path: String)
    /// There is a vault already.
    case exists(path: String)
    /// A file, and no vault of ours; or one whose making was interrupted.
    case notAVault(path: String)
    /// No export of ours.
    case notAnExport
    /// The vault holds more than an export may: ``VaultExport/maximumByteCount``.
    case exportTooLarge
    /// Written by a newer program.
    case unsupportedVersion
    /// Another key file or passphrase, or the locked key was changed. Nobody can tell which.
    case authenticationFailed
    /// It is locked with a passphrase and a key file was given, or the other way round.
    case otherProtection
    /// A key file has exactly 32 bytes.
    case keyFileMalformed
    /// A passphrase has 1 to 1024 bytes.
    case passphraseLength
    /// The header asks for costs of Argon2id outside 64 MiB to 1 GiB and ten passes.
    case costsRefused
    /// A record does not open or has another form: the file was changed by something else.
    case damaged
    /// Other processes kept it locked for too long.
    case busy
    /// The disk or the file system failed, in SQLite's words.
    case storage(reason: String)
}
