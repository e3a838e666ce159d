internal import CloserKeys
internal import CloserVault

extension Vault {
    /// Runs what may end a couple's private state, and says so if it has.
    func tellingLoss<Result>(of id: CoupleID, _ body: () throws -> Result) throws -> Result {
        let wasPrivate = try state(of: id).isPrivate
        let result = try body()
        if wasPrivate, try !state(of: id).isPrivate {
            Messages.warn(
                "\(id.text) is private no longer: a partner came without a pairing, or has another device; pair anew to make it so"
            )
        }
        return result
    }
}

extension Couple {
    /// Says that the couple's document is another one from now on, so that an older phrase may not open it.
    func tellNewPhrase(of now: Couple) {
        guard wrap != now.wrap else { return }
        Messages.warn(
            "the couple's document has changed, and opens with the phrase that came with it; couple rewrap makes another"
        )
    }
}
