internal import CloserKeys
internal import CloserVault

extension Couple.PhraseState {
    /// The word in JSON.
    var name: String {
        switch self {
        case .notConfirmed: "notConfirmed"
        case .confirmed: "confirmed"
        case .rehearsed: "rehearsed"
        }
    }
}

extension CoupleOverview {
    /// Says that a phrase was shown, and is still to be confirmed.
    func notePhrase() {
        guard couple?.phrase == .notConfirmed else { return }
        Diagnostics.note(
            "the recovery phrase of \(id.text) is not confirmed",
            next: wayToPhrase)
    }

    /// The command that brings a person the phrase: the one that is kept, or else another.
    var wayToPhrase: String {
        NextCommand.line("couple \(keepsPhrase ? "phrase" : "rewrap") \(id.option)")
    }
}
