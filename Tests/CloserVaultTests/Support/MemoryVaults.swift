import CloserKeys
import CloserPrimitives
import Testing

@testable import CloserVault

/// Vaults in memory, by name. A test may change their bytes behind a vault's back.
final class MemoryVaults: Sendable {
    private let storages = Lock<[String: VaultMemoryStorage]>([:])

    /// Where a vault of that name is, or will be.
    func storage(_ name: String) -> VaultMemoryStorage {
        storages.withLock { storages in
            if let known = storages[name] { return known }
            let new = VaultMemoryStorage(name)
            storages[name] = new
            return new
        }
    }

    /// A place of that name where nothing is.
    func storage(anew name: String) -> VaultMemoryStorage {
        let storage = storage(name)
        storage.bytes = nil
        return storage
    }

    /// A vault whose key file has 32 bytes that are all the same.
    func make(_ name: String, for user: String = "alice", key: UInt8 = 1) throws -> Vault {
        try Vault.create(in: storage(name), for: UserID(parsing: user), locking: .testOnlyKeyFile(key))
    }

    func open(
        _ name: String, key: UInt8 = 1, notOlderThan known: VaultVersion? = nil
    ) throws(VaultError) -> Vault {
        try Vault(locked(name), .testOnlyKeyFile(key), notOlderThan: known)
    }

    /// What is locked under that name.
    func locked(_ name: String) throws(VaultError) -> LockedVault { try LockedVault(in: storage(name)) }

    /// A vault's bytes.
    func bytes(_ name: String) throws -> [UInt8] { try #require(storage(name).bytes) }

    func write(_ bytes: [UInt8], to name: String) { storage(name).bytes = bytes }

    /// Whether there is a vault, or anything else.
    func isThere(_ name: String) -> Bool { storage(name).bytes != nil }
}

extension Vault {
    /// A clock that stands still, in seconds since 1970.
    func setClock(_ now: UInt64) { seams.withLock { $0.now = { Timestamp(secondsSince1970: now) } } }

    /// A clock that stands still, and another way to stretch a phrase.
    func setSeams(_ now: UInt64, _ stretch: @escaping PhraseStretch) {
        seams.withLock { $0 = VaultSeams(now: { Timestamp(secondsSince1970: now) }, stretch: stretch) }
    }
}
