public import CloserKeys
public import CloserTink

/// Why nothing was done with an answer. The vault holds what it held, but for the note that something was in conflict.
public enum AnswerError: Error, Equatable, Sendable {
    /// We have an answer there already; replacing is possible until it is released or theirs is revealed.
    case exists(isReplaceable: Bool)
    /// We have none there.
    case notSealed
    /// There are this many with that question: say which place.
    case severalPlaces(Int)
    /// The partner is ourselves.
    case partnerIsSelf
    /// The document is of another user or another question.
    case otherAnswer
    /// The partner's commitment is ours: copied.
    case ownCommitment
    /// Not what was seen before.
    case pinMismatch
    /// It was released before, to another person.
    case releasedToAnother
    /// The partner had another key before.
    case partnerKeyChanged
    /// What should be the partner's key is this device's.
    case partnerKeyIsOurs
    /// The partner's key was never compared.
    case notVerified
    /// The partner has not released it yet.
    case noKeybox
    /// The keybox is for another user.
    case keyboxForAnother
    /// The keybox did not open.
    case keybox(OpenError)
    /// It held no one-time key in its one spelling.
    case oneTimeKey(KeysetError)
    /// A step of the reading order failed.
    case reveal(RevealError)
    /// Nothing proves who wrote it. Final: this partner's answers have always proven it since one did.
    case unauthenticated(isFinal: Bool)
    /// It is proven under a key that the server may hold, after the couple got one that it does not.
    case serverForgeable
}

/// Another answer than the pinned one was shown. It ends as ``AnswerError/pinMismatch``, and is remembered.
struct AnswerConflict: Error {
    /// Whether the couple key shows that the partner wrote it. What anybody can write says nothing once theirs is revealed.
    let isProven: Bool
}
