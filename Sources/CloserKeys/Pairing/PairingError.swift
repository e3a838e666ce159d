package import CloserWire

/// Why a step of a pairing failed. The cases are in the order of the checks.
public enum PairingError: Error, Equatable, Sendable {
    /// The code is that of another offer: its first half differs from the offer's.
    case otherCode
    /// The reply or the grant is of another offer.
    case otherOffer
    /// The other side says that it is our own user.
    case ownUser
    /// The other side has our own key: a server reflects what we sent.
    case ownKey
    /// The reply was made with another code, or for another offer than ours. The offer is spent.
    case codeMismatch
    /// Another party than the maker of the offer made this grant.
    case macInvalid
    /// It is authentic, but its content is not in the required form.
    case malformed
    /// The grant is authentic, and its recovery phrase could not come from ``RecoveryPhrase/random(from:)``.
    case phraseRefused
    /// The grant is older than the keys that this device has: its epoch is this, and ours is higher.
    case epochMismatch(UInt32, ours: UInt32)
    /// Both sides have different keys of this id; or the new primary is a key that this device has, or has retired.
    case keyMismatch(UInt32)
    /// An epoch so far above ours that it cannot be an honest count, or one that would be the last of all.
    case epochTooHigh(UInt32)
    /// Both sides together have more keys than a keyset holds.
    case tooManyKeys(maximum: Int)
}

extension PairingError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .otherCode:
            ErrorWords(
                .authFailed, "this code belongs to another offer",
                "check its first half, or ask your partner for the code again: nothing is used up")
        case .otherOffer:
            ErrorWords(.noKey, "this document belongs to another offer")
        case .ownUser:
            ErrorWords(.usage, "the other side has our own user id", "a person cannot pair with themselves")
        case .ownKey:
            ErrorWords(
                .partnerKeyMismatch, "the other side has this device's own key",
                "the server returned what this device sent")
        case .codeMismatch:
            ErrorWords(
                .codeMismatch, "the reply was made with another code, or was changed on its way",
                "make a new offer and tell its code again, by voice: a mistyped code looks the same; after three failures in a row, stop"
            )
        case .macInvalid:
            ErrorWords(
                .macInvalid, "this grant is from another device than the offer",
                "ask your partner to send it again; this device still waits for it")
        case .malformed: ErrorWords(.malformed, "this document is authentic, but not in the required form")
        case .phraseRefused: .phraseRefused
        case .epochMismatch(let epoch, let ours):
            ErrorWords(
                .epochMismatch,
                "these keys are of epoch \(epoch), and this device has those of epoch \(ours)",
                "pair anew")
        case .keyMismatch(let id):
            ErrorWords(
                .keyMismatch, "the two devices disagree about the key \(id)",
                "keep the one that came by a rekey or a pairing, retire the other one where it came by an invite, and pair anew; an id that was retired does not come back on that device"
            )
        case .epochTooHigh(let epoch):
            ErrorWords(
                .limit, "the epoch \(epoch) is too high to be a count of rekeys",
                "the numbers of this couple are used up: make one of another name")
        case .tooManyKeys(let maximum):
            ErrorWords(
                .limit, "both devices together have more than \(maximum) keys",
                "retire old ones, then pair anew")
        }
    }
}
