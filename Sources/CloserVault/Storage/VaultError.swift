internal import CloserFiles
public import CloserPrimitives
package import CloserWire

/// Why a vault did not open or change. It holds what it held before.
public enum VaultError: Error, Equatable, Sendable {
    /// There is no file.
    case missing(path: String)
    /// There is a vault already.
    case exists(path: String)
    /// There is a file, but it is not a vault.
    case notAVault(path: String)
    /// The bytes are not an export.
    case notAnExport
    /// Written by another version of the program.
    case unsupportedVersion
    /// The vault would have more than ``Vault/maximumByteCount``, or the file that should be one has.
    case tooLarge
    /// Another key file or passphrase, or the sealed key was changed: the two cannot be told apart.
    case authenticationFailed
    /// A passphrase protects it and a key file was given, or the other way round.
    case otherProtection
    /// A key file has exactly 32 bytes.
    case keyFileMalformed
    /// A passphrase has 1 to 1024 bytes.
    case passphraseLength
    /// The key slot asks for costs of Argon2id outside 64 MiB to 1 GiB and one to ten passes.
    case costsRefused
    /// The system did not give Argon2id its memory.
    case outOfMemory(MemoryShortage)
    /// A byte of the file is not as it was written.
    case damaged
    /// The file is older than the newest version that was seen, or diverged from it.
    case rolledBack(path: String)
    /// The file is another vault than the one that was seen.
    case replaced(path: String)
    /// Other processes held its lock for longer than half a minute.
    case busy
    /// The file system did not give the file. `reason` is the system's own word.
    case cannotRead(path: String, reason: String)
    /// The file system did not take the file. `reason` is the system's own word.
    case cannotWrite(path: String, reason: String)

    /// Nothing was done with a couple.
    case couple(CoupleError)
    /// Nothing was done with an answer, except that a conflict may have been noted.
    case answer(AnswerError)
    /// A couple was not rekeyed.
    case rekey(RekeyError)
    /// A partner was not verified.
    case verification(VerificationError)
    /// A step of a pairing was not taken.
    case pairing(PairingStepError)
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
}

// MARK: - In words

extension VaultError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension VaultError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .missing(let path): ErrorWords("there is no vault at \(path)", "make one, or name another file")
        case .exists(let path): ErrorWords("\(path) is a vault already", "name another file")
        case .notAVault(let path): ErrorWords("\(path) is not a vault", "name another file")
        case .notAnExport: ErrorWords("this is not an export of a vault")
        case .tooLarge:
            ErrorWords(
                "a vault has at most \(Vault.maximumByteCount) bytes",
                "forget couples that are over; if it never was so large, something else lies there: move that away"
            )
        case .unsupportedVersion: ErrorWords("this vault has a version that this program does not know")
        case .authenticationFailed: ErrorWords("it does not open with this key file or passphrase")
        case .otherProtection:
            ErrorWords("a passphrase protects it instead of a key file, or the other way round")
        case .keyFileMalformed: ErrorWords("a vault's key file has exactly 32 bytes")
        case .passphraseLength: ErrorWords("a passphrase has 1 to 1024 bytes")
        case .costsRefused: ErrorWords("it asks for costs of Argon2id outside 64 MiB to 1 GiB")
        case .outOfMemory(let shortage): ErrorWords(shortage.message, shortage.advice)
        case .damaged:
            ErrorWords(
                "this vault is damaged: a program other than closer-keys changed it",
                "move the file away, and restore the vault from an export")
        case .rolledBack(let path):
            ErrorWords(
                "\(path) is older than the newest version that was seen of this vault, or diverged from it",
                "if you put it there yourself, accept it as the newest"
            )
        case .replaced(let path):
            ErrorWords("\(path) is another vault than the one that was seen there")
        case .busy:
            ErrorWords(
                "another process holds the lock of this vault",
                "try again; a process that is stopped keeps its lock"
            )
        case .cannotRead(let path, let reason):
            ErrorWords("the vault \(path) cannot be read: \(reason.uncapitalized)")
        case .cannotWrite(let path, let reason):
            ErrorWords("nothing was changed: the vault \(path) cannot be written: \(reason.uncapitalized)")
        case .couple(let error): error.words
        case .answer(let error): error.words
        case .rekey(let error): error.words
        case .verification(let error): error.words
        case .pairing(let error): error.words
        }
    }
}
