internal import CloserFiles
public import CloserPrimitives

/// Why a vault did not open or change. After any of them but ``diverged(path:)`` it holds what it held before.
public enum VaultError: Error, Equatable, Sendable {
    /// There is no file.
    case missing(path: String)
    /// There is a vault already.
    case exists(path: String)
    /// There is a file, but it is not a vault.
    case notAVault(path: String)
    /// A vault or an export from before the first release, whose format is no longer read.
    case formerFormat
    /// The bytes are not an export.
    case notAnExport
    /// Written by a newer program.
    case unsupportedVersion
    /// The vault would have more than ``Vault/maximumByteCount``, or the file that should be one has.
    case tooLarge
    /// Another key file or passphrase, or the locked key was changed. Nobody can tell which.
    case authenticationFailed
    /// It is locked with a passphrase and a key file was given, or the other way round.
    case otherProtection
    /// A key file has exactly 32 bytes.
    case keyFileMalformed
    /// A passphrase has 1 to 1024 bytes.
    case passphraseLength
    /// The lock asks for costs of Argon2id outside 64 MiB to 1 GiB and one to ten passes.
    case costsRefused
    /// The system did not give Argon2id its memory.
    case outOfMemory(MemoryShortage)
    /// The file or one of its records is not as it was written: something else changed it.
    case damaged
    /// The file is older than what was seen of this vault, or diverged from it.
    case rolledBack(path: String)
    /// The change was written, but somebody exchanged the file meanwhile: there is, or was, another one that it is not in.
    case diverged(path: String)
    /// The file is another vault than the one that was seen.
    case replaced(path: String)
    /// Other processes kept it locked for longer than half a minute.
    case busy
    /// The file system did not give the file. `reason` is the system's own word.
    case cannotRead(path: String, reason: String)
    /// The file system did not take the file. `reason` is the system's own word.
    case cannotWrite(path: String, reason: String)
    /// What is remembered of a vault is there, and cannot be read: so nobody knows whether its file is an older one.
    case cannotRecall(path: String, reason: String)

    /// Nothing was done with a couple.
    case couple(CoupleError)
    /// Nothing was done with an answer, except that a conflict may have been noted.
    case answer(AnswerError)
    /// A couple was not rekeyed.
    case rekey(RekeyError)
    /// A partner was not verified.
    case verification(VerificationError)
}

extension VaultError {
    init(_ error: FileError) {
        self =
            switch error {
            case .cannotOpen(let path, let reason), .readFailed(let path, let reason):
                .cannotRead(path: path, reason: reason)
            case .cannotCreate(let path, let reason), .writeFailed(let path, let reason):
                .cannotWrite(path: path, reason: reason)
            case .exists(let path), .isInput(let path): .exists(path: path)
            case .tooLarge: .tooLarge
            }
    }

    /// For what is remembered, and not the vault itself.
    init(recalling error: FileError) {
        self =
            switch error {
            case .cannotOpen(let path, let reason), .readFailed(let path, let reason),
                .cannotCreate(let path, let reason), .writeFailed(let path, let reason):
                .cannotRecall(path: path, reason: reason)
            case .exists(let path), .isInput(let path), .tooLarge(let path, _):
                .cannotRecall(path: path, reason: "Is not what this machine wrote")
            }
    }
}
