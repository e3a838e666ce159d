internal import CloserFiles
internal import CloserPrimitives

/// What a device must remember: its identity, its couples, its answers and what it saw of others.
///
/// A vault is one sealed file (closer-keys-formats(7), PRIVATE FORMATS), read whole and written whole. A change takes an advisory lock,
/// reads the file, and puts a new file in its place: a crash or a full disk leaves the old vault or the new one, and of two commands at
/// once the second changes what the first has written. A reader takes no lock: no process changes the file in place.
///
/// Each verb blocks its thread. A verb that reads takes about a millisecond. A verb that changes waits for
/// the disk, and up to half a minute for other processes. A verb that derives a key from a phrase, a code or a passphrase computes for 0.1
/// to 0.6 s, on purpose. An app calls them from an actor of its own, such as ``VaultActor``.
///
/// A verb that reads can throw `.missing`, `.notAVault`, `.unsupportedVersion`, `.tooLarge`, `.cannotRead`, `.damaged`, `.rolledBack`
/// and `.replaced` of ``VaultError``, and `.authenticationFailed` once another process has drawn a new vault key. A verb that changes can
/// also throw `.busy`, `.cannotWrite`, `.outdated` and `.mayBeWritten`. Each verb's page lists the errors that it adds.
///
/// - Important: An attacker who can write the file can put back an older one, with older pins. Keep ``version`` where that attacker
///   cannot write, and name it when you open the vault: an older file is `.rolledBack` then.
public final class Vault: Sendable {
    /// What a vault's file may have: 256 MiB. Ten years of a couple are some 2 MB.
    public static let maximumByteCount = 256 << 20

    /// How long a change waits for others. A change takes milliseconds.
    package static let patience = Duration.seconds(30)

    /// How often a change runs that other devices outrun.
    private static let attempts = 10

    /// Which vault it is, wherever it lies.
    public let id: Vault.ID
    let storage: any VaultStorage
    private let patience: Duration
    /// The newest state that this object has read or written: older ones are refused, and an unchanged file is opened once.
    private let latest: Lock<Snapshot>
    /// The vault key that was drawn here last. It is kept before the file has it, for a thread that reads the file at that moment.
    private let drawn = Lock<VaultKey?>(nil)
    /// The version that was heard of last.
    private let noted: Lock<VaultVersion>
    /// The transaction of ``together(_:)`` while it runs.
    private let pending = Lock<Transaction?>(nil)
    /// The clock, and how phrases are stretched.
    let seams = Lock(VaultSeams())
    /// Hears of each newer version, before a result of it is given. If it throws, there is no result, and what was stored stays.
    private let noting: @Sendable (Event) throws(VaultError) -> Void

    /// A state that is newer than the one before.
    package struct Event: Sendable {
        /// The vault, which is in that state.
        package let vault: Vault
        /// Whether this object has written it.
        package let isOurs: Bool
    }

    /// Opens the vault in a file. See ``LockedVault`` to ask first what protects it.
    ///
    /// With a passphrase it blocks for Argon2id, some 0.6 s and 256 MiB of memory. With a key it takes about a millisecond.
    /// `known` is the newest version that you have seen: an older or a diverged file is `.rolledBack`.
    ///
    /// - Throws: ``VaultError``, as each verb that reads, and `.authenticationFailed`, `.otherProtection`, `.keyMalformed`,
    ///   `.passphraseLength`, `.costsRefused`, `.outOfMemory`.
    public convenience init(
        opening path: String, unlocking: borrowing Credential, notOlderThan known: VaultVersion? = nil
    ) throws(VaultError) {
        try self.init(LockedVault(at: path), unlocking, notOlderThan: known)
    }

    /// Opens a vault that lies elsewhere than in a file.
    ///
    /// - Throws: ``VaultError``, as for a file, and what `storage` throws.
    public convenience init(
        opening storage: any VaultStorage, unlocking: borrowing Credential,
        notOlderThan known: VaultVersion? = nil
    ) throws(VaultError) {
        try self.init(LockedVault(in: storage), unlocking, notOlderThan: known)
    }

    package convenience init(
        _ locked: LockedVault, _ unlocking: borrowing Credential, notOlderThan known: VaultVersion? = nil,
        patience: Duration = Vault.patience,
        noting: @escaping @Sendable (Event) throws(VaultError) -> Void = { _ in }
    ) throws(VaultError) {
        let key = try locked.content.slot.unlock(with: unlocking)
        let snapshot = try Snapshot(locked.content, key)
        if let known { try snapshot.check(follows: known, locked.name) }
        self.init(locked.storage, snapshot, patience, noting)
    }

    private init(
        _ storage: any VaultStorage, _ snapshot: Snapshot, _ patience: Duration,
        _ noting: @escaping @Sendable (Event) throws(VaultError) -> Void
    ) {
        (self.storage, id, self.patience, self.noting) = (storage, snapshot.key.vaultID, patience, noting)
        latest = Lock(snapshot)
        noted = Lock(snapshot.version)
    }

