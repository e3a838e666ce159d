/// An answer that passed every step of the reading order.
public struct RevealedAnswer: Equatable, Sendable {
    /// The payload as its author committed to it: one JSON object in UTF-8, our four members included.
    public let payload: [UInt8]
    /// What the payload was checked against.
    package let commitment: Commitment
    /// The place that its author wrote into it; nil if it bears no MAC.
    public let place: AnswerPlace?
    /// The id of the couple's key under which its MAC holds; nil if it bears no MAC.
    public let macKeyID: UInt32?

    /// A stand-in for a reveal's result, for tests. `payload` is one JSON object.
    package init(
        payload: [UInt8], commitment: Commitment, place: AnswerPlace? = nil, macKeyID: UInt32? = nil
    ) {
        (self.payload, self.commitment) = (payload, commitment)
        (self.place, self.macKeyID) = (place, macKeyID)
    }

    /// The app's own object in canonical form, with our four members taken out: what the author's app gave to be sealed.
    public var answer: [UInt8] {
        guard let answer = try? AnswerPayload.answer(in: payload) else {
            preconditionFailure("a revealed payload is one JSON object")
        }
        return answer
    }

    /// What is known of the author, for a reader who knows how the keys came.
    ///
    /// `privateKeyIDs` are the ids of the couple's keys whose ``KeyOrigin`` is private. A reader who cannot tell how
    /// its keys came, such as one with a keyset file, passes none: every other key counts as one that the server may
    /// hold, which is the weaker claim.
    public func authenticity(privateKeyIDs: Set<UInt32>) -> Authenticity {
        guard let macKeyID else { return .unauthenticated }
        return privateKeyIDs.contains(macKeyID) ? .authenticated : .serverForgeable
    }
}

/// What is known of a revealed answer's author (closer-keys-answer(1), CHECKS).
public enum Authenticity: String, Sendable {
    /// One of the two devices, which alone ever had the key.
    case authenticated
    /// A holder of a couple key that came by an invite or a recovery, or was exposed: perhaps the server.
    case serverForgeable
    /// Unknown: the answer lacks a MAC, and public keys are enough to make one.
    case unauthenticated
}
