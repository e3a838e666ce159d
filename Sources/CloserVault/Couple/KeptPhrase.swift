public import CloserKeys

/// The recovery phrase that a person asked this vault to keep. It opens the couple's document: a newer phrase takes its place.
struct KeptPhrase: Record {
    static let kind = RecordKind.keptPhrase
    let phrase: StoredPhrase

    init(_ phrase: StoredPhrase) { self.phrase = phrase }

    static func id(_ couple: CoupleID) -> RecordID { StoredPhrase.id(couple) }
    var recordID: RecordID { phrase.recordID }
    var maximumByteCount: Int { phrase.maximumByteCount }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        phrase = try StoredPhrase(&fields, in: bytes)
    }

    func write(to output: inout OutputSpan<UInt8>) { phrase.write(to: &output) }
}

extension Vault {
    /// Keeps a couple's recovery phrase, so that ``phrase(of:)`` shows it. A later step that makes or brings another phrase keeps that one in its
    /// place. It blocks for Argon2id, some 0.1 s.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.missing` or `.changedMeanwhile`; `.unwrap(.wrongPhrase)` if it does not open the couple's
    ///   document; `.pairing(.answerWaiting)`.
    public func keepPhrase(_ phrase: borrowing RecoveryPhrase, of id: CoupleID) throws(VaultError) {
        let wrap = try couple(id).wrap
        _ = try CoupleKey(of: wrap, phrase)
        let kept = KeptPhrase(StoredPhrase(phrase, of: id))
        try change { (transaction) throws(VaultError) in
            guard try transaction.couple(id).wrap == wrap else { throw .couple(.changedMeanwhile) }
            transaction.put(kept)
        }
    }

    /// The recovery phrase that this vault keeps of a couple since ``keepPhrase(_:of:)``.
    ///
    /// It opens the couple's document. Let a person prove who they are before you show it.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.missing` or `.phraseNotKept`; `.pairing(.answerWaiting)`.
    public func phrase(of id: CoupleID) throws(VaultError) -> RecoveryPhrase {
        let kept = try read { (transaction) throws(VaultError) in
            _ = try transaction.couple(id)
            return try transaction.keptPhrase(of: id)
        }
        guard let kept else { throw .couple(.phraseNotKept) }
        return try kept.phrase.phrase()
    }

    /// Whether this vault keeps the couple's recovery phrase, and will keep each newer one. False for an unknown couple.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public func keepsPhrase(of id: CoupleID) throws(VaultError) -> Bool {
        try read { (transaction) throws(VaultError) in try transaction.keptPhrase(of: id) != nil }
    }

    /// Removes the kept phrase from this vault, which then keeps no newer one. Exports and copies that were made before contain the phrase.
    /// False if none was kept.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, `.pairing(.answerWaiting)`, and as each verb that changes.
    @discardableResult
    public func forgetPhrase(of id: CoupleID) throws(VaultError) -> Bool {
        try change { (transaction) throws(VaultError) in
            _ = try transaction.couple(id)
            transaction.delete(.keptPhrase, under: KeptPhrase.id(id))
            return transaction.isChanged
        }
    }
}

extension Transaction {
    func keptPhrase(of id: CoupleID) throws(VaultError) -> KeptPhrase? {
        try record(KeptPhrase.self, KeptPhrase.id(id))
    }

    /// The phrase that a step brought takes the place of a kept one.
    mutating func replaceKept(by phrase: StoredPhrase) throws(VaultError) {
        if try keptPhrase(of: phrase.couple) != nil { put(KeptPhrase(phrase)) }
    }
}
