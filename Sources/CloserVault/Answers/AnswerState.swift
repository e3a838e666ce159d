/// Where a question stands for this device, as `closer-keys answer status` tells it.
public enum AnswerState: String, CaseIterable, Sendable {
    /// We have not answered.
    case unanswered
    /// Ours is sealed, and only we can open it.
    case sealed
    /// Our key is released to the partner.
    case released
    /// Another answer of the partner's than the pinned one was shown: settle this one by talking.
    case conflict
    /// Theirs was opened here. Whether ours is released says ``StoredAnswer/isReleased``.
    case revealed
}

extension StoredAnswer {
    /// Where it stands: the last of sealed, released, conflict and revealed that it came to.
    public var state: AnswerState { overview.state }
}

extension Vault {
    /// Where a question stands.
    ///
    /// It reads the vault's file, which takes about a millisecond.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer(.severalPlaces)`.
    public func state(of name: AnswerName) throws(VaultError) -> AnswerState {
        do { return try answer(name).state } catch .answer(.notSealed) { return .unanswered }
    }
}
