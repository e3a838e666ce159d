public import CloserKeys

// A couple that has texts in the clear comes from version 0 to 2 (closer-keys-trust(7), ENCRYPTION VERSION).

extension Vault {
    /// How far the couple has come, as far as this device saw.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    public func migration(of id: CoupleID) throws(VaultError) -> Migration {
        try read { (transaction) throws(VaultError) in
            try transaction.migration(of: try transaction.couple(id))
        }
    }

    /// The version of the couple's document: 1 until both users have sealed their texts, then 2.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    public func encryptionVersion(of id: CoupleID) throws(VaultError) -> EncryptionVersion {
        try migration(of: id).version
    }

    /// Reads the couple's texts: sealed ones, and below version 2 plain ones.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    public func fieldReader(
        of id: CoupleID, requiring requirement: FieldKey.Requirement = .none
    ) throws(VaultError) -> FieldReader {
        try read { (transaction) throws(VaultError) in
            let couple = try transaction.couple(id)
            return FieldReader(
                couple.fieldKey(requiring: requirement), in: try transaction.migration(of: couple))
        }
    }

    /// Makes a couple at version 1, with its key, which only this device holds, and its phrase; nil if the couple is at 1 already.
    /// Store it with ``store(_:)-(CoupleDraft)``, give the server the couple's document, and pair.
    ///
    /// It blocks for Argon2id, some 0.1 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// - Throws: ``VaultError``: `.couple(.strict)` for a couple at 2: ``setMigrating(of:)``; `.outOfMemory`.
    public func draftMigration(of id: CoupleID) throws(VaultError) -> CoupleDraft? {
        let basis = try read { (transaction) throws(VaultError) in
            try transaction.checkNothingWaits(of: id)
            return try transaction.basis(of: id)
        }
        guard let couple = basis.couple else { return try draftAlone(at: .migrating, on: basis) }
        guard couple.document.version == .migrating else { throw .couple(.strict) }
        return nil
    }

    /// Takes a person's word that a couple has texts in the clear. Plaintext is sealed from now on, the server's is read only if it was
    /// before, and no user is marked. False if that was known.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, `.pairing(.answerWaiting)`.
    @discardableResult
    public func setMigrating(of id: CoupleID) throws(VaultError) -> Bool {
        try change { (transaction) throws(VaultError) in
            try transaction.checkNothingWaits(of: id)
            var couple = try transaction.couple(id)
            var migration = try transaction.migration(of: couple)
            guard migration.becomeKnownToMigrate() else { return false }
            couple.migrated = migration.migrated
            transaction.put(couple)
            return true
        }
    }

    /// Marks our texts as sealed, in what the server's document tells. What comes out is for the server to merge into its document: the
    /// version, its marks with ours, and its wrap, which may be the partner's newer one.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.migration` with `.noMembers`, `.notAMember` or `.lowered`. A document of version 0 is
    ///   lowered, and one of version 1 where the couple is not known to migrate.
    @discardableResult
    public func finishMigration(
        of id: CoupleID, in document: CoupleDocument
    ) throws(VaultError) -> CoupleDocument {
        try change { (transaction) throws(VaultError) in
            var couple = try transaction.couple(id)
            var migration = try transaction.migration(of: couple)
            let partners = try transaction.partners(of: id)
            let (own, partner) = (
                try transaction.device.userID, partners.count == 1 ? partners.first?.userID : nil
            )
            let marks: Set<UserID>?
            do throws(MigrationError) {
                marks = try migration.finish(document, own: own, partner: partner)
            } catch { throw .migration(error) }
            couple.migrated = migration.migrated
            transaction.put(couple)
            try transaction.raisePin(of: id, to: migration.pin)
            return CoupleDocument(
                document.wrap ?? couple.wrap, migrated: marks, atLeast: document.version)
        }
    }
}

extension Transaction {
    func migration(of couple: Couple) throws(VaultError) -> Migration {
        Migration(pin: try pinnedVersion(of: couple.id), migrated: couple.migrated)
    }

    /// The migration once the couple's key comes, by an invite or from the server's `document`, and a person says at which version a couple
    /// begins.
    func migration(
        of id: CoupleID, seeing document: CoupleDocument?, beginningAt version: EncryptionVersion
    ) throws(VaultError) -> Migration {
        let (pin, isSaid) = (try pinnedVersion(of: id), version == .migrating)
        var migration: Migration
        if let couple = try record(Couple.self, Couple.id(id)) {
            migration = try self.migration(of: couple)
        } else {
            migration = Migration(beginningAt: try beginning(of: id, at: version), pin: pin)
        }
        if isSaid { migration.becomeKnownToMigrate() }
        guard let document else { return migration }
        let own = try device.userID
        do { try migration.see(document, own: own, migrating: isSaid) } catch { throw .migration(error) }
        return migration
    }
}
