internal import CloserFiles
public import CloserKeys
internal import CloserTink

// A couple's key comes to this vault by an invite or by the recovery phrase. Making a couple begins with a ``CoupleDraft``.

extension Vault {
    /// Joins a couple by the partner's invite: the code opens the phrase, and the phrase the couple key.
    ///
    /// A couple that is new here begins at `version`: 2, or 1 if the two have texts in the clear, which the invite does not tell. With 1, one
    /// that is here becomes known to migrate, as by ``setMigrating(of:)``.
    ///
    /// It blocks for Argon2id, twice, some 0.2 s and 45 MiB of memory.
    ///
    /// - Throws: ``VaultError``: `.unwrap(.wrongCode)`; `.couple(.bringsKeys)`; `.pairing(.required)`; those of ``recover(_:from:phrase:beginningAt:)``.
    @discardableResult
    public func join(
        _ id: CoupleID, with invite: borrowing InviteDocument, code: borrowing InviteCode,
        beginningAt version: EncryptionVersion
    ) throws(VaultError) -> Couple {
        try read { (transaction) throws(VaultError) in try transaction.checkAllowsInvites() }
        let phrase: RecoveryPhrase
        do { phrase = try invite.phrase.open(with: code) } catch { throw VaultError(error) }
        return try adopt(id, invite.wrap, nil, phrase, version)
    }

    /// Brings the couple key back with the phrase. Pins, answers and verified state stay lost.
    ///
    /// A couple that is new here begins at `version`: 2, or 1 if a person says that the two have texts in the clear, which the document,
    /// the server's, does not prove. With 1, one that is here becomes known to migrate, as by ``setMigrating(of:)``.
    ///
    /// It blocks for Argon2id, some 0.1 s and 45 MiB of memory.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.notEncrypted`, `.lacksKey` or `.olderKey`; `.unwrap`, `.outOfMemory`; `.migration(.lowered)`;
    ///   `.pairing(.answerWaiting)`.
    @discardableResult
    public func recover(
        _ id: CoupleID, from document: CoupleDocument, phrase: borrowing RecoveryPhrase,
        beginningAt version: EncryptionVersion
    ) throws(VaultError) -> Couple {
        try adopt(id, wrap(of: id, in: document), document, phrase, version)
    }

    /// What a couple's document has above version 0.
    private func wrap(of id: CoupleID, in document: CoupleDocument) throws(VaultError) -> KeyWrap {
        if let wrap = document.wrap { return wrap }
        let pin = try read { (transaction) throws(VaultError) in try transaction.pinnedVersion(of: id) }
        throw pin == .plaintext
            ? .couple(.notEncrypted) : .migration(.lowered(to: document.version, from: pin))
    }

    /// Proves that phrase and document still bring back what this device has, and leaves the vault unchanged (docs/threat-model.md#w16).
    ///
    /// It blocks for Argon2id, some 0.1 s and 45 MiB of memory.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.missing` or `.otherPrimary`; those of ``recover(_:from:phrase:beginningAt:)`` but `.pairing`.
    public func rehearse(
        _ id: CoupleID, from document: CoupleDocument, phrase: borrowing RecoveryPhrase
    ) throws(VaultError) -> CoupleKey {
        let ours = try couple(id).key
        let key = try CoupleKey(of: wrap(of: id, in: document), phrase)
        guard key.hasAllKeys(of: ours) else {
            throw .couple(ours.hasAllKeys(of: key) ? .olderKey : .lacksKey)
        }
        guard key.keyset.primaryID == ours.keyset.primaryID else { throw .couple(.otherPrimary) }
        return key
    }

