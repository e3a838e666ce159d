internal import CloserKeys

// An answer that is proven with a key that only this device should have.

extension Transaction {
    /// Another device has a key that only this device had, if an answer is proven with it.
    mutating func exposeIfProven(
        _ theirs: PartnerAnswer, with keybox: ReleaseKeyDocument?, to name: AnswerName, _ own: OwnAnswer?
    ) throws(VaultError) {
        guard let keybox, let couple = try record(Couple.self, Couple.id(name.couple)),
            try isNotYetPaired(couple), let answer = try? answer(name, or: own, facing: theirs),
            answer.isProven(theirs, with: keybox, key: couple.key, as: try device)
        else { return }
        try exposeUnpaired(name.couple)
    }
}

extension StoredAnswer {
    fileprivate func isProven(
        _ theirs: PartnerAnswer, with keybox: ReleaseKeyDocument, key: CoupleKey, as device: Device
    ) -> Bool {
        guard let context = try? context(author: theirs.partner),
            let oneTimeKey = try? OneTimeKey.released(by: keybox.keybox, of: context, to: author, device)
        else { return false }
        let answer = UncheckedAnswer(token: theirs.document.token, commitment: theirs.document.commitment)
        return answer.isProven(with: oneTimeKey, of: context, key: key)
    }
}
