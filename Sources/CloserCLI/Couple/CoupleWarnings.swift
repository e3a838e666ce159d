internal import CloserKeys
internal import CloserVault

extension Vault {
    /// Runs what may end a couple's private state, and says so if it has: also if it failed at last.
    func tellingLoss<Result>(of whole: CoupleOverview, _ body: () throws -> Result) throws -> Result {
        defer { if whole.state?.isPrivate ?? false { warnOfLoss(of: whole.id) } }
        return try body()
    }

    private func warnOfLoss(of id: CoupleID) {
        switch try? pairingState(of: id).isPrivate {
        case true?: break
        case false?:
            Diagnostics.warn(
                "\(id.text) is no longer private: its partner was added without a pairing, or has another device; pair again"
            )
        case nil:
            Diagnostics.warn(
                "the vault has become unreadable, and \(id.text) may no longer be private; couple show tells you"
            )
        }
    }

    func existingCouple(_ id: CoupleID) throws -> Couple? {
        try coupleIDs.contains(id) ? couple(id) : nil
    }
}

extension Couple {
    /// Says that `other`, from a document, adds keys to this one, which is the device's.
    func tellNewKeys(_ other: CoupleKey) {
        guard !knowsAllKeys(of: other) else { return }
        Diagnostics.warn(
            "the document has keys that are new to this device: if your partner did not make them, a reader of the phrase did"
        )
    }
}

extension Couple {
    /// Says that the couple's document has been replaced, perhaps under a new phrase.
    func tellNewPhrase(of now: Couple) {
        guard wrap != now.wrap else { return }
        Diagnostics.note(
            "the couple's document has changed, and opens with the phrase that came with it")
    }
}
