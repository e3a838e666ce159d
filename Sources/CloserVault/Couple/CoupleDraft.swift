public import CloserKeys
public import CloserPrimitives

/// A couple key under a new phrase and a new code, made but not stored yet.
///
/// Bring the phrase to paper or to a file before you store it: if that fails, the vault is as before.
@frozen public struct CoupleDraft: ~Copyable, Sendable {
    /// The couple as it will be.
    public let couple: Couple
    /// Shown once; only the invite holds it, under the code.
    public let phrase: RecoveryPhrase
    /// The invite's JSON document, with its code; nil for a couple that was rekeyed, whose key stays private.
    public let invite: SecretBytes?
    fileprivate let basis: CoupleBasis

    /// An invite hands the key out, unless `isAlone`: then only this device has it.
    fileprivate init(
        _ couple: Couple, _ phrase: consuming RecoveryPhrase, on basis: CoupleBasis, isAlone: Bool
    ) throws(VaultError) {
        invite = isAlone ? nil : try Self.invite(phrase, couple.wrap)
        (self.couple, self.basis) = (couple, basis)
        self.phrase = phrase
    }

    private static func invite(
        _ phrase: borrowing RecoveryPhrase, _ wrap: KeyWrap
    ) throws(VaultError) -> SecretBytes {
        let code = InviteCode.random()
        let invited: InvitedPhrase
        do { invited = try InvitedPhrase(phrase, under: code) } catch { throw .outOfMemory(error) }
        return InviteDocument(code: code, wrap: wrap, phrase: invited).bytes
    }
}

extension CoupleDraft: CoupleStep {
    borrowing func newPhrase() -> StoredPhrase? { StoredPhrase(phrase, of: couple.id) }

    borrowing func apply(to transaction: inout Transaction) throws(VaultError) {
        let invite = storedInvite()
        if invite != nil { try transaction.checkAllowsInvites() }
        try transaction.checkNothingWaits(of: couple.id)
        let existing = try transaction.record(Couple.self, Couple.id(couple.id))
        let isNew = basis.couple == nil
        guard (existing == nil) == isNew else { throw .couple(isNew ? .exists : .missing) }
        // A rewrap wraps the keys that there were when it was drafted.
        guard existing.map({ $0.hasSameKeys(as: couple) }) ?? true else { throw .couple(.changedMeanwhile) }
        let phrase = StoredPhrase(phrase, of: couple.id)
        guard !isNew || invite != nil else { return try transaction.put(alone: couple, phrase) }
        var stored = existing ?? couple
        (stored.wrap, stored.phrase) = (couple.wrap, .notConfirmed)
        // The server can read all that is in an invite.
        if invite != nil, stored.hasProvingKeys { stored.expose() }
        transaction.put(stored)
        try transaction.replacePhraseOfAlone(by: phrase)
        if let invite { transaction.put(invite) }
        try transaction.raisePin(of: stored)
    }

    private borrowing func storedInvite() -> StoredInvite? {
        switch invite {
        case .some(let invite):
            StoredInvite(invite.withBytes { SecretBytes(copying: $0) }, couple: couple.id)
        case .none: nil
        }
    }
}

extension Vault {
    /// Makes a couple key, with its phrase and its invite. The couple begins at `version`: 2, or 1 if the two have texts in the clear.
    ///
    /// It blocks for Argon2id, twice, some 0.2 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.exists` if there is such a couple, or `.reservedName`; `.outOfMemory`.
    public func draftCouple(
        of id: CoupleID, beginningAt version: EncryptionVersion
    ) throws(VaultError) -> CoupleDraft {
        let (basis, version) = try read { (transaction) throws(VaultError) in
            try transaction.checkAllowsInvites()
            try transaction.checkNothingWaits(of: id)
            return (try transaction.basis(of: id), try transaction.beginning(of: id, at: version))
        }
        guard basis.couple == nil else { throw .couple(.exists) }
        guard !Identifier.isReserved(id.text) else { throw .couple(.reservedName) }
        let phrase = RecoveryPhrase.random()
        let key = CoupleKey.new()
        let couple = Couple(id, key, try wrap(key, under: phrase)).beginning(at: version)
        return try CoupleDraft(couple, phrase, on: basis, isAlone: false)
    }

    /// A couple that only this device has.
    func draftAlone(at version: EncryptionVersion, on basis: CoupleBasis) throws(VaultError) -> CoupleDraft {
        let phrase = RecoveryPhrase.random()
        let couple = try Couple(
            alone: basis.id, at: version, under: try wrappingKey(of: phrase), after: basis.former)
        return try CoupleDraft(couple, phrase, on: basis, isAlone: true)
    }

    /// Puts the couple key under another phrase. The old phrase still opens every old wrap (docs/threat-model.md#w14).
    ///
    /// It blocks for Argon2id, once or twice, some 0.2 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, `.outOfMemory`.
    public func draftRewrap(of id: CoupleID) throws(VaultError) -> CoupleDraft {
        let basis = try read { (transaction) throws(VaultError) in
            // It would come with an invite.
            if try !transaction.couple(id).isPrivate { try transaction.checkAllowsInvites() }
            return try transaction.basis(of: id)
        }
        guard var couple = basis.couple else { throw .couple(.missing) }
        let phrase = RecoveryPhrase.random()
        couple.wrap = try wrap(couple.key, under: phrase)
        return try CoupleDraft(couple, phrase, on: basis, isAlone: couple.isPrivate)
    }

    /// Stores the draft.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.exists`, `.missing` or `.changedMeanwhile`, if the couple changed since it was drafted;
    ///   `.pairing(.required)`.
    public func store(_ draft: borrowing CoupleDraft) throws(VaultError) { try carryOut(draft) }
}
