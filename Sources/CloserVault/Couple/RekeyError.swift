package import CloserWire

/// Why a rekey failed. The vault holds what it held.
public enum RekeyError: Error, Equatable, Sendable {
    /// The partner is ourselves.
    case partnerIsSelf
    /// This partner's key is unverified on this device.
    case notVerified
    /// The partner must send the rekey.
    case partnerSends
    /// This device must send the rekey.
    case weSend
    /// It is for another user.
    case forAnother
    /// Another user than the partner sent it.
    case fromAnother
    /// Its epoch is not the next one: it is old, or an earlier rekey is missing.
    case epoch(UInt32, expected: UInt32)
    /// Its epoch is the last possible number.
    case epochTooHigh(UInt32)
    /// It lacks a key that this device holds: the primary, or another one.
    case losesKeys(primary: Bool)
    /// Its primary is one that this device holds already.
    case oldPrimary
    /// The couple has as many keys as a keyset may have.
    case tooManyKeys
    /// Another call or process changed the couple at the same time.
    case changedMeanwhile
}

// MARK: - In words

extension RekeyError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .partnerIsSelf: .partnerIsSelf
        case .notVerified:
            ErrorWords(
                .notYet, "this partner's key was never compared on this device",
                "compare safety numbers first", typing: "closer-keys couple verify")
        case .partnerSends:
            ErrorWords(
                .notYet, "the partner sends the new key, because their user id sorts first",
                "rekey on their device, and accept here",
                typing: "closer-keys couple rekey, couple rekey --accept")
        case .weSend:
            ErrorWords(
                .notYet, "this device sends the new key, because its user id sorts first",
                "rekey here, and accept on your partner's device",
                typing: "closer-keys couple rekey, couple rekey --accept")
        case .forAnother: ErrorWords(.noKey, "this rekey is for another user")
        case .fromAnother:
            ErrorWords(
                .authFailed, "this rekey is from another user than the partner",
                "check who the partner is, and that it is the right document")
        case .epoch(let epoch, let expected):
            ErrorWords(
                .epochMismatch, "this is rekey \(epoch), and this device expects \(expected)",
                epoch < expected
                    ? "it is an old one; if your partner's device was recovered, it must send one of epoch \(expected)"
                    : "it brings every key: ask your partner for the one before, or allow the gap",
                typing: epoch < expected
                    ? "closer-keys couple rekey --new --epoch \(expected)" : "--allow-gap")
        case .epochTooHigh(let epoch):
            ErrorWords(
                .limit, "the epoch \(epoch) is too high to be a count of rekeys",
                "pass a lower epoch; if you passed none, the epochs of this couple are used up: make a couple with another id"
            )
        case .losesKeys(primary: true):
            ErrorWords(
                .keyMismatch,
                "the key that seals on this device is not in this rekey: the two devices went on with different keys",
                "pair again, which unites them", typing: "closer-keys pair invite")
        case .losesKeys(primary: false):
            ErrorWords(
                .keyMismatch, "a key that this device holds is not in this rekey",
                "if your partner retired it, retire it here, too; what is retired does not come back",
                typing: "closer-keys couple retire")
        case .oldPrimary:
            ErrorWords(
                .keyMismatch,
                "this rekey brings no new key: its primary is one that this device has, or had before it forgot the couple"
            )
        case .tooManyKeys:
            ErrorWords(
                .limit, "a couple has at most 32 keys", "retire old ones", typing: "closer-keys couple retire"
            )
        case .changedMeanwhile: .changedMeanwhile
        }
    }
}
