internal import CloserFiles
public import CloserKeys
public import CloserPrimitives
public import CloserTink
package import CloserWire

/// Why a vault failed to open or to change. It holds what it held before.
///
/// Each failure has one case. An error inside a case is the last one, except in ``unwrap(_:)``, ``rekeyDocument(_:)`` and ``payload(_:)``.
public enum VaultError: Error, Equatable, Sendable {
    /// The file is missing.
    case missing(path: String)
    /// There is a vault already.
    case exists(path: String)
    /// The file is something else than a vault.
    case notAVault(path: String)
    /// The bytes are something else than an export.
    case notAnExport
    /// Written by another version of the program.
    case unsupportedVersion
    /// The vault would have more than ``Vault/maximumByteCount``, or the file that should be one has.
    case tooLarge
    /// Another key file or passphrase, or the sealed key was changed: the two look alike.
    case authenticationFailed
    /// A passphrase protects it and a key file was given, or the other way round.
    case otherProtection
    /// A new vault key needs a new key file or passphrase: an attacker who had the former one would open it.
    case formerCredential
    /// A key file has exactly 32 bytes.
    case keyMalformed
    /// A passphrase has 1 to 1024 bytes.
    case passphraseLength
    /// The key slot asks for costs of Argon2id outside 64 MiB to 1 GiB and one to ten passes.
    case costsRefused
    /// The system refused Argon2id its memory.
    case outOfMemory(MemoryShortage)
    /// A byte of the file was changed.
    case damaged
    /// The file is older than the newest version that was seen, or diverged from it.
    case rolledBack(path: String)
    /// The file is another vault than the one that was seen.
    case replaced(path: String)
    /// Other processes held its lock for longer than half a minute.
    case busy(path: String)
    /// The file system refused to read the file. `reason` is the system's own word.
    case cannotRead(path: String, reason: String)
    /// The file system refused to write the file. `reason` is the system's own word.
    case cannotWrite(path: String, reason: String)
    /// Other devices or processes changed the vault first, each time that this change was tried. Nothing was changed.
    case outdated(path: String)
    /// The server did not answer: the change may be stored, or may yet be. Make the same change again, which finds out. Remove no key that
    /// the change brought, and no code.
    case mayBeWritten(path: String, reason: String)

