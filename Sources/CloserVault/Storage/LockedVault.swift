/// A vault that is still locked: what its file tells every reader.
public struct LockedVault: Sendable {
    package let storage: any VaultStorage
    let content: VaultFile

    /// Reads the file and checks its outer form.
    ///
    /// - Throws: ``VaultError``: `.missing`, `.notAVault`, `.unsupportedVersion`, `.tooLarge`, `.cannotRead`, `.damaged`.
    public init(at path: String) throws(VaultError) { try self.init(in: VaultFileStorage(path)) }

    /// Reads a vault from where you keep it.
    ///
    /// - Throws: ``VaultError``, as ``init(at:)``, and what `storage` throws.
    public init(in storage: any VaultStorage) throws(VaultError) {
        self.storage = storage
        content = try VaultFile(storage.read(), path: storage.name)
    }

    /// The file's path as it was named, or what a storage of your own says: for messages.
    public var name: String { storage.name }

    /// Which vault it claims to be. An attacker who can write the file can change the id, and then every key fails.
    public var id: Vault.ID { content.slot.vaultID }

    /// What protects the vault's key.
    public var protection: Protection { content.slot.protection }

    /// Opens it.
    ///
    /// With a passphrase it blocks for Argon2id, some 0.6 s and 256 MiB of memory.
    /// `known` is the newest version that you have seen: an older or a diverged file is `.rolledBack`.
    ///
    /// - Throws: ``VaultError``, as ``Vault/init(opening:unlocking:notOlderThan:)-(String,_,_)``, `.unsupportedVersion` for a record of an unknown kind,
    ///   and `.replaced` if `known` is of another vault.
    public func unlock(
        with unlocking: borrowing Credential, notOlderThan known: VaultVersion? = nil
    ) throws(VaultError) -> Vault {
        try Vault(self, unlocking, notOlderThan: known)
    }
}
