public import CloserPrimitives

// A vault that is brought to another device is the same file under another key slot, with an id and a key of its own.

extension Vault {
    /// The whole vault under a passphrase, as the bytes of a file. Open offers are closed in it, and no couple counts as this
    /// device's alone: an offer is for one reply, and the export opens as a vault.
    ///
    /// It blocks for Argon2id, some 0.6 s and 256 MiB of memory.
    ///
    /// - Throws: ``VaultError``: `.passphraseLength`, `.damaged` if a record does not open, `.tooLarge`, `.cannotRead`.
    public func export(under passphrase: consuming SecretBytes) throws(VaultError) -> [UInt8] {
        try export(locking: .passphrase(passphrase))
    }

    func export(locking: borrowing Credential) throws(VaultError) -> [UInt8] {
        let key = VaultKey()
        let slot = try KeySlot(key, with: locking)
        var copy = try read { (now) throws(VaultError) in try now.sealedAgain(under: key) }
        try copy.becomeOlderCopy()
        return try VaultFile.bytes(slot, copy.index, key)
    }

    /// Makes a vault from an export, with a key slot, an id and a key of its own. Open offers are closed in it, too, and until a
    /// pairing is finished, `accept` requires ``PairingConsents/newCode``.
    ///
    /// It blocks for Argon2id, some 0.6 s and 256 MiB of memory for each passphrase, and until the vault is on the disk.
    ///
    /// - Throws: ``VaultError``: `.notAnExport`, and as ``Vault/init(opening:unlocking:notOlderThan:)-(String,_,_)`` and ``checkAbsent(at:)``.
    public static func create(
        at path: String, importing export: [UInt8], under passphrase: consuming SecretBytes,
        locking: borrowing Credential
    ) throws(VaultError) -> Vault {
        try create(
            in: VaultFileStorage(path), importing: export, unlocking: .passphrase(passphrase),
            locking: locking)
    }

    /// Makes a vault from an export where you keep it.
    ///
    /// - Throws: ``VaultError``, as for a file, and what `storage` throws.
    public static func create(
        in storage: any VaultStorage, importing export: [UInt8], under passphrase: consuming SecretBytes,
        locking: borrowing Credential
    ) throws(VaultError) -> Vault {
        try create(in: storage, importing: export, unlocking: .passphrase(passphrase), locking: locking)
    }

    package static func create(
        in storage: any VaultStorage, importing export: [UInt8], unlocking: borrowing Credential,
        locking: borrowing Credential
    ) throws(VaultError) -> Vault {
        let imported = try read(export: export, with: unlocking)
        return try make(in: storage, locking: locking) { (transaction) throws(VaultError) in
            try transaction.adopt(imported)
            try transaction.becomeOlderCopy()
            _ = try transaction.device
        }
    }

    /// Which vault a file claims to be that begins with these bytes; nil if they begin no vault. An export has an id that no vault has.
    package static func id(of bytes: Span<UInt8>) -> Vault.ID? { VaultFile.id(of: bytes) }

    static func read(
        export: [UInt8], with unlocking: borrowing Credential
    ) throws(VaultError) -> Transaction {
        guard export.count <= maximumByteCount else { throw .tooLarge }
        let file: VaultFile
        do { file = try VaultFile(export, path: "") } catch {
            throw error == .unsupportedVersion ? error : .notAnExport
        }
        let key = try file.slot.unlock(with: unlocking)
        return Transaction(try file.index(key), key)
    }
}