    /// Makes a vault where none is. `body` writes what is in it at first.
    static func make(
        in storage: any VaultStorage, locking: borrowing Credential,
        _ body: (inout Transaction) throws(VaultError) -> Void
    ) throws(VaultError) -> Vault {
        let key = VaultKey()
        let slot = try KeySlot(key, with: locking)
        var transaction = Transaction(Index(), key)
        try body(&transaction)
        let made = try Snapshot(slot, transaction.index.counted(), key)
        try storage.lock(patience: patience) { () throws(VaultError) in
            try Replacement(storage: storage, old: nil, new: made).store()
        }
        return Vault(storage, made, patience) { _ in }
    }

    /// Checks that a vault can be made in a file, before a secret is asked for.
    ///
    /// - Throws: ``VaultError``, as ``LockedVault``, and `.exists` for a vault.
    public static func checkAbsent(at path: String) throws(VaultError) {
        try VaultFileStorage(path).checkAbsent()
    }

    /// The file's path as it was named, or what a storage of your own says: for messages.
    public var name: String { storage.name }

    /// The newest version that this object has read or written. The file stays unread.
    public var version: VaultVersion { latest.withLock { $0.version } }

    /// How often the vault was changed. The count only rises, unless an older file was put back.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public var changeCount: UInt64 {
        get throws(VaultError) { try current().version.changeCount }
    }

    /// What protects the vault's key.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public var protection: Protection {
        get throws(VaultError) { try current().slot.protection }
    }

    // MARK: - Reading and changing

    /// Fetches what other devices have changed, where the storage asks a server. An app calls it when it starts or comes to the front,
    /// when it hears of a change, and before it seals a field.
    ///
    /// - Throws: ``VaultError``, as each verb that reads. What was read before can still be read if the server is not reached.
    public func refresh() throws(VaultError) {
        try storage.refresh()
        _ = try current()
    }

    /// Reads the vault as it is at one moment.
    func read<Result>(_ body: (Transaction) throws(VaultError) -> Result) throws(VaultError) -> Result {
        if let pending = pending.withLock({ $0 }) { return try body(pending) }
        let now = try current()
        return try body(Transaction(now.index, now.key))
    }

    /// Changes the vault in one transaction. If `body` throws or changes nothing, nothing is written; if this throws, the vault is as it
    /// was, except after `.mayBeWritten`. If another device was faster, `body` runs again.
    func change<Result>(
        _ body: (inout Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        guard var pending = pending.withLock({ $0 }) else { return try write(body) }
        let result = try body(&pending)
        self.pending.withLock { $0 = pending }
        return result
    }

    /// Makes all changes of `body` in one transaction, which is written when `body` ends: to write the file takes longer than most
    /// changes. If this throws, none of them was made, and no result of them may be shown.
    ///
    /// Meanwhile one thread alone uses this object, and other processes that change the vault wait.
    package func together(_ body: () -> Void) throws(VaultError) {
        try write(attempts: 1) { (transaction) throws(VaultError) in
            pending.withLock { $0 = transaction }
            body()
            transaction = pending.withLock { $0.take() } ?? transaction
        }
    }

    private func write<Result>(
        attempts: Int = Vault.attempts, _ body: (inout Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try exclusively(attempts) { (now) throws(VaultError) in
            var transaction = Transaction(now.index, now.key)
            let result = try body(&transaction)
            return (result, transaction.isChanged ? try now.followed(by: transaction) : nil)
        }
    }

    /// Protects the key with another secret. Older copies of the file still open with the former one.
    ///
    /// With `newVaultKey` every record is sealed again, under a new vault key: an attacker with an older copy, and with what protected it,
    /// cannot read what comes later. Other objects and processes that have the vault open must open it again.
    ///
    /// With a passphrase it blocks for Argon2id, some 0.6 s and 256 MiB of memory, and so do others that change the vault then.
    ///
    /// - Throws: ``VaultError``: `.keyMalformed`, `.passphraseLength`, and as each verb that changes; with `newVaultKey` also
    ///   `.formerCredential`.
    public func changeCredential(to new: borrowing Credential, newVaultKey: Bool = false)
        throws(VaultError)
    {
        try protect(by: new, newVaultKey: newVaultKey) { _ in }
    }

    /// Makes the change of `body` and protects the key with another secret, at once.
    func protect<Result>(
        by new: borrowing Credential, newVaultKey: Bool,
        _ body: (inout Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try exclusively { (now) throws(VaultError) in
            var transaction = Transaction(now.index, now.key)
            let result = try body(&transaction)
            if newVaultKey {
                guard (try? now.slot.unlock(with: new)) == nil else { throw .formerCredential }
                transaction = try transaction.sealedAgain(under: VaultKey(of: id))
            }
            let key = transaction.key
            drawn.withLock { $0 = key }
            return (result, try now.followed(by: transaction, under: KeySlot(key, with: new)))
        }
    }

    /// Makes this file the newest, though `known` was seen: an older copy that you have put back on purpose. One change closes open
    /// offers and sets the count to one more than both had, so that ``version`` is newer than `known` afterwards. Until a grant is
    /// accepted, `accept` requires ``PairingConsents/newCode``.
    ///
    /// What only the newer file has is lost: pins, verified partners, open pairings, answers.
    ///
    /// - Throws: ``VaultError``: `.replaced` if `known` is of another vault, and as each verb that changes.
    public func acceptAsNewest(after known: VaultVersion) throws(VaultError) {
        guard known.vaultID == id else { throw .replaced(path: name) }
        try exclusively(1) { (now) throws(VaultError) in
            var transaction = Transaction(now.index, now.key)
            try transaction.becomeOlderCopy(at: self.now)
            return ((), try now.followed(by: transaction, givingUp: known))
        }
    }

    /// Whether a file is this vault in a version, or in a newer one.
    package func isFollowed(at path: String, _ version: VaultVersion) -> Bool {
        let seen = latest.withLock { $0 }
        guard let there = try? LockedVault(at: path).content, there.slot.vaultID == id else { return false }
        // A file under another vault key, and so under another key slot, does not tell the states that it came of: it may be newer.
        return (try? Snapshot(there, seen.key))?.follows(version) ?? (there.slot != seen.slot)
    }

    /// Stores what `body` makes of the newest state, if it makes a new one, while this process alone changes the vault. If another device
    /// was faster, `body` runs again on the state of that.
    private func exclusively<Result>(
        _ attempts: Int = Vault.attempts, _ body: (Snapshot) throws(VaultError) -> (Result, Snapshot?)
    ) throws(VaultError) -> Result {
        try storage.lock(patience: patience) { () throws(VaultError) in
            for attempt in 1..<attempts {
                do throws(VaultError) { return try once(body) } catch {
                    guard case .outdated = error else { throw error }
                }
                Patience.backOff(attempt)
            }
            return try once(body)
        }
    }

    /// Nil once the storage has fetched the newest state.
    private func refreshFailure() -> VaultError? {
        do { try storage.refresh() } catch { return error }
        return nil
    }

    private func once<Result>(
        _ body: (Snapshot) throws(VaultError) -> (Result, Snapshot?)
    ) throws(VaultError) -> Result {
        let failure = refreshFailure()
        let now = try current()
        let (result, new) = try body(now)
        // A step that was taken before has its result offline, too.
        guard let new else { return result }
        if let failure { throw failure }
        try Replacement(storage: storage, old: now.bytes, new: new).store()
        see(new)
        try note(isOurs: true)
        return result
    }

    /// The file as it is now, unless it did not come of what was seen here.
    func current() throws(VaultError) -> Snapshot {
        let now = try look()
        try note(isOurs: false)
        return now
    }

    /// Tells the listener of the newest version, once. One that throws is told again before the next result.
    private func note(isOurs: Bool) throws(VaultError) {
        let version = version
        guard noted.withLock({ $0 != version }) else { return }
        try noting(Event(vault: self, isOurs: isOurs))
        noted.withLock { $0 = version }
    }

    private func look() throws(VaultError) -> Snapshot {
        // Before the file is read: another thread may change it in between.
        let seen = latest.withLock { $0 }
        let bytes = try storage.read()
        guard seen.bytes != bytes else { return seen }
        let now = try opened(VaultFile(bytes, path: name), after: seen)
        try now.check(follows: seen.version, name)
        see(now)
        return now
    }

    /// `.authenticationFailed` for a file under a vault key that another process has drawn, and so under another key slot.
    private func opened(_ content: VaultFile, after seen: Snapshot) throws(VaultError) -> Snapshot {
        do { return try Snapshot(content, seen.key) } catch {
            guard error == .damaged, content.slot != seen.slot else { throw error }
            guard let key = drawn.withLock({ $0 }), let now = try? Snapshot(content, key) else {
                throw .authenticationFailed
            }
            return now
        }
    }

    /// Whether the newest state that this object has read or written is `known`, or came of it.
    package func follows(_ known: VaultVersion) -> Bool { latest.withLock { $0.follows(known) } }

    func check(follows known: VaultVersion) throws(VaultError) {
        try latest.withLock { $0 }.check(follows: known, name)
    }

    /// The newest version, to be remembered in the place of `known`, and a copy of that state is kept. If the state did not come of
    /// `known`, it is fetched and read once more: another process may have changed it and remembered so.
    ///
    /// - Throws: ``VaultError``: `.rolledBack`, `.replaced`, and as each verb that reads.
    package func newest(after known: VaultVersion?) throws(VaultError) -> VaultVersion {
        var now = latest.withLock { $0 }
        if let known, !now.follows(known) {
            try? storage.refresh()
            now = try look()
            try now.check(follows: known, name)
        }
        storage.keep(now.bytes)
        return now.version
    }

    /// Keeps the newest state.
    private func see(_ now: Snapshot) {
        latest.withLock { seen in if now.follows(seen.version) { seen = now } }
    }
}
