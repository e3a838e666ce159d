public import CloserKeys
public import CloserTink

/// Why nothing was done with an answer. The vault holds what it held, except that a conflict may have been noted.
public enum AnswerError: Error, Equatable, Sendable {
    /// We have an answer there already; replacing is possible until it is released or theirs is revealed.
    case exists(isReplaceable: Bool)
    /// We have none there.
    case notSealed
    /// Several of our answers have that question, so many; name the place.
    case severalPlaces(Int)
    /// The question's name begins with `ck.`, which is reserved.
    case reservedQuestion
    /// The answer cannot be made a payload.
    case payload(AnswerPayload.FormatError)
    /// It was released and theirs is revealed: only its pins are kept, not its text.
    case textNotKept
    /// The partner is ourselves.
    case partnerIsSelf
    /// The document is of another user or another question.
    case otherAnswer
    /// The partner's commitment is ours: copied.
    case ownCommitment
    /// Another commitment than the one that was pinned.
    case pinMismatch
    /// It was released before, to another person.
    case releasedToAnother
    /// The partner had another key before.
    case partnerKeyChanged
    /// What should be the partner's key is this device's.
    case partnerKeyIsOurs
    /// The partner's key was never compared.
    case notVerified
    /// The keybox for the partner cannot be sealed.
    case release(HybridSealError)
    /// The partner has not released it yet.
    case noKeybox
    /// The keybox is for another user.
    case keyboxForAnother
    /// The keybox did not open.
    case keybox(OpenError)
    /// What it held is not a one-time key in the only accepted spelling.
    case oneTimeKey(KeysetError)
    /// A step of the reading order failed.
    case reveal(RevealError)
    /// Nothing proves who wrote it. Final: this partner's answers have always proven it since one did.
    case unauthenticated(isFinal: Bool)
    /// Its MAC holds only under a key that the server may have, although the couple was rekeyed since.
    case serverForgeable
}
