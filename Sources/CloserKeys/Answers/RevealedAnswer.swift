/// An answer that passed every step of the reading order; ``UncheckedAnswer`` makes it.
public struct RevealedAnswer: Equatable, Sendable {
    /// The payload as its author committed to it: one JSON object in UTF-8, our four members included.
    public let payload: [UInt8]
    /// What the payload was checked against.
    public let commitment: Commitment
    /// The place that its author wrote into it; nil if it bears no MAC.
    public let place: AnswerPlace?
    /// The id of the couple's key under which its MAC holds; nil if it bears no MAC.
    public let macKeyID: UInt32?

    /// What a reveal would give: for a test that stands in for it. `payload` is one JSON object.
    public init(
        payload: [UInt8], commitment: Commitment, place: AnswerPlace? = nil, macKeyID: UInt32? = nil
    ) {
        (self.payload, self.commitment) = (payload, commitment)
        (self.place, self.macKeyID) = (place, macKeyID)
    }

    /// The app's own object in canonical form, without our four members: what the author's app gave to be sealed.
    public var answer: [UInt8] {
        guard let answer = try? AnswerPayload.answer(in: payload) else {
            preconditionFailure("a revealed payload is one JSON object")
        }
        return answer
    }

    /// What is known of the author, for a reader who knows how the keys came.
    ///
    /// `privateKeyIDs` are the ids of the couple's keys whose ``KeyOrigin`` is private. A reader who does not know how
    /// its keys came, such as one with a keyset file, passes none: every other key counts as one that the server may
    /// hold, which is the weaker claim.
    public func authenticity(privateKeyIDs: Set<UInt32>) -> Authenticity {
        guard let macKeyID else { return .unauthenticated }
        return privateKeyIDs.contains(macKeyID) ? .authenticated : .serverForgeable
    }
}

/// What is known of a revealed answer's author (closer-keys-answer(1), CHECKS).
public enum Authenticity: String, Sendable {
    /// Somebody with a key that only the two devices ever had.
    case authenticated
    /// Somebody with a couple key that came by an invite or a recovery, or was exposed, so the server may hold it.
    case serverForgeable
    /// Anybody who knows the public keys: the answer bears no MAC.
    case unauthenticated
}
