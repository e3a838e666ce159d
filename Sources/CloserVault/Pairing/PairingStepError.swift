internal import CloserFiles
public import CloserKeys
public import CloserPrimitives
package import CloserWire

/// Why a step of a pairing failed. Unless it says otherwise, the vault holds what it held.
public enum PairingStepError: Error, Equatable, Sendable {
    /// This device accepted a partner's offer for the couple, and waits for the grant.
    case answerWaiting
    /// This device has an open offer for the couple.
    case offerOpen
    /// The offer is this device's own.
    case ownOffer
    /// The offer is not for the couple that was named.
    case otherCouple
    /// The offer is for a couple that is known here, and the caller left its name out. Only the program does that.
    case coupleNotNamed(CoupleID, KnownCouple)
    /// The reply would hold the couple's keys, and the person has yet to agree to that.
    case wouldSendKeys
    /// The vault was imported or put back at this time, and the person has yet to say that the code was made later.
    case olderCopy(since: Timestamp)
    /// The offer or its code was used here before, or another reply came first.
    case inviteUsed
    /// The offer is closed: it has expired, was cancelled, or received its one reply. A step that finds an offer expired closes it.
    case inviteClosed(StoredPairing.Status)
    /// The offer was made at this time, which the clock has yet to reach. It stays open.
    case offerAhead(Timestamp)
    /// This device made no offer with this code for the couple.
    case noOffer
    /// This device made no reply with this code for the couple.
    case noAnswer
    /// The document is not from the user who was named.
    case notTheNamed
    /// The couple has another partner.
    case otherPartner
    /// The partner had another key before.
    case partnerKeyChanged
    /// The policy of this device requires a pairing.
    case required
    /// The pairing's primary is a key that this device had before it forgot the couple, and others may have got that key since.
    case keyOfBefore
    /// Another call or process changed the couple at the same time.
    case changedMeanwhile

    /// How a vault knows the couple of an offer.
    public enum KnownCouple: Sendable {
        /// It has the couple's key.
        case held
        /// A pairing of the couple began here, and brought no key.
        case unfinished
        /// The couple was forgotten.
        case forgotten
    }
}

// MARK: - In words

extension PairingStepError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .answerWaiting:
            ErrorWords(
                .notYet, "this device accepted an offer for this couple, and waits for the grant",
                "finish that pairing first, or cancel your reply",
                typing: "closer-keys pair finish GRANT, pair accept --couple ID --cancel")
        case .offerOpen:
            ErrorWords(
                .notYet, "this device has an open offer for this couple",
                "let your partner accept it, or cancel it", typing: "closer-keys pair invite --cancel")
        case .ownOffer:
            ErrorWords(.usage, "this offer was made on this device", "let your partner accept it")
        case .otherCouple: ErrorWords(.noKey, "this offer is for another couple")
        case .coupleNotNamed(let couple, _):
            ErrorWords(
                .inputRequired,
                "this offer is for \(couple.text), a couple that this device already knows",
                "name the couple, if that is right", typing: couple.option)
        case .wouldSendKeys:
            ErrorWords(
                .inputRequired, "the reply sends every key of this couple to the maker of the code",
                "send the keys only if you heard the code from your partner", typing: "--yes")
        case .olderCopy(let since):
            ErrorWords(
                .olderCopy,
                "this vault was imported or put back on \(since.text), and may lack a record of codes that were typed before",
                "ask for a code that was made after that, and confirm that it is new",
                typing: "--code-is-newer")
        case .inviteUsed:
            ErrorWords(
                .inviteUsed, "this offer or its code was used before",
                "ask for a new offer, and its code by voice: if this was not you, the server may have guessed the code"
            )
        case .inviteClosed(let status):
            ErrorWords(
                .inviteClosed, "this offer is closed: \(status.words)", "make another offer",
                typing: "closer-keys pair invite")
        case .offerAhead(let time):
            ErrorWords(
                .notYet, "this offer was made on \(time.text), which is yet to come by this clock",
                "set the clock right, or make another offer",
                typing: "closer-keys pair invite --couple ID --new")
        case .noOffer:
            ErrorWords(
                .noKey, "no such offer was made here", "take the reply to the device that made the offer")
        case .noAnswer:
            ErrorWords(
                .noKey, "no such offer was accepted here", "take the grant to the device that made the reply")
        case .notTheNamed:
            ErrorWords(
                .authFailed, "this document is not from the partner that you named",
                "check the partner, and that it is the right document")
        case .otherPartner:
            ErrorWords(
                .otherPartner, "this couple has another partner",
                "check the couple and the partner; only an unverified partner can be replaced: ask them first",
                typing: "--replace-partner")
        case .partnerKeyChanged:
            ErrorWords(
                .partnerKeyChanged, "this partner had another key before",
                "ask whether they have a new device, and only then accept its key",
                typing: "--partner-has-new-key")
        case .required:
            ErrorWords(
                .downgrade, "this device insists on pairing by code",
                "pair, or allow legacy invites again",
                typing: "closer-keys pair invite, device policy --no-require-paired")
        case .keyOfBefore:
            ErrorWords(
                .keyMismatch, "this pairing brings a key that this device had before it forgot the couple",
                "cancel this pairing, and ask for a new offer, which brings a new key",
                typing: "closer-keys pair accept --cancel")
        case .changedMeanwhile: .changedMeanwhile
        }
    }
}

extension PairingError {
    /// Three failures in a row are more than a slip of the tongue.
    func words(failures: Int) -> ErrorWords {
        guard self == .codeMismatch, failures >= 3 else { return words }
        return words.advising(
            "stop, and meet: this was failure \(failures) in a row, and the server may be guessing")
    }
}

extension StoredPairing.Status {
    /// After "this offer is closed:".
    fileprivate var words: String {
        switch self {
        case .open, .waiting: "no"
        case .granted, .done: "it was used"
        case .burned: "a reply with a wrong code was received, or its check was interrupted"
        case .failed: "the keys in the reply were unusable"
        case .expired: "it has expired"
        case .givenUp: "a later reply replaced yours, or you verified another key or forgot the couple"
        case .cancelled: "it was cancelled, or the couple was paired again or forgotten since"
        }
    }
}
