internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault

/// What opens a vault between `device unlock` and `device lock`: the key of its lock, in the kernel's memory.
///
/// It is not the vault's own key, and opens no other lock: a new passphrase ends it.
enum UnlockedVault {
    private static let prefix = "closer-keys:"
    /// How long a vault is unlocked before a person was told. If that never happens, since the output takes nothing or a signal comes, the
    /// vault is locked again by itself.
    private static let untoldSeconds: UInt32 = 10

    private static func name(of id: VaultID) -> String { "\(prefix)\(id)" }

    // MARK: - Found

    /// What opens this vault; nil if it asks for its passphrase.
    static func unlocking(_ vault: LockedVault) -> Unlocking? {
        guard let kept = kept(for: vault.id, opening: { vault.opens(with: $0) }), let key = key(kept) else {
            return nil
        }
        return .lockKey(key)
    }

    /// Which processes can open the vault without its passphrase; nil if none can. This asks the vault that was opened, not whatever
    /// file has its name now.
    static func reach(_ vault: Vault) throws -> Keyring.Reach? {
        try kept(for: vault.id) { try vault.opens(with: $0) }?.reach
    }

    /// That of this login comes first. What somebody put there that does not open the lock is as good as none.
    private static func kept(
        for id: VaultID, opening opens: (borrowing Unlocking) throws -> Bool
    ) rethrows -> Keyring.Kept? {
        try Keyring.Reach.allCases.lazy.compactMap { Keyring.find(name(of: id), for: $0) }.first {
            guard let key = key($0) else { return false }
            return try opens(.lockKey(key))
        }
    }

    private static func key(_ kept: Keyring.Kept) -> SecretBytes? {
        var isThere = false
        let key = SecretBytes(capacity: Unlocking.lockKeyByteCount) {
            isThere = Keyring.read(kept, Unlocking.lockKeyByteCount, into: &$0)
        }
        guard isThere else { return nil }
        return key
    }

    // MARK: - Kept

    /// Keeps the key for a while, and has a person told. If that fails, the vault is locked, also if it was unlocked before.
    static func keep(
        _ key: borrowing SecretBytes, of vault: Vault, _ locked: LockedVault, for reach: Keyring.Reach,
        seconds: UInt32, telling report: () throws -> Void
    ) throws {
        do throws(Keyring.Unavailable) {
            for other in Keyring.Reach.allCases {
                try remove(Keyring.all(named: name(of: vault.id), for: other))
            }
        } catch { throw Failure(staying: error) }
        let kept: Keyring.Kept
        do throws(Keyring.Unavailable) {
            kept = try key.withBytes { (key) throws(Keyring.Unavailable) in
                try Keyring.add(
                    key, named: name(of: vault.id), for: reach, seconds: min(seconds, untoldSeconds))
            }
        } catch { throw Failure(keepingNoKey: error.reason) }
        do {
            try check(vault, locked)
            try report()
            do throws(Keyring.Unavailable) { try Keyring.settle(kept, seconds: seconds) } catch {
                throw Failure(keepingNoKey: error.reason)
            }
        } catch {
            do throws(Keyring.Unavailable) { try Keyring.remove(kept) } catch let stays {
                throw Failure(error).adding(
                    "what was kept cannot be taken back (\(stays.reason.lowercased()))")
            }
            throw error
        }
    }

    /// Another process may have changed the lock since the passphrase was tried. The vault that was opened is asked, too: somebody may have
    /// put the former file back, which this machine refuses by then.
    private static func check(_ vault: Vault, _ locked: LockedVault) throws {
        guard try LockedVault(at: locked.path).hasLock(of: locked) else {
            throw Failure(
                .authFailed, "the vault got another lock meanwhile", hint: "unlock it with that one")
        }
        guard try kept(for: vault.id, opening: { try vault.opens(with: $0) }) != nil else {
            throw Failure(keepingNoKey: "what was kept is not there")
        }
    }

    // MARK: - Dropped

    /// Locks every vault that this login may open; how many there were.
    static func lockAll() throws -> Int {
        var count = 0
        do throws(Keyring.Unavailable) {
            for reach in Keyring.Reach.allCases {
                var removed = 0
                repeat {
                    removed = try remove(Keyring.all(beginning: prefix, for: reach))
                    count += removed
                } while removed > 0
            }
        } catch { throw Failure(notLocking: error) }
        return count
    }

    /// What is left of a lock that is no more, which opens nothing, is of no use to anybody.
    static func drop(of vault: VaultID) {
        for reach in Keyring.Reach.allCases {
            _ = try? remove(Keyring.all(named: name(of: vault), for: reach))
        }
    }

    @discardableResult
    private static func remove(_ kept: [Keyring.Kept]) throws(Keyring.Unavailable) -> Int {
        for one in kept { try Keyring.remove(one) }
        return kept.count
    }
}

extension Failure {
    /// Why nothing is unlocked now.
    init(keepingNoKey reason: String) {
        self.init(
            .ioError, "this system keeps no key for a while (\(reason.lowercased())): the vault is locked",
            hint:
                "give the passphrase each time, or lock the vault with a key file: closer-keys device passphrase"
        )
    }

    /// What unlocked the vault before cannot be taken back.
    fileprivate init(staying error: Keyring.Unavailable) {
        self.init(
            .ioError,
            "the system does not say what it keeps (\(error.reason.lowercased())): if the vault was unlocked, it stays so"
        )
    }

    fileprivate init(notLocking error: Keyring.Unavailable) {
        self.init(
            .ioError,
            "no vault can be locked again (\(error.reason.lowercased())): one that was unlocked stays unlocked until its time is over"
        )
    }
}
