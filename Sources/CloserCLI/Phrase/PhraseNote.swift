#if CommandLine
internal import CloserKeys
internal import CloserVault

extension PhraseState {
    /// As JSON shows it.
    var name: String {
        switch self {
        case .notConfirmed: "notConfirmed"
        case .confirmed: "confirmed"
        case .rehearsed: "rehearsed"
        }
    }
}

extension Vault {
    /// Says that a phrase was shown, and that nobody has said since that they have it.
    func notePhrase(of id: CoupleID) throws {
        guard try couple(id).phrase == .notConfirmed else { return }
        Diagnostics.note(
            "the recovery phrase of \(id.text) is not confirmed: closer-keys couple rewrap --couple \(id.text) makes another"
        )
    }
}
#endif
