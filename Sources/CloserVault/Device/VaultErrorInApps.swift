internal import CloserFiles
internal import CloserKeys
internal import CloserTink
package import CloserWire

/// What an error of a vault says to a person who uses an app: there, nobody has seen a path, a key file or the word vault.
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
            ErrorWords(words.id, "your data takes too much space", "forget a couple that has ended")
        case .authenticationFailed:
            ErrorWords(words.id, "this key or passphrase does not open your data", Self.recovery)
        case .otherProtection:
            ErrorWords(words.id, "a key opens your data, and no passphrase, or the reverse")
        case .formerCredential:
            ErrorWords(words.id, "this key or passphrase protects your data already", "choose another one")
        case .keyMalformed: ErrorWords(words.id, "the key to your data is damaged", Self.recovery)
        case .costsRefused: ErrorWords(words.id, "this data asks for too much memory or time")
        case .damaged: ErrorWords(words.id, "your data on this device is damaged", Self.recovery)
        case .rolledBack:
            ErrorWords(
                words.id, "this is an older copy of your data",
                "if you restored a backup, accept it; if not, an attacker may have put it there")
        case .replaced: ErrorWords(words.id, "other data lies where yours should be", Self.recovery)
        case .busy: ErrorWords(words.id, "your data is in use", "try again")
        case .cannotRead:
            ErrorWords(words.id, "your data cannot be read", "unlock this device, then try again")
        case .cannotWrite(_, FileError.fullDisk):
            ErrorWords(words.id, "this device is full: nothing was changed", "make room, then try again")
        case .cannotWrite:
            ErrorWords(words.id, "nothing was changed: your data cannot be written", "try again")
        case .couple(let error): error.appWords
        case .pairing(let error): error.appWords
        case .keyset(.notCanonical), .unwrap(.keyset(.notCanonical)), .rekeyDocument(.keyset(.notCanonical)):
            KeysetError.notCanonical.appWords
        default: words
        }
    }

    private static let recovery = "recover it with your recovery phrase, or pair again"
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
