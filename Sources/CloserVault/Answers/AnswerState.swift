/// The state of a question on this device, as `closer-keys answer status` prints it.
public enum AnswerState: String, CaseIterable, Sendable {
    /// We have not answered.
    case unanswered
    /// Ours is sealed, and only we can open it.
    case sealed
    /// Our key is released to the partner.
    case released
    /// Two different answers of the partner were shown: the two people have to talk.
    case conflict
    /// Theirs was opened here. ``StoredAnswer/isReleased`` tells whether ours is released.
    case revealed
}

extension StoredAnswer {
    /// The last state that it reached, in the order sealed, released, conflict, revealed.
    public var state: AnswerState { overview.state }
}

extension Vault {
    /// The state of a question.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer(.severalPlaces)`.
    public func answerState(of name: AnswerName) throws(VaultError) -> AnswerState {
        do { return try answer(name).state } catch .answer(.notSealed) { return .unanswered }
    }
}
