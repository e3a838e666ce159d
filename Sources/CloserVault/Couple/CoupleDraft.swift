public import CloserKeys
public import CloserPrimitives
internal import CloserTink

/// A couple key under a new phrase and a new code, made but not stored yet.
///
/// Bring the phrase to paper or to a file before you store it: if that fails, the vault is as before.
///
/// Its parts can be moved out, each to an owner of its own: `let phrase = draft.phrase`. Store the draft first.
@frozen public struct CoupleDraft: ~Copyable, Sendable {
    /// The couple as it will be.
    public let couple: Couple
    /// Shown once; only the invite holds it, under the code.
    public let phrase: RecoveryPhrase
    /// The invite's JSON document, with its code; nil for a couple that was rekeyed, whose key stays private.
    public let invite: SecretBytes?
    fileprivate let isNew: Bool

    fileprivate init(_ id: CoupleID, _ key: CoupleKey, at version: EncryptionVersion) throws(VaultError) {
        let phrase = RecoveryPhrase.random()
        let wrap = try KeyWrap.new(key, under: phrase)
        invite = try Self.invite(phrase, wrap)
        self.phrase = phrase
        (couple, isNew) = (Couple(id, key, wrap).beginning(at: version), true)
    }

    /// A couple at version 1 that only this device has.
    init(migrating id: CoupleID, after former: ForgottenCouple?) throws(VaultError) {
        let phrase = RecoveryPhrase.random()
        couple = try Couple(
            alone: id, at: .migrating, under: phrase, after: former, WrappingKey.stretched)
        invite = nil
        isNew = true
        self.phrase = phrase
    }

    fileprivate init(rewrapping couple: Couple) throws(VaultError) {
        let phrase = RecoveryPhrase.random()
        let wrap = try KeyWrap.new(couple.key, under: phrase)
        invite = couple.isPrivate ? nil : try Self.invite(phrase, wrap)
        self.phrase = phrase
        var rewrapped = couple
        rewrapped.wrap = wrap
        (self.couple, isNew) = (rewrapped, false)
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

/// How a phrase becomes the key that a couple's key is wrapped under. There is one way, ``CloserKeys/WrappingKey/stretched(_:)``; who
/// takes thousands of steps without looking into a wrap may name another.
typealias PhraseStretch = (borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey

extension WrappingKey {
    /// By Argon2id with the costs of v1.
    static func stretched(_ phrase: borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey {
        do { return try WrappingKey(from: phrase) } catch { throw .outOfMemory(error) }
    }
}

extension KeyWrap {
    static func new(_ key: CoupleKey, under phrase: borrowing RecoveryPhrase) throws(VaultError) -> KeyWrap {
        try WrappingKey.stretched(phrase).wrap(key)
    }
}

extension CoupleDraft {
    /// Hands the phrase to a new owner, once the draft is stored.
    public consuming func takePhrase() -> RecoveryPhrase { phrase }

    fileprivate borrowing func storedInvite() -> StoredInvite? {
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
    /// - Throws: ``VaultError``: `.couple(.exists)` if there is such a couple; `.outOfMemory`.
    public func draftCouple(
        _ id: CoupleID, beginningAt version: EncryptionVersion
    ) throws(VaultError) -> CoupleDraft {
        let existing = try read { (transaction) throws(VaultError) in
            try transaction.checkAllowsInvites()
            try transaction.checkNothingWaits(of: id)
            return try transaction.record(Couple.self, Couple.id(id))
        }
        guard existing == nil else { throw .couple(.exists) }
        guard let key = try? CoupleKey(Keyset(.aes256GCM)) else {
            preconditionFailure("a new AES-256-GCM keyset is a couple key")
        }
        return try CoupleDraft(id, key, at: version)
    }

    /// Puts the couple key under another phrase. The old phrase still opens every old wrap (docs/threat-model.md#w14).
    ///
    /// It blocks for Argon2id, once or twice, some 0.2 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, `.outOfMemory`.
    public func draftRewrap(_ id: CoupleID) throws(VaultError) -> CoupleDraft {
        let couple = try read { (transaction) throws(VaultError) in
            let couple = try transaction.couple(id)
            // It would come with an invite.
            if !couple.isPrivate { try transaction.checkAllowsInvites() }
            return couple
        }
        return try CoupleDraft(rewrapping: couple)
    }

    /// Stores the draft.
    ///
    /// It blocks until the change is on the disk: some milliseconds as a rule, and up to half a minute while other processes
    /// write.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.exists`, `.missing` or `.changedMeanwhile`, if the couple changed since it was drafted;
    ///   `.pairing(.required)`.
    public func store(_ draft: borrowing CoupleDraft) throws(VaultError) {
        let (drafted, isNew) = (draft.couple, draft.isNew)
        let invite = draft.storedInvite()
        let phrase = StoredPhrase(draft.phrase, of: drafted.id)
        try change { (transaction) throws(VaultError) in
            if invite != nil { try transaction.checkAllowsInvites() }
            try transaction.checkNothingWaits(of: drafted.id)
            let existing = try transaction.record(Couple.self, Couple.id(drafted.id))
            guard (existing == nil) == isNew else { throw .couple(isNew ? .exists : .missing) }
            // A rewrap wraps the keys that there were when it was drafted.
            guard existing.map({ $0.hasSameKeys(as: drafted) }) ?? true else {
                throw .couple(.changedMeanwhile)
            }
            guard !isNew || invite != nil else { return try transaction.put(alone: drafted, phrase) }
            var couple = existing ?? drafted
            (couple.wrap, couple.phrase) = (drafted.wrap, .notConfirmed)
            // The server can read all that is in an invite.
            if invite != nil, couple.hasProvingKeys { couple.expose() }
            transaction.put(couple)
            try transaction.keepPhrase(phrase)
            if let invite { transaction.put(invite) }
            try transaction.raisePin(of: couple)
        }
    }
}

extension Couple {
    /// Whether the couple is as it was: both hold the same keys, and the same one seals.
    func hasSameKeys(as other: Couple) -> Bool {
        epoch == other.epoch && retired == other.retired && key.hasSameKeys(as: other.key)
            && key.keyset.primaryID == other.key.keyset.primaryID
    }
}

extension CoupleKey {
    func hasSameKeys(as other: CoupleKey) -> Bool { hasAllKeys(of: other) && other.hasAllKeys(of: self) }
}
