internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

/// What opens a vault between `device unlock` and `device lock`: the key of its key slot, in the kernel's memory.
///
/// It opens this key slot alone: a new passphrase ends it.
enum UnlockedVault {
    private static let prefix = "closer-keys:"

    private static func name(of id: Vault.ID) -> String { "\(prefix)\(id)" }

    /// What opens this vault; nil if it asks for its passphrase, as after a change of the passphrase.
    static func unlocking(_ vault: LockedVault) -> Credential? {
        for kept in (try? Keyring.all(beginning: name(of: vault.id))) ?? [] {
            if let unlocking = unlocking(kept), vault.opens(with: unlocking) { return unlocking }
        }
        return nil
    }

    private static func unlocking(_ kept: Keyring.Kept) -> Credential? {
        var isThere = false
        let key = SecretBytes(capacity: Credential.slotKeyByteCount) {
            isThere = Keyring.read(kept, Credential.slotKeyByteCount, into: &$0)
        }
        guard isThere else { return nil }
        return .slotKey(key)
    }

    /// Keeps the key for a while.
    static func keep(_ key: borrowing SecretBytes, of vault: Vault.ID, seconds: UInt32) throws {
        do throws(Keyring.Unavailable) {
            try key.withBytes { (key) throws(Keyring.Unavailable) in
                try Keyring.add(key, named: name(of: vault), seconds: seconds)
            }
        } catch { throw CLIError(keepingNoKey: error.reason) }
    }

    /// Locks every vault that this login may open; how many there were.
    static func lockAll() throws -> Int {
        do throws(Keyring.Unavailable) { return try remove(prefix) } catch {
            throw CLIError(
                .ioError,
                "the unlocked vaults cannot be locked (\(error.reason.lowercased())): they stay unlocked until their time is over"
            )
        }
    }

    /// Drops the key of a former passphrase.
    static func drop(of vault: Vault.ID) { _ = try? remove(name(of: vault)) }

    private static func remove(_ prefix: String) throws(Keyring.Unavailable) -> Int {
        let all = try Keyring.all(beginning: prefix)
        for kept in all { try Keyring.remove(kept) }
        return all.count
    }
}

extension CLIError {
    /// Why the vault stays locked.
    init(keepingNoKey reason: String) {
        self.init(
            .ioError, "this system keeps no key for a while (\(reason.lowercased())): the vault is locked",
            hint:
                "give the passphrase each time, or protect the vault with a key file: closer-keys device passphrase"
        )
    }
}
