package import CloserWire

/// Why a step with an answer failed. The vault holds what it held, except that a conflict may have been noted.
public enum AnswerError: Error, Equatable, Sendable {
    /// We have an answer there already; replacing is possible until it is released or theirs is revealed.
    case exists(isReplaceable: Bool)
    /// We have no answer there.
    case notSealed
    /// We have this many answers to the question. Name the place.
    case severalPlaces(Int)
    /// The question's name begins with `ck.`, which is reserved.
    case reservedQuestion
    /// It was released and theirs is revealed, so its text is kept no more.
    case textNotKept
    /// This vault lacks its one-time key: it was forgotten, or a former device sealed it.
    case keyNotKept
    /// The document that the caller passed as our answer names another user or question, or commits to another answer than ours.
    case otherOwnAnswer
    /// An archive is made once our answer is released.
    case notReleased
    /// The server may hold the key that opens an archive, and the caller did not allow that.
    case archiveReadable
    /// It must be released, theirs revealed, and an archive kept, before it may be forgotten. Or the archive does not open here.
    case notArchived
    /// The partner is ourselves.
    case partnerIsSelf
    /// The document is of another user or another question.
    case otherAnswer
    /// The partner's commitment is ours: copied.
    case ownCommitment
    /// It was released before, to another person.
    case releasedToAnother
    /// The partner had another key before.
    case partnerKeyChanged
    /// The given partner key is this device's own.
    case partnerKeyIsOurs
    /// The partner's key is unverified.
    case notVerified
    /// The partner has yet to release it.
    case noKeybox
    /// The keybox is for another user.
    case keyboxForAnother
    /// Its author is unproven. If `isFinal`, every answer of this partner must carry a proof: an earlier one did, or the two were
    /// paired.
    case unauthenticated(isFinal: Bool)
    /// Its MAC is valid only under a key that the server may have, although the couple's key is private. Where a former device of ours
    /// sealed our answer, the caller may allow it.
    case serverForgeable(isOfFormerDevice: Bool)
}

// MARK: - In words

extension AnswerError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .exists(true):
            ErrorWords(
                .inputRequired, "you have already answered this question", "replace your answer, or keep it")
        case .exists(false):
            ErrorWords(
                .notYet,
                "your answer is released or the partner's is revealed, so it can no longer be replaced")
        case .notSealed:
            ErrorWords(
                .notYet, "you have not answered this question",
                "seal yours, unless your former phone did: then pass the document that it sealed to the reveal",
                typing: "closer-keys answer seal, or answer reveal --own")
        case .severalPlaces(let count):
            ErrorWords(
                .inputRequired, "you have \(count) answers to this question", "say which by its place",
                typing: "--place")
        case .reservedQuestion: ErrorWords(.malformed, "question ids that begin with ck. are reserved")
        case .textNotKept:
            ErrorWords(
                .noKey, "the text of your answer is no longer kept: it is released, and theirs is revealed",
                "fetch your document from the app's server; for an archive, pass it, with its question and place",
                typing: "--own")
        case .keyNotKept:
            ErrorWords(
                .noKey,
                "this device lacks your answer's one-time key: another one sealed it, or it was forgotten",
                "open the archive of both answers, or let your partner make one",
                typing: "closer-keys field open --place ck.answers/PLACE/QUESTION")
        case .otherOwnAnswer:
            ErrorWords(
                .authFailed, "the document is not your answer to this question",
                "pass your own document, as the app's server has it", typing: "--own")
        case .notReleased:
            ErrorWords(
                .notYet, "your answer is not released, and your partner can open an archive of it",
                "release yours first", typing: "closer-keys answer release")
        case .archiveReadable:
            ErrorWords(
                .inputRequired, "the server may hold the key that opens this archive",
                "pair first, or accept that the server can read both answers", typing: "--yes")
        case .notArchived:
            ErrorWords(
                .notYet,
                "this answer stays: it waits for its release, its reveal, or an archive under a key that is here",
                "once both are released, make an archive", typing: "closer-keys answer reveal --archive-out")
        case .partnerIsSelf: .partnerIsSelf
        case .otherAnswer:
            ErrorWords(
                .authFailed, "the partner's document belongs to another user or another question",
                "check that it is the right document, of this partner and this question")
        case .ownCommitment:
            ErrorWords(
                .commitmentMismatch, "the partner's commitment is a copy of yours",
                "the server has copied your answer")
        case .releasedToAnother: ErrorWords(.pinMismatch, "your answer was released to another person before")
        case .partnerKeyChanged:
            ErrorWords(
                .partnerKeyMismatch, "the partner had another key before",
                "compare safety numbers: if they agree, the partner has a new device, and its key is accepted",
                typing: "closer-keys couple verify")
        case .partnerKeyIsOurs:
            ErrorWords(
                .partnerKeyMismatch, "this is this device's own key, not the partner's",
                "the server has swapped the two; ask your partner for theirs")
        case .notVerified:
            ErrorWords(
                .notYet, "this partner's key was never compared", "compare safety numbers",
                typing: "closer-keys couple verify")
        case .noKeybox:
            ErrorWords(
                .notYet, "there is no key to the partner's answer here",
                "if they have released it, pass what they released", typing: "--release")
        case .keyboxForAnother:
            ErrorWords(
                .noKey, "the keybox is for another user", "your partner must release to this device's user",
                typing: "closer-keys device show")
        case .unauthenticated(let isFinal):
            ErrorWords(
                .unauthenticated, "nothing proves who wrote this answer",
                isFinal
                    ? "do not trust this answer: this partner's app proves its answers"
                    : "allow it only if the partner's app is known to seal without proof",
                typing: isFinal ? nil : "--allow-unauthenticated")
        case .serverForgeable(let isOfFormerDevice):
            ErrorWords(
                .serverForgeable,
                "this answer is proven under a key that the server may hold, and was not pinned before the rekey or the pairing",
                isOfFormerDevice
                    ? "if you read it on your former phone, or your partner tells you the same, allow it"
                    : "if the question is still open, have your partner seal the answer again",
                typing: isOfFormerDevice ? "--allow-unauthenticated" : nil)
        }
    }
}
