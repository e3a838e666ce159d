#if canImport(Security)
internal import CloserFiles
public import CloserKeys
internal import CloserPrimitives
internal import CloserWire
internal import Foundation

/// Keeps in the Keychain what opens a vault: its key, and the newest version that was seen of it.
///
/// The vault stays in its storage, such as a file, since it grows with each answer. Each function reads or writes the Keychain,
/// and throws ``KeychainError``. The Keychain takes and gives a key as `Data`, whose memory is not wiped. A device that is still locked is an error, and never a missing key: an app that took it for one
/// would make a second vault.
///
/// - Important: A key in the iCloud Keychain is on all devices of the account, and on each one that is added later.
public struct KeychainStore: Sendable {
    /// When the items can be read.
    public enum Accessibility: Sendable {
        /// Once the device was unlocked since its start: for extensions and work in the background.
        case afterFirstUnlock
        /// While the device is unlocked.
        case whenUnlocked
    }

    private let keys: KeychainItems
    private let versions: KeychainItems

    /// A store whose items in the Keychain have names that begin with `service`.
    ///
    /// - Parameters:
    ///   - service: The app's name for its items, such as its bundle id.
    ///   - accessGroup: The Keychain access group, where extensions read the items, too.
    ///   - accessibility: When the items can be read.
    ///   - synchronisesKey: Whether new keys go to the iCloud Keychain. The version stays on this device in any case.
    public init(
        service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlock,
        synchronisesKey: Bool = false
    ) {
        func items(_ what: String, _ isSynchronised: Bool) -> KeychainItems {
            KeychainItems(
                service: "\(service).vault-\(what)", group: accessGroup,
                isWhenUnlocked: accessibility == .whenUnlocked, isSynchronised: isSynchronised)
        }
        (keys, versions) = (items("key", synchronisesKey), items("version", false))
    }

    /// Makes a vault under a new random key. The key is added under an account of its own, before the vault is made: a key without
    /// a vault does no harm, and a vault without its key is lost.
    ///
    /// - Throws: ``KeychainError``, and ``VaultError``, as ``Vault/create(in:for:locking:chatKey:)``. At `.exists` the new key is
    ///   removed again.
    public func create(in storage: any VaultStorage, for user: UserID) throws -> Vault {
        let key = SecretBytes.random(count: Credential.keyFileByteCount)
        let account = Hex.encode(Randomness.system.bytes(16))
        try add(Data(InsecureCopy.bytes(key)), account)
        let vault: Vault
        do throws(VaultError) {
            vault = try Vault.create(in: storage, for: user, locking: .key(key))
        } catch {
            // A key that stays does no harm: it opens nothing.
            if case .exists = error { _ = try? keys.remove(account: account) }
            throw error
        }
        try keep(vault.version)
        return vault
    }

    /// Opens a vault with the key that fits, and refuses an older state than the newest one that was kept.
    ///
    /// - Throws: ``KeychainError``, `.noKey` if there is none; ``VaultError``, `.authenticationFailed` if no key fits.
    public func unlock(_ locked: LockedVault) throws -> Vault {
        try unlock(locked, notOlderThan: newest(of: locked.id))
    }

    /// Opens an older state of a vault and makes it the newest, once the person has said that they restored a backup.
    ///
    /// - Throws: ``KeychainError``, and ``VaultError``, as ``Vault/acceptAsNewest(after:)``.
    public func acceptOlder(_ locked: LockedVault) throws -> Vault {
        let vault = try unlock(locked, notOlderThan: nil)
        if let newest = try newest(of: vault.id) { try vault.acceptAsNewest(after: newest) }
        try keep(vault.version)
        return vault
    }

    /// Keeps a version, unless a newer one is there: for ``VaultActor/init(_:keeping:)``.
    ///
    /// Another process that keeps a version at the same moment may be faster. The older of the two can stay, and the next change
    /// brings the newest.
    public func keep(_ version: VaultVersion) throws(KeychainError) {
        let newest = version.newer(of: try newest(of: version.vaultID))
        let (value, account) = (Data(newest.keychainText.utf8), version.vaultID.description)
        try Self.told { () throws(KeychainStatus) in
            if try versions.update(value, account: account) { return }
            if try versions.add(value, account: account) { return }
            _ = try versions.update(value, account: account)
        }
    }

    /// The newest version that was kept of a vault; nil if none was.
    public func newest(of id: Vault.ID) throws(KeychainError) -> VaultVersion? {
        let account = id.description
        let values = try Self.told { () throws(KeychainStatus) in try versions.values(account: account) }
        guard let value = values.first else { return nil }
        guard let version = VaultVersion(keychainText: String(decoding: value, as: UTF8.self)),
            version.vaultID == id
        else { throw .malformed }
        return version
    }

    private func add(_ value: Data, _ account: String) throws(KeychainError) {
        let isAdded = try Self.told { () throws(KeychainStatus) in try keys.add(value, account: account) }
        precondition(isAdded, "a random account was there already")
    }

    private func unlock(_ locked: LockedVault, notOlderThan known: VaultVersion?) throws -> Vault {
        let values = try Self.told { () throws(KeychainStatus) in try keys.values() }
        guard !values.isEmpty else { throw KeychainError.noKey }
        for value in values {
            do throws(VaultError) {
                return try locked.unlock(with: .key(SecretBytes(copying: value)), notOlderThan: known)
            } catch .authenticationFailed, .keyMalformed {}
        }
        throw VaultError.authenticationFailed
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
