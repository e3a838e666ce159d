#if canImport(Security)
internal import CloserFiles
public import CloserKeys
public import CloserPrimitives
internal import CloserWire
internal import Foundation

/// Keeps in the Keychain what opens a vault: its key, and the newest version that this device saw of it. A store is for one vault.
///
/// The vault stays in its storage, such as a file, since it grows with each answer. Each function reads or writes the Keychain, and
/// throws ``KeychainError``. The Keychain takes and gives a key as `Data`, whose memory is not wiped. A device that is still locked is an
/// error, and never a missing key: an app that took it for one would make a second vault.
///
/// - Important: A key in the iCloud Keychain is on all devices of the account, and on each one that is added later.
public struct KeychainStore: VaultMemory {
    /// When the items can be read.
    public enum Accessibility: Sendable {
        /// Once the device was unlocked since its start: for extensions and work in the background.
        case afterFirstUnlock
        /// While the device is unlocked.
        case whenUnlocked
    }

    private let keys: KeychainItems
    private let versions: KeychainItems
    private let lockPath: String

    /// A store whose items in the Keychain have names that begin with `service`. Another group or accessibility than before is for new
    /// items: those that are there stay as they are, and in another group they are not found.
    ///
    /// - Parameters:
    ///   - service: The app's name for its items, such as its bundle id.
    ///   - lockPath: An empty file that is made here, in a folder that the app and its extensions share, and not the vault's own lock file. The
    ///     store locks it while it exchanges a version, since the Keychain cannot compare before it replaces.
    ///   - accessGroup: The Keychain access group, where extensions read the items, too.
    ///   - accessibility: When the items can be read.
    ///   - synchronisesKey: Whether new keys go to the iCloud Keychain. The version stays on this device in any case.
    public init(
        service: String, lockingAt lockPath: String, accessGroup: String? = nil,
        accessibility: Accessibility = .afterFirstUnlock, synchronisesKey: Bool = false
    ) {
        func items(_ what: String, _ isSynchronised: Bool) -> KeychainItems {
            KeychainItems(
                service: "\(service).vault-\(what)", group: accessGroup,
                isWhenUnlocked: accessibility == .whenUnlocked, isSynchronised: isSynchronised)
        }
        (keys, versions) = (items("key", synchronisesKey), items("version", false))
        self.lockPath = lockPath
    }

    /// Makes a vault under a new random key. The key is added under an account of its own, before the vault is made: a key without
    /// a vault does no harm, and a vault without its key is lost.
    ///
    /// - Throws: ``KeychainError``, and ``VaultError``, as ``Vault/create(in:for:locking:chatKey:identity:)``. If no vault was made, the new key is
    ///   removed again.
    public func create(
        in storage: any VaultStorage, for user: UserID, chatKey: X25519PrivateKey? = nil
    ) throws -> Vault {
        try underNewKey(in: storage) { (key) throws(VaultError) in
            (try Vault.create(in: storage, for: user, locking: key, chatKey: chatKey), ())
        }.vault
    }

    /// Makes a vault from an export, under a new random key, as ``create(in:for:chatKey:)`` does.
    ///
    /// - Throws: ``KeychainError``, and ``VaultError``, as ``Vault/create(in:importing:under:locking:)``.
    public func create(
        in storage: any VaultStorage, importing export: [UInt8], under passphrase: consuming SecretBytes
    ) throws -> Vault {
        let passphrase = Credential.passphrase(passphrase)
        return try underNewKey(in: storage) { (key) throws(VaultError) in
            (try Vault.create(in: storage, importing: export, unlocking: passphrase, locking: key), ())
        }.vault
    }

    /// Opens a vault with the key that fits, and refuses a state that did not come of the one that is remembered.
    ///
    /// - Throws: ``KeychainError``, `.noKey` if there is none; ``VaultError``: `.authenticationFailed` if no key fits, `.rolledBack`,
    ///   and `.replaced` for another vault than the one that is remembered.
    public func unlock(_ locked: LockedVault) throws -> Vault {
        let vault = try open(locked)
        try vault.remember(in: self)
        return vault
    }

    /// Opens an older state of a vault and makes it the newest, once the person has said that they restored a backup. It is the way on
    /// from a damaged version, and from `.replaced`, too.
    ///
    /// - Throws: ``KeychainError``, and ``VaultError``, as ``Vault/acceptAsNewest(after:)``.
    public func acceptOlder(_ locked: LockedVault) throws -> Vault {
        // The copy of a device is the state that is given up.
        try locked.storage.refresh()
        let vault = try open(LockedVault(in: locked.storage))
        try alone {
            var known: VaultVersion?
            do throws(KeychainError) { known = try newest } catch {
                guard error == .malformed else { throw error }
            }
            if known?.vaultID != vault.id { known = nil }
            try vault.acceptAsNewest(after: known ?? vault.version)
            try keep(vault.newest(after: nil))
        }
        return vault
    }