    /// A step with a couple failed.
    case couple(CoupleError)
    /// A couple's key stays under its phrase, or the phrase under its code.
    case unwrap(UnwrapError)
    /// A document's version or users were refused.
    case migration(MigrationError)
    /// A step with an answer failed; a conflict may have been noted.
    case answer(AnswerError)
    /// A rekey failed.
    case rekey(RekeyError)
    /// The partner's rekey stays closed.
    case rekeyDocument(RekeyDocumentError)
    /// A verification failed.
    case verification(VerificationError)
    /// A step of a pairing failed.
    case pairing(PairingStepError)
    /// A step of a chat failed.
    case chat(ChatError)
    /// The cryptography of a pairing refused a document. If the document is a reply, this is the verdict, which closes the offer, and
    /// `failures` counts the replies in a row that were made with another code.
    case refused(PairingError, failures: Int = 0)
    /// The answer is unfit for a payload.
    case payload(AnswerPayloadError)
    /// The keybox of a release stays closed.
    case keybox(OpenError)
    /// A step of an answer's reading order failed.
    case reveal(RevealError)
    /// A keybox opened to no key in the only accepted spelling, or the couple's key cannot be retired.
    case keyset(KeysetError)
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

extension VaultError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .missing(let path):
            ErrorWords(.noInput, "there is no vault at \(path)", "make one, or name another file")
        case .exists(let path): ErrorWords(.inputRequired, "\(path) is a vault already", "name another file")
        case .notAVault(let path): ErrorWords(.malformed, "\(path) is not a vault", "name another file")
        case .notAnExport: ErrorWords(.malformed, "this is not an export of a vault")
        case .tooLarge:
            ErrorWords(
                .limit, "a vault has at most \(Vault.maximumByteCount) bytes",
                "move it away if it is another file, or forget couples", typing: "closer-keys couple forget")
        case .unsupportedVersion:
            ErrorWords(.unsupportedVersion, "another version of closer-keys made this vault")
        case .authenticationFailed:
            ErrorWords(
                .authFailed, "this key file or passphrase does not open it",
                "if another device of yours made a new key, link this one again",
                typing: "closer-keys device join")
        case .otherProtection: ErrorWords(.malformed, "a key file opens it, not a passphrase, or the reverse")
        case .formerCredential:
            ErrorWords(.inputRequired, "this key file or passphrase protects it already", "name another one")
        case .keyMalformed: ErrorWords(.malformed, "a vault's key file has exactly 32 bytes")
        case .passphraseLength: ErrorWords(.malformed, "a passphrase has 1 to 1024 bytes")
        case .costsRefused: ErrorWords(.malformed, "it asks for costs of Argon2id outside 64 MiB to 1 GiB")
        case .outOfMemory(let shortage): shortage.words
        case .damaged:
            ErrorWords(
                .malformed, "this vault is damaged: a program other than closer-keys changed it",
                "run this again; if it stays so, move the file away, and restore the vault from an export",
                typing: "closer-keys device import")
        case .rolledBack(let path):
            ErrorWords(
                .vaultRolledBack,
                "\(path) is older than the vault that was seen last, or diverged from it",
                "if you put it there yourself, accept it", typing: "closer-keys device accept-older")
        case .replaced(let path):
            ErrorWords(
                .vaultReplaced, "\(path) is another vault than the one that was seen there",
                "move it away, and bring back yours; if this one is yours, too, accept it",
                typing: "closer-keys device accept-older")
        case .busy(let path):
            ErrorWords(
                .ioError, "another process holds the lock of \(path)",
                "try again; a process that is stopped keeps its lock")
        case .cannotRead(let path, let reason):
            ErrorWords(
                .ioError, "the vault \(path) cannot be read: \(reason.uncapitalized)", of: path, reason)
        case .cannotWrite(let path, FileError.fullDisk):
            ErrorWords(.ioError, "the disk of \(path) is full: nothing was changed", "make room")
        case .cannotWrite(let path, let reason):
            ErrorWords(
                .ioError, "nothing was changed: the vault \(path) cannot be written: \(reason.uncapitalized)",
                of: path, reason)
        case .outdated(let path):
            ErrorWords(
                .ioError, "nothing was changed: others changed the vault \(path) first",
                "run the same command again")
        case .mayBeWritten(let path, let reason):
            ErrorWords(
                .ioError, "the vault \(path) may be changed: no answer came (\(reason.uncapitalized))",
                "run the same command again, which finds out")
        case .couple(let error): error.words
        case .unwrap(let error): error.words
        case .migration(let error): error.words
        case .answer(let error): error.words
        case .rekey(let error): error.words
        case .rekeyDocument(let error): error.words
        case .verification(let error): error.words
        case .pairing(let error): error.words
        case .chat(let error): error.words
        case .refused(let error, let failures): error.words(failures: failures)
        case .payload(let error): error.words
        case .keybox(.noMatchingKey):
            ErrorWords(
                .noKey, "the keybox is sealed to a key that this device does not have",
                "your partner must release to this device's key, once it is verified",
                typing: "closer-keys answer release")
        case .keybox(let error): error.words
        case .reveal(let error): error.words
        case .keyset(.noSuchKey(let id)):
            ErrorWords(
                .noKey, "this couple has no key \(id)", typing: "closer-keys couple show lists its keys")
        case .keyset(.isPrimary(let id)):
            ErrorWords(.notYet, "key \(id) is the one that seals", "rekey first, which makes another")
        case .keyset(let error): error.words
        }
    }
}
