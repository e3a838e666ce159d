public import CloserPrimitives

// A vault that is brought to another device is the same file under another lock, with an id and a key of its own.

extension Vault {
    /// The whole vault under a passphrase, as the bytes of a file. Open invites are closed in it, and no couple counts as this device's
    /// alone: an invite judges one reply, and whoever has the file can open it as a vault.
    ///
    /// It blocks for Argon2id, some 0.6 s and 256 MiB of memory.
    ///
    /// - Throws: ``VaultError``: `.passphraseLength`, `.damaged` if a record does not open, `.tooLarge`, `.cannotRead`.
    public func export(under passphrase: consuming SecretBytes) throws(VaultError) -> [UInt8] {
        try export(locking: .passphrase(passphrase))
    }

    func export(locking: borrowing Unlocking) throws(VaultError) -> [UInt8] {
        let key = VaultKey()
        let lock = try VaultLock(key, with: locking)
        var copy = Transaction(Directory(), key)
        try read { (transaction) throws(VaultError) in try copy.adopt(transaction.inTodaysForm()) }
        try copy.closeInvites()
        return try VaultFile.bytes(lock, copy.directory, key)
    }

    /// Makes a vault from an export, locked anew, with an id and a key of its own. Programs of before left open invites in it: they are
    /// closed, too.
    ///
    /// It blocks for Argon2id, some 0.6 s and 256 MiB of memory for each of the two passphrases, and until the vault is on
    /// the disk.
    ///
    /// - Throws: ``VaultError``: `.notAnExport`, `.formerFormat`, `.unsupportedVersion`, `.authenticationFailed`, `.otherProtection`,
    ///   `.passphraseLength`, `.costsRefused`, `.damaged`; `.tooLarge`, `.keyFileMalformed`; and what stands in the way
    ///   of a new vault: `.exists`, `.notAVault`, `.busy`, `.cannotRead`, `.cannotWrite`.
    public static func create(
        at path: String, importing export: [UInt8], under passphrase: consuming SecretBytes,
        locking: borrowing Unlocking
    ) throws(VaultError) -> Vault {
        try create(at: path, importing: export, unlocking: .passphrase(passphrase), locking: locking)
    }

    static func create(
        at path: String, importing export: [UInt8], unlocking: borrowing Unlocking,
        locking: borrowing Unlocking
    ) throws(VaultError) -> Vault {
        let imported = try read(export: export, with: unlocking)
        return try make(at: path, VaultKey(), locking: locking) { (transaction) throws(VaultError) in
            try transaction.adopt(imported.inTodaysForm())
            try transaction.closeInvites()
            _ = try transaction.device
        }
    }

    /// Which vault the bytes are of; nil if they are of none. An export has an id that no vault has.
    package static func id(ofExport bytes: [UInt8]) -> VaultID? {
        (try? VaultFile(bytes, path: ""))?.lock.vaultID
    }

    static func read(
        export: [UInt8], with unlocking: borrowing Unlocking
    ) throws(VaultError) -> Transaction {
        guard export.count <= maximumByteCount else { throw .tooLarge }
        let file: VaultFile
        do { file = try VaultFile(export, path: "") } catch {
            throw [.formerFormat, .unsupportedVersion].contains(error) ? error : .notAnExport
        }
        let key = try file.lock.unlock(with: unlocking)
        return Transaction(try file.directory(key), key)
    }
}