    /// Opens a vault with the key that a link brought from another device of the user, and adds that key.
    ///
    /// - Throws: ``KeychainError``, and ``VaultError``: `.rolledBack` for a vault that did not come of the link's version, or of the one that is
    ///   remembered, `.replaced` for another vault, and `.authenticationFailed` if it got another key since.
    public func join(_ locked: LockedVault, with link: consuming DeviceLink.Opened) throws -> Vault {
        try alone {
            let remembered = try newest
            let vault = try link.open(locked, notOlderThan: remembered)
            let key = Data(InsecureCopy.bytes(link.key))
            let known = try Self.told { () throws(KeychainStatus) in try keys.values() }
            if !known.contains(where: { $0.elementsEqual(key) }) { _ = try add(key) }
            try keep(vault.newest(after: remembered))
            return vault
        }
    }

    /// Renews a vault under a new random key, which is added first: ``Vault/renew(locking:)``. The former keys stay, since a copy may need one.
    ///
    /// - Returns: As that function does.
    /// - Throws: ``KeychainError``, and ``VaultError``, as that function. The store removes the new key again if it opens nothing.
    @discardableResult
    public func renew(_ vault: Vault) throws -> UInt32? {
        try vault.remember(in: self)
        return try underNewKey(in: vault.storage, following: { try newest }) { (key) throws(VaultError) in
            (vault, try vault.renew(locking: key))
        }.result
    }

    /// The version of the vault that is remembered; nil if none is.
    public var newest: VaultVersion? {
        get throws(KeychainError) {
            let values = try Self.told { () throws(KeychainStatus) in
                try versions.values(account: Self.account)
            }
            guard let value = values.first else { return nil }
            guard let version = VaultVersion(keychainText: String(decoding: value, as: UTF8.self)) else {
                throw .malformed
            }
            return version
        }
    }

    /// Exchanges the version, under the lock file.
    ///
    /// - Throws: ``KeychainError``, ``VaultError`` with `.busy`, and what `next` throws.
    public func exchange(_ next: (VaultVersion?) throws -> VaultVersion) throws {
        try alone {
            let known = try newest
            let next = try next(known)
            if next != known { try keep(next) }
        }
    }

    // MARK: - Items

    private func underNewKey<Result>(
        in storage: any VaultStorage, following known: () throws -> VaultVersion? = { nil },
        _ body: (borrowing Credential) throws(VaultError) -> (vault: Vault, result: Result)
    ) throws -> (vault: Vault, result: Result) {
        let key = SecretBytes.random(count: Credential.keyFileByteCount)
        let account = try add(Data(InsecureCopy.bytes(key)))
        let credential = Credential.key(key)
        do {
            return try alone {
                let known = try known()
                let made = try body(credential)
                try keep(made.vault.newest(after: known))
                return made
            }
        } catch {
            if Self.isIdle(credential, in: storage, after: error) { _ = try? keys.remove(account: account) }
            throw error
        }
    }

    /// Gives the account, which is new and random.
    private func add(_ key: Data) throws(KeychainError) -> String {
        let account = Hex.encode(Randomness.system.bytes(16))
        let isAdded = try Self.told { () throws(KeychainStatus) in try keys.add(key, account: account) }
        precondition(isAdded, "a random account was there already")
        return account
    }

    /// Whether a key protects nothing there. If that cannot be told, it does: a vault without its key is lost.
    private static func isIdle(
        _ key: borrowing Credential, in storage: any VaultStorage, after failure: any Error
    ) -> Bool {
        if case VaultError.mayBeWritten = failure { return false }
        do throws(VaultError) { return try !LockedVault(in: storage).opens(with: key) } catch {
            if case .missing = error { return true }
            return false
        }
    }

    private func open(_ locked: LockedVault) throws -> Vault {
        let values = try Self.told { () throws(KeychainStatus) in try keys.values() }
        guard !values.isEmpty else { throw KeychainError.noKey }
        for value in values {
            do throws(VaultError) {
                return try locked.unlock(with: .key(SecretBytes(copying: value)))
            } catch .authenticationFailed, .keyMalformed {}
        }
        throw VaultError.authenticationFailed
    }

    private func alone<Value>(_ body: () throws -> Value) throws -> Value {
        let lock: FileLock?
        do { lock = try FileLock.acquire(lockPath, patience: Vault.patience) } catch {
            throw VaultError.cannotRead(path: lockPath, reason: error.reason)
        }
        guard let lock else { throw VaultError.busy(path: lockPath) }
        let value = try body()
        _ = consume lock
        return value
    }

    private static let account = "newest"

    private func keep(_ version: VaultVersion) throws(KeychainError) {
        let value = Data(version.keychainText.utf8)
        try Self.told { () throws(KeychainStatus) in
            if try versions.update(value, account: Self.account) { return }
            if try versions.add(value, account: Self.account) { return }
            _ = try versions.update(value, account: Self.account)
        }
    }

    private static func told<Value>(
        _ body: () throws(KeychainStatus) -> Value
    ) throws(KeychainError) -> Value {
        do { return try body() } catch { throw error.isLocked ? .locked : .refused(error.code) }
    }
}

extension VaultVersion {
    fileprivate var keychainText: String { "\(vaultID) \(changeCount) \(Hex.encode(digest))" }

    fileprivate init?(keychainText: String) {
        let parts = keychainText.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let id = Vault.ID(parts[0]), let count = UInt64(parts[1]),
            let digest = try? Hex.decode(parts[2])
        else { return nil }
        self.init(of: id, changeCount: count, digest: digest)
    }
}
#endif
