internal import CloserFiles
public import CloserKeys

/// Our own answer as the app's server has it: for a phone that replaces the one that sealed it, or that no longer keeps its text.
public struct OwnAnswer: Sendable {
    /// What the server stores of our answer. It is unchecked.
    public let document: AnswerDocument
    /// Where it belongs, as the caller knows it.
    public let place: AnswerPlace

    /// Combines the two. The vault checks that they match what it holds.
    public init(_ document: AnswerDocument, at place: AnswerPlace) {
        (self.document, self.place) = (document, place)
    }
}

extension Couple {
    /// Whether a former device of ours may have sealed an answer at `place`. It may have until the day after this device got the couple's
    /// older keys: an app's day may begin before that of UTC. Without this limit a server could show us the partner's answer to a new question.
    fileprivate func mayHaveAnswered(at place: AnswerPlace) -> Bool {
        guard let recoveredAt else { return false }
        return place.isThread || place.text <= "daily:\(WallClock.text(recoveredAt + 86_400).prefix(10))"
    }
}

extension Transaction {
    /// Our answer, or else what its document says of it: then the vault gets our commitment, and no key.
    func answer(_ name: AnswerName, or own: OwnAnswer) throws(VaultError) -> StoredAnswer {
        let document = own.document
        guard try document.userID == device.userID, document.questionID == name.question,
            name.place ?? own.place == own.place
        else { throw .answer(.otherOwnAnswer) }
        let couple = try couple(name.couple)
        let id = StoredAnswer.id(name.couple, name.question, own.place)
        let known = try record(StoredAnswer.self, id)
        guard known != nil || couple.mayHaveAnswered(at: own.place) else { throw .answer(.notSealed) }
        let stored = known ?? StoredAnswer(own, of: name.couple)
        guard stored.commitment.isEqual(to: document.commitment) else { throw .answer(.otherOwnAnswer) }
        return stored
    }
}
