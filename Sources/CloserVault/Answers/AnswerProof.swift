internal import CloserKeys

// An answer that is proven with a key that only this device should have.

extension Vault {
    /// Another device has a key that only this device had, if an answer is proven with it. That is a change of its own: it stays,
    /// also if the answer is refused.
    func exposeIfProven(
        _ theirs: PartnerAnswer, with keybox: ReleaseKeyDocument?, to name: AnswerName
    ) throws(VaultError) {
        guard let keybox, try read({ (now) throws(VaultError) in try now.isNotYetPaired(name.couple) })
        else { return }
        try change { (transaction) throws(VaultError) in
            guard let couple = try transaction.record(Couple.self, Couple.id(name.couple)),
                let answer = try? transaction.answer(name, facing: theirs),
                answer.isProven(theirs, with: keybox, key: couple.key, as: try transaction.device)
            else { return }
            try transaction.exposeUnpaired(name.couple)
        }
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
