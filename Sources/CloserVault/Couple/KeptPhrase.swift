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
    /// The recovery phrase that this vault keeps of a couple, because a step that brought one was told to keep it.
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

    /// Removes the couple's recovery phrase from this vault, which keeps no newer one either. Copies and exports of the vault still
    /// have it. False if none was kept.
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

    /// Keeps the phrase that a step brought, if a person asks for that now, or did before.
    mutating func keep(_ phrase: StoredPhrase, ifAsked isAsked: Bool) throws(VaultError) {
        let isKept = try keptPhrase(of: phrase.couple) != nil
        if isAsked || isKept { put(KeptPhrase(phrase)) }
    }
}
