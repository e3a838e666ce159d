internal import CloserFiles

/// A vault whose key is not unlocked yet: what its file tells anybody.
public struct LockedVault: Sendable {
    /// As it was named.
    public let path: String
    let place: Place
    let content: VaultFile

    /// Reads the file and checks its outer form.
    ///
    /// - Throws: ``VaultError``: `.missing`, `.notAVault`, `.formerFormat`, `.unsupportedVersion`, `.tooLarge`, `.cannotRead`, `.damaged`.
    public init(at path: String) throws(VaultError) {
        place = try Place(ofVault: path)
        content = try VaultFile(place.content(), path: path)
        self.path = path
    }

    /// The absolute paths that mean it, for a ``VaultMemory``: as it was named, and last the one that is free of links. They were
    /// looked up once: what lies there later is somebody else's doing.
    public var places: [String] { place.paths }

    /// The name that was typed, as an absolute path. It may be a link, or lie behind one.
    package var name: String { place.name }

    /// Which vault it claims to be. Whoever can write the file can change it, and then it opens with no key.
    public var id: VaultID { content.lock.vaultID }

    /// What it is locked with.
    public var protection: Protection { content.lock.protection }

    /// The vault key, and the lock that gave it. If the secret does not open the lock that was read, the one that is in the file now is
    /// tried: somebody may have replaced it while a person typed.
    func unlocked(
        with unlocking: borrowing Unlocking
    ) throws(VaultError) -> (key: VaultKey, lock: VaultLock) {
        let lock = content.lock
        do { return (try lock.unlock(with: unlocking), lock) } catch {
            guard case .authenticationFailed = error,
                let now = try? VaultFile(place.content(), path: path).lock, now != lock,
                now.vaultID == lock.vaultID
            else { throw error }
            return (try now.unlock(with: unlocking), now)
        }
    }

    /// Opens it.
    ///
    /// With a passphrase it blocks for Argon2id, some 0.6 s and 256 MiB of memory.
    ///
    /// - Throws: ``VaultError``: `.authenticationFailed`, `.otherProtection`, `.keyFileMalformed`, `.passphraseLength`, `.costsRefused`,
    ///   `.damaged`, `.unsupportedVersion` for a record of a kind that this program does not know, and `.rolledBack` for a file that
    ///   is older than the witness knows, or another of the same age.
    public func unlock(
        with unlocking: borrowing Unlocking, witness: VaultWitness = .ofOne(nil)
    ) throws(VaultError) -> Vault {
        try Vault(self, unlocking, witness: witness)
    }
}
