public import CloserKeys
internal import CloserPrimitives

// A couple that has texts in the clear comes from version 0 to 2 (closer-keys-trust(7), ENCRYPTION VERSION).

extension Vault {
    /// How far the couple has come, as far as this device saw.
    ///
    /// It reads the vault's file, which takes about a millisecond.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    public func migration(of id: CoupleID) throws(VaultError) -> Migration {
        try read { (transaction) throws(VaultError) in
            try transaction.migration(of: try transaction.couple(id))
        }
    }

    /// The version of the couple's document: 1 until both users have sealed their texts, then 2.
    ///
    /// It reads the vault's file, which takes about a millisecond.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    public func encryptionVersion(of id: CoupleID) throws(VaultError) -> EncryptionVersion {
        try migration(of: id).version
    }

    /// Reads the couple's texts: sealed ones, and below version 2 plain ones.
    ///
    /// It reads the vault's file, which takes about a millisecond.
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
    /// - Throws: ``VaultError``: `.couple` with `.strict`, or `.lowered` if this device has seen the couple at 2; `.outOfMemory`.
    public func draftMigration(of id: CoupleID) throws(VaultError) -> CoupleDraft? {
        let (couple, former) = try read { (transaction) throws(VaultError) in
            try transaction.checkNothingWaits(of: id)
            try transaction.checkBeginning(of: id, at: .migrating)
            return (
                try transaction.record(Couple.self, Couple.id(id)),
                try transaction.record(ForgottenCouple.self, ForgottenCouple.id(id))
            )
        }
        guard let couple else { return try CoupleDraft(migrating: id, after: former) }
        guard couple.document.version == .migrating else { throw .couple(.strict) }
        return nil
    }

    /// Marks our texts as sealed, in what the server's document tells. What comes out is for the server to merge into its document: the
    /// version, its marks with ours, and its wrap, which may be the partner's newer one.
    ///
    /// `isKnownToMigrate` says that the couple has texts in the clear, although a document said 2 when the key came.
    ///
    /// It blocks until the change is on the disk: some milliseconds as a rule, and up to half a minute while other processes
    /// write.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.missing`, `.noMembers`, `.notAMember`, or `.lowered` for a document of version 0, or
    ///   of version 1 where the couple began at 2.
    @discardableResult
    public func finishMigration(
        of id: CoupleID, in document: CoupleDocument, isKnownToMigrate: Bool = false
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
                marks = try migration.finish(
                    document, own: own, partner: partner, isKnownToMigrate: isKnownToMigrate)
            } catch {
                throw VaultError(error)
            }
            couple.migrated = migration.migrated
            transaction.put(couple)
            try transaction.raisePin(of: id, to: migration.pin)
            return CoupleDocument(document.wrap ?? couple.wrap, migrated: marks)
        }
    }
}

extension Transaction {
    /// What this device stored of it.
    func migration(of couple: Couple) throws(VaultError) -> Migration {
        Migration(pin: try pinnedVersion(of: couple.id), migrated: couple.migrated)
    }

    /// The migration after a document that brings the couple's key. An invite tells of it to a device that lacks the couple alone.
    func migration(
        of id: CoupleID, after document: CoupleDocument, isInvited: Bool
    ) throws(VaultError) -> Migration {
        let couple = try record(Couple.self, Couple.id(id))
        var migration = Migration(pin: try pinnedVersion(of: id), migrated: couple?.migrated)
        guard couple == nil || !isInvited else { return migration }
        do { try migration.see(document) } catch { throw VaultError(error) }
        return migration
    }
}

extension VaultError {
    fileprivate init(_ error: MigrationError) {
        self =
            switch error {
            case .lowered(let version, let pin): .couple(.lowered(to: version, from: pin))
            case .noMembers: .couple(.noMembers)
            case .notAMember(let user): .couple(.notAMember(user))
            }
    }
}
