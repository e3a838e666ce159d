internal import CloserFiles
internal import CloserKeys
internal import CloserTink
package import CloserWire

/// What an error of a vault says to a person who uses an app, which shows no path, no key file and not the word vault. A backup
/// throws the same errors as the vault of this device, so these words fit a backup, too.
extension VaultError {
    package var appWords: ErrorWords {
        switch self {
        case .missing: ErrorWords(words.id, "your data is missing on this device", Self.recovery)
        case .exists: ErrorWords(words.id, "there is data of this app on this device already")
        case .notAVault: ErrorWords(words.id, "something else lies where your data should be", Self.recovery)
        case .notAnExport: ErrorWords(words.id, "this is not a backup")
        case .unsupportedVersion:
            ErrorWords(words.id, "another version of this app wrote this data", "update the app")
        case .tooLarge:
            ErrorWords(
                words.id, "this is more data than the app can hold",
                "forget a couple that has ended, or choose another backup")
        case .authenticationFailed:
            ErrorWords(
                words.id, "this key or passphrase does not open your data",
                "type the passphrase again, or \(Self.phrase)")
        case .otherProtection:
            ErrorWords(words.id, "a key opens your data, and no passphrase, or the reverse")
        case .formerCredential:
            ErrorWords(words.id, "this key or passphrase protects your data already", "choose another one")
        case .keyMalformed: ErrorWords(words.id, "the key to your data is damaged", Self.recovery)
        case .costsRefused: ErrorWords(words.id, "this data asks for too much memory or time")
        case .damaged:
            ErrorWords(words.id, "this data is damaged", "use a whole backup, or \(Self.phrase)")
        case .rolledBack:
            ErrorWords(
                words.id, "this is an older copy of your data, or a different one",
                "if you restored a backup, accept it; if not, an attacker may have put it there")
        case .replaced: ErrorWords(words.id, "other data lies where yours should be", Self.recovery)
        case .busy: ErrorWords(words.id, "your data is in use", "try again")
        case .cannotRead:
            ErrorWords(
                words.id, "your data cannot be read",
                "try again once this device is unlocked and connected")
        case .cannotWrite(_, FileError.fullDisk): .fullDevice(words.id)
        case .cannotWrite:
            ErrorWords(words.id, "nothing was changed: your data cannot be written", "try again")
        case .outdated:
            ErrorWords(words.id, "nothing was changed: another device of yours was faster", "try again")
        case .mayBeWritten:
            ErrorWords(words.id, "this change may be stored: the server did not answer", "try again")
        case .couple(let error): error.appWords
        case .pairing(let error): error.appWords
        case .unwrap(let error): error.appWords
        case .rekeyDocument(let error): error.appWords
        case .chat(let error): error.appWords
        case .keyset(.noSuchKey), .keyset(.isPrimary): words
        case .keyset(let error): error.appWords
        default: words
        }
    }

    private static let phrase = "recover your data with your recovery phrase"
    private static let recovery = "\(phrase), or pair again"
}

extension CoupleError {
    package var appWords: ErrorWords {
        switch self {
        case .missing: ErrorWords(words.id, "this device has no such couple")
        case .exists: ErrorWords(words.id, "this device has that couple already")
        case .phraseNotKept:
            ErrorWords(
                words.id, "this device does not keep your recovery phrase", "use the one on your paper")
        case .noInvite:
            ErrorWords(
                words.id, "no invite was made on this device", "the device that made the couple has it")
        default: words
        }
    }
}

extension PairingStepError {
    package var appWords: ErrorWords {
        guard case .olderCopy = self else { return words }
        return ErrorWords(
            words.id, "this device was restored, and may lack a record of codes that were typed before",
            words.advice)
    }
}

extension ChatError {
    package var appWords: ErrorWords {
        guard case .keyGone(isOlderCopy: true) = self else { return words }
        return ErrorWords(words.id, "this device was restored, and lacks a key", "ask for the message again")
    }
}

extension FileStreamError {
    package var appWords: ErrorWords {
        switch self {
        case .exists: ErrorWords(words.id, "there is a file of this name already", "choose another name")
        case .isInput: ErrorWords(words.id, "a file cannot be written over itself", "choose another name")
        case .cannotRead: ErrorWords(words.id, "this file cannot be read", "choose the file again")
        case .cannotWrite(_, FileError.fullDisk): .fullDevice(words.id)
        case .cannotWrite:
            ErrorWords(words.id, "nothing was changed: this file cannot be written", "try again")
        case .sealing, .opening, .otherFile: words
        }
    }
}

extension ErrorWords {
    fileprivate static func fullDevice(_ id: ErrorID) -> ErrorWords {
        ErrorWords(id, "this device is full: nothing was changed", "make room, then try again")
    }
}
