internal import CloserFiles
public import CloserKeys
package import CloserWire

/// Why a step of a pairing failed. Unless it says otherwise, the vault holds what it held.
public enum PairingStepError: Error, Equatable, Sendable {
    /// The device answered a partner's offer to this couple, and waits for the grant.
    case answerWaiting
    /// The device has an offer to this couple open itself.
    case offerOpen
    /// The offer is this device's own.
    case ownOffer
    /// The offer is to another couple than the one that was named.
    case otherCouple
    /// The offer is to a couple that is known here, and the caller left its name out. Only the program does.
    case coupleNotNamed(CoupleID)
    /// The reply would hold the couple's keys, and the person has yet to agree to that.
    case wouldSendKeys
    /// The vault was imported or put back at this time, in seconds since 1970, and the person has yet to say that the code was made later.
    case olderCopy(since: UInt64)
    /// This offer was answered here before, or has judged another reply.
    case inviteUsed
    /// The offer is closed: it was judged, cancelled, or its time ran out. An offer that is found to be over is closed by
    /// that.
    case inviteClosed(StoredPairing.Status)
    /// An offer with this code is unknown here for the couple.
    case noOffer
    /// No offer with this code was answered here for the couple.
    case noAnswer
    /// The other side is another user than the one who was named.
    case notTheNamed
    /// The couple has another partner.
    case otherPartner
    /// The partner had another key before.
    case partnerKeyChanged
    /// This device takes part in pairings only.
    case required
    /// What would seal is a key that this device had before it forgot the couple: what became of it since is unknown.
    case keyOfBefore
    /// Something else changed the couple at the same time.
    case changedMeanwhile
}

// MARK: - In words

extension PairingStepError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension PairingStepError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .answerWaiting:
            ErrorWords(
                .notYet, "this device answered an offer to this couple, and waits for the grant",
                "finish that pairing first, or cancel the answer")
        case .offerOpen:
            ErrorWords(
                .notYet, "this device has an offer to this couple open itself",
                "of two offers one is enough: cancel this one, or let your partner accept it")
        case .ownOffer:
            ErrorWords(.usage, "this offer was made on this very device", "your partner accepts it")
        case .otherCouple: ErrorWords(.noKey, "this is an offer to another couple")
        case .coupleNotNamed(let couple):
            ErrorWords(
                .inputRequired,
                "this offer is to \(couple.text), a couple that this device knows, and an offer does not choose whose keys are sent",
                "name the couple, if it is the one that you mean")
        case .wouldSendKeys:
            ErrorWords(
                .inputRequired, "the reply sends every key of this couple to the maker of the code",
                "ask whether they may have them, and send the keys on purpose")
        case .olderCopy(let since):
            ErrorWords(
                .olderCopy,
                "this vault was imported or put back on \(WallClock.text(since)), and may not know which codes were typed before",
                "ask for a code that is made after that, and say that it is new")
        case .inviteUsed:
            ErrorWords(
                .inviteUsed, "this offer was answered before",
                "ask for a new offer, and its code by voice: if this was not you, a server may have guessed"
            )
        case .inviteClosed(let status):
            ErrorWords(.inviteClosed, "this offer is closed: \(status.words)", "make another")
        case .noOffer: ErrorWords(.noKey, "no such offer was made here")
        case .noAnswer: ErrorWords(.noKey, "no such offer was answered here")
        case .notTheNamed:
            ErrorWords(.authFailed, "this is from another user than the partner that was named")
        case .otherPartner:
            ErrorWords(
                .otherPartner, "this couple has another partner",
                "a couple is two people: check that it is the right couple, or make another")
        case .partnerKeyChanged:
            ErrorWords(
                .partnerKeyChanged, "this partner had another key before",
                "if they have a new device, accept its key on purpose")
        case .required:
            ErrorWords(
                .downgrade, "this device insists on pairing by code",
                "pair, or change the policy of the device")
        case .keyOfBefore:
            ErrorWords(
                .keyMismatch, "this pairing brings a key that this device had before it forgot the couple",
                "cancel it, and ask for a new offer, which brings another key")
        case .changedMeanwhile: .changedMeanwhile
        }
    }
}

extension PairingError {
    /// Three failures in a row are more than a slip of the tongue.
    func words(failures: Int) -> ErrorWords {
        guard self == .codeMismatch, failures >= 3 else { return words }
        return ErrorWords(
            words.id, words.message,
            "this was failure \(failures) in a row: the server may be guessing, so stop, and meet")
    }
}

extension StoredPairing.Status {
    /// After "this offer is closed:".
    fileprivate var words: String {
        switch self {
        case .open, .waiting: "no"
        case .granted, .done: "it was used"
        case .burned: "it judged a reply, and did not let its maker in"
        case .failed: "what the answer held could not be taken"
        case .expired: "its time is over"
        case .givenUp: "another one took its place"
        case .cancelled: "it was cancelled"
        }
    }
}
