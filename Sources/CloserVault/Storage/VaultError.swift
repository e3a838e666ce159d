internal import CloserFiles
public import CloserPrimitives
package import CloserWire

/// Why a vault did not open or change. After any of them but ``diverged(path:)`` it holds what it held before; after
/// ``unsettled(path:reason:)`` somebody may yet change that.
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
    /// Somebody has locked it with something else since it was opened here: whoever goes on with it opens it again.
    case lockedAnew(path: String)
    /// The change was written, but somebody exchanged the file meanwhile: there is, or was, another one that it is not in.
    case diverged(path: String)
    /// The change was not made, but somebody may have its file, and can put it in place later: it counts then where nobody remembers
    /// that it was given up, as on another machine. `reason` is why it was not made.
    case unsettled(path: String, reason: String)
    /// The file is another vault than the one that was seen.
    case replaced(path: String)
    /// Other processes kept it locked for longer than half a minute, or changed what was looked at.
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
    /// A step of a pairing was not taken.
    case pairing(PairingStepError)
}

extension VaultError {
    /// Whether a look at the vault can fail so: whoever throws this has changed nothing.
    package var isOfReading: Bool {
        switch self {
        case .missing, .notAVault, .formerFormat, .unsupportedVersion, .tooLarge, .damaged, .rolledBack,
            .lockedAnew, .replaced, .cannotRead, .cannotRecall, .busy, .outOfMemory, .couple(.unknown):
            true
        default: false
        }
    }

    init(_ error: FileError) {
        self =
            switch error {
            case .cannotOpen(let path, let reason), .readFailed(let path, let reason):
                .cannotRead(path: path, reason: reason)
            case .cannotCreate(let path, let reason), .writeFailed(let path, let reason):
                .cannotWrite(path: path, reason: reason)
            case .foreign(let path): .cannotWrite(path: path, reason: error.reason)
            case .exists(let path), .isInput(let path): .exists(path: path)
            case .tooLarge: .tooLarge
            }
    }

    /// Whether the change is made all the same, or somebody may yet make it so.
    package var mayBeStored: Bool {
        switch self {
        case .diverged, .unsettled: true
        default: false
        }
    }

    /// The same of a change whose file somebody may have.
    func unsettled(path: String) -> VaultError {
        guard case .cannotWrite(_, let reason) = self else {
            return .unsettled(path: path, reason: words.message)
        }
        return .unsettled(path: path, reason: reason)
    }

    /// For what is remembered, and not the vault itself.
    init(recalling error: FileError) {
        self =
            switch error {
            case .cannotOpen(let path, let reason), .readFailed(let path, let reason),
                .cannotCreate(let path, let reason), .writeFailed(let path, let reason):
                .cannotRecall(path: path, reason: reason)
            case .exists(let path), .foreign(let path), .isInput(let path), .tooLarge(let path, _):
                .cannotRecall(path: path, reason: "Is not what this machine wrote")
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
        case .formerFormat:
            ErrorWords(
                "this vault was made before the first release, and its format is no longer read",
                "make a new one, then recover the couple with its phrase")
        case .notAnExport: ErrorWords("this is not an export of a vault")
        case .tooLarge:
            ErrorWords(
                "a vault has at most \(Vault.maximumByteCount) bytes",
                "forget couples that are over; if it never was so large, something else lies there: move that away"
            )
        case .unsupportedVersion: ErrorWords("this vault has a version that this program does not know")
        case .authenticationFailed: ErrorWords("it does not open with this key file or passphrase")
        case .otherProtection:
            ErrorWords("it is locked with a passphrase instead of a key file, or the other way round")
        case .keyFileMalformed: ErrorWords("a vault's key file has exactly 32 bytes")
        case .passphraseLength: ErrorWords("a passphrase has 1 to 1024 bytes")
        case .costsRefused: ErrorWords("it asks for costs of Argon2id outside 64 MiB to 1 GiB")
        case .outOfMemory(let shortage): ErrorWords(shortage.message, shortage.advice)
        case .damaged:
            ErrorWords(
                "this vault is damaged: something other than closer-keys changed it",
                "move the file away, and restore the vault from an export")
        case .rolledBack(let path):
            ErrorWords(
                "\(path) is older than what this machine saw of this vault, or diverged from it",
                "if you put it there yourself, open it without the state that you remember; what the newer one had seen is given up then: pins, and partners that were verified"
            )
        case .lockedAnew(let path):
            ErrorWords("\(path) was locked with something else meanwhile", "open it again")
        case .diverged(let path):
            ErrorWords(
                "the change was written, but somebody exchanged \(path) meanwhile: the vault may be without it",
                "look at the vault before you repeat anything")
        case .unsettled(let path, let reason):
            ErrorWords(
                "\(path) was not written (\(reason.uncapitalized)), but somebody may have what was to be written, and may still put it there",
                "look at the vault before you rely on it, or repeat anything")
        case .replaced(let path):
            ErrorWords("\(path) is another vault than the one that this machine knows there")
        case .busy:
            ErrorWords(
                "other processes keep this vault locked",
                "try again, once none of yours is stopped; if none of yours runs, remove the file beside it whose name ends in .lock"
            )
        case .cannotRead(let path, let reason):
            ErrorWords("the vault \(path) cannot be read: \(reason.uncapitalized)")
        case .cannotWrite(let path, let reason):
            ErrorWords("the vault \(path) cannot be written: \(reason.uncapitalized)")
        case .cannotRecall(let path, let reason):
            ErrorWords(
                "what this machine remembers of a vault cannot be read: \(path): \(reason.uncapitalized)",
                "make it readable; if other processes keep it locked, try again; only if you know how it was damaged, remove it, and name the vault's key file once"
            )
        case .couple(let error): error.words
        case .answer(let error): error.words
        case .rekey(let error): error.words
        case .verification(let error): error.words
        case .pairing(let error): error.words
        }
    }
}
