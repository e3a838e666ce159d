public import CloserKeys
internal import CloserTink

// Answers that an archive keeps leave the vault.

extension AnswerOverview {
    /// Whether ``Vault/forget(answers:)`` accepts it.
    fileprivate func isForgettable(in couple: Couple) -> Bool {
        isReleased && isRevealed && isKeyKept && archiveKeyID.map(couple.opens) ?? false
    }

    /// Whether it belongs to a day before `day`; false for a message in a thread.
    public func isBefore(_ day: AnswerPlace) -> Bool {
        !place.isThread && !day.isThread && place.text < day.text
    }

    /// What names it.
    public var name: AnswerName { AnswerName(couple: couple, question: question, place: place) }
}

extension Vault {
    /// Notes that an archive, as a reveal gave it, is kept: then the answer may be forgotten.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer` with `.notSealed`, `.severalPlaces`, or `.notArchived` if it does not open.
    public func noteArchive(_ archive: FieldToken, of name: AnswerName) throws(VaultError) {
        try change { (transaction) throws(VaultError) in
            var stored = try transaction.answer(name)
            let place = AnswerArchive.fieldPlace(of: stored.question, at: stored.place)
            let opened = try? transaction.couple(name.couple).fieldKey().open(archive, place: place)
            guard let opened, stored.oneTimeKey != nil else { throw .answer(.notArchived) }
            stored.archiveKeyID = opened.keyID
            transaction.put(stored)
        }
    }

    /// Our answers that ``forget(answers:)`` accepts: released, the partner's revealed, and in an archive under a key that this device has.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, or `.damaged`.
    public func forgettableAnswers(of id: CoupleID) throws(VaultError) -> [AnswerOverview] {
        try read { (transaction) throws(VaultError) in
            let couple = try transaction.couple(id)
            return try transaction.answers(of: id).filter { $0.isForgettable(in: couple) }
        }
    }

    /// Drops the keys and releases of our answers. The ids, our commitment and the partner's pin stay: a second choice of the partner's is
    /// still noticed, and a second answer of ours refused. They can be released no more.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer` with `.notSealed`, `.severalPlaces`, or `.notArchived` for one that is not
    ///   among ``forgettableAnswers(of:)``. Then all of them stay.
    public func forget(answers names: [AnswerName]) throws(VaultError) {
        try change { (transaction) throws(VaultError) in
            for name in names {
                var stored = try transaction.answer(name)
                guard stored.overview.isForgettable(in: try transaction.couple(name.couple)) else {
                    throw .answer(.notArchived)
                }
                stored.forget()
                transaction.put(stored)
            }
        }
    }
}
