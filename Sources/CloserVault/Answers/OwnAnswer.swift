public import CloserKeys

/// Our own answer as the app's server has it: for a phone that did not seal it, or that no longer keeps its text.
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

extension Transaction {
    /// Our answer, or else what its document says of it: then the vault gets our commitment, and no key.
    func answer(_ name: AnswerName, or own: OwnAnswer) throws(VaultError) -> StoredAnswer {
        let document = own.document
        guard try document.userID == device.userID, document.questionID == name.question,
            name.place ?? own.place == own.place
        else { throw .answer(.otherOwnAnswer) }
        _ = try couple(name.couple)
        let id = StoredAnswer.id(name.couple, name.question, own.place)
        let stored = try record(StoredAnswer.self, id) ?? StoredAnswer(own, of: name.couple)
        guard stored.commitment.isEqual(to: document.commitment) else { throw .answer(.otherOwnAnswer) }
        return stored
    }
}