    /// Takes the key in a wrap: the server's `document` brought it, or an invite.
    private func adopt(
        _ id: CoupleID, _ wrap: KeyWrap, _ document: CoupleDocument?, _ phrase: borrowing RecoveryPhrase,
        _ version: EncryptionVersion
    ) throws(VaultError) -> Couple {
        let stored = StoredPhrase(phrase, of: id)
        let isInvited = document == nil
        try read { (transaction) throws(VaultError) in
            try transaction.checkNothingWaits(of: id)
            _ = try transaction.migration(of: id, seeing: document, beginningAt: version)
        }
        // A key that opens nothing would keep its id from a key that comes later.
        let key = try CoupleKey(of: wrap, phrase).enabledOnly
        return try change { (transaction) throws(VaultError) in
            if isInvited { try transaction.checkAllowsInvites() }
            try transaction.checkNothingWaits(of: id)
            let migration = try transaction.migration(of: id, seeing: document, beginningAt: version)
            let former = try transaction.record(Couple.self, Couple.id(id))
            try transaction.raisePin(of: id, to: migration.pin)
            try transaction.replaceKept(by: stored)
            // Our own document is old news.
            if !isInvited, var former, former.wrap == wrap, former.key.hasSameKeys(as: key) {
                (former.phrase, former.migrated) = (.rehearsedToday, migration.migrated)
                transaction.put(former)
                return former
            }
            let wasPrivate = former?.isPrivate ?? false
            var couple = try transaction.merged(Couple(id, key, wrap), isInvited: isInvited)
            couple.migrated = migration.migrated
            couple.phrase = isInvited ? nil : .rehearsedToday
            if !isInvited, former == nil { couple.recoveredAt = WallClock.now }
            transaction.put(couple)
            if wasPrivate, !couple.isPrivate { try transaction.closeGrants(of: id) }
            transaction.delete(.phrase, under: StoredPhrase.id(id))
            return couple
        }
    }
}

extension CoupleKey {
    /// The key in a couple's document. Takes Argon2id's time, some 0.1 s.
    ///
    /// - Throws: `.couple(.notEncrypted)`, `.unwrap`, `.outOfMemory`.
    public init(of document: CoupleDocument, _ phrase: borrowing RecoveryPhrase) throws(VaultError) {
        guard let wrap = document.wrap else { throw .couple(.notEncrypted) }
        try self.init(of: wrap, phrase)
    }

    init(of wrap: KeyWrap, _ phrase: borrowing RecoveryPhrase) throws(VaultError) {
        do { self = try wrap.unwrap(with: phrase) } catch { throw VaultError(error) }
    }
}

extension VaultError {
    fileprivate init(_ error: UnwrapError) {
        if case .outOfMemory(let shortage) = error {
            self = .outOfMemory(shortage)
        } else {
            self = .unwrap(error)
        }
    }
}

extension Transaction {
    /// What to store of a couple that came in: all keys that this device holds must be in it. The server could read an invite, and with it
    /// those that were private.
    fileprivate func merged(_ new: Couple, isInvited: Bool) throws(VaultError) -> Couple {
        guard var couple = try record(Couple.self, Couple.id(new.id)) else {
            var again = new
            // A rekey that the former couple has seen counts once.
            again.epoch = try record(ForgottenCouple.self, ForgottenCouple.id(new.id))?.epoch ?? 0
            return again
        }
        guard new.key.hasAllKeys(of: couple.key) else { throw .couple(.lacksKey) }
        // A reader of an invite could add one under the id of a key that comes later.
        guard !isInvited || couple.key.hasSameKeys(as: new.key) else { throw .couple(.bringsKeys) }
        guard !couple.retired.contains(new.key.keyset.primary) else { throw .couple(.olderKey) }
        // The maker of the document has what this device alone had.
        if try isNotYetPaired(couple) { couple.origins = [:] }
        if isInvited, couple.hasProvingKeys { couple.expose() }
        // Who made another one seal is unknown.
        let (primary, former) = (new.key.keyset.primaryID, couple.key.keyset.primaryID)
        if primary != former, couple.origins[primary] != nil { couple.origins[primary] = .exposed }
        do { couple.key = try couple.withoutRetired(new.key) } catch { throw .damaged }
        couple.wrap = new.wrap
        if couple.primaryOrigin.provesLess(than: .given) { couple.privateSince = nil }
        return couple
    }
}
