internal import CloserFiles
internal import Synchronization

/// What a device must remember: its identity, its couples, its answers and what it saw of others.
///
/// One sealed file (closer-keys-formats(7), PRIVATE FORMATS). Each change is written whole beside it, synced, and renamed over it:
/// after a crash, or with a full disk, the vault is the old one or the new one. Several processes may use one vault at
/// once: writers take turns, on a lock file beside it. On a machine that remembers its vaults, readers do, too.
///
/// Nothing here is `async`: each verb blocks its thread, and says for how long. What reads takes about a millisecond; what changes
/// waits for the disk, and for other writers up to half a minute; what derives a key from a phrase, a code or a passphrase computes for
/// 0.1 to 0.6 s, on purpose. An app calls them from an actor of its own or from a detached task, never from the main actor.
///
/// Whatever reads a vault can throw `.missing`, `.notAVault`, `.formerFormat`, `.unsupportedVersion`, `.tooLarge`, `.cannotRead`,
/// `.damaged` and `.lockedAnew` of ``VaultError``. Whatever changes one can also throw `.busy`, `.cannotWrite`, `.unsettled` and
/// `.diverged`. Each verb's page lists the errors that it adds.
///
/// - Important: Whoever can write the file can put back an older one, with older pins. Name the ``VaultVersion`` that you saw
///   last when you open the vault, and keep each new one: then an older file is `.rolledBack`.
public final class Vault: Sendable {
    /// What a vault's file may have: 256 MiB. Ten years of a couple are some 2 MB.
    public static let maximumByteCount = 256 << 20

    /// As it was named, for messages.
    public let path: String
    let key: VaultKey
    /// Looked up once. A rename would replace a link, and not the file.
    let place: Place
    /// The newest that was seen: nothing older is read, and an unchanged directory is opened once.
    private let latest: Mutex<Snapshot?>
    let witness: VaultWitness
    /// The lock that was opened: what has another one is not read.
    let opened: Mutex<VaultLock>
    private let standing = Mutex(Standing.newest)
    private let foreignChanges = Mutex(0)

    /// What its file is to whoever opened it.
    private enum Standing {
        case newest
        /// No invite counts as open.
        case olderCopy
        /// The same of this one state, and of what is made of it here. Nobody remembers it, so any other could be an older one.
        case only(VaultVersion, mayChange: Bool)
    }

    /// How long a writer waits for the others. A change takes milliseconds.
    package static let patience = Duration.seconds(30)
    let patience: Duration

    /// Opens a vault with a secret that the caller holds. See ``LockedVault`` to ask first what it is locked with.
    ///
    /// With a passphrase it blocks for Argon2id, some 0.6 s and 256 MiB of memory. With a key it takes about a millisecond.
    ///
    /// - Throws: ``VaultError``: `.missing`, `.notAVault`, `.formerFormat`, `.unsupportedVersion`, `.tooLarge`, `.cannotRead`,
    ///   `.authenticationFailed`, `.otherProtection`, `.keyFileMalformed`, `.passphraseLength`, `.costsRefused`, `.damaged`,
    ///   `.rolledBack`.
    public convenience init(
        opening path: String, unlocking: borrowing Unlocking, witness: VaultWitness = .ofOne(nil)
    ) throws(VaultError) {
        try self.init(LockedVault(at: path), unlocking, witness: witness)
    }

    convenience init(
        _ locked: LockedVault, _ unlocking: borrowing Unlocking, witness: VaultWitness = .ofOne(nil),
        patience: Duration = Vault.patience
    ) throws(VaultError) {
        let (key, lock) = try locked.unlocked(with: unlocking)
        self.init(locked.path, locked.place, key, lock, witness, patience)
        // Anew: what the witness knows may have been written after the lock was read, and so may another lock.
        do { _ = try current() } catch {
            guard case .lockedAnew = error, let lock = latest.withLock({ $0?.lock }) else { throw error }
            _ = try lock.unlock(with: unlocking)
            opened.withLock { $0 = lock }
            _ = try current()
        }
    }

    private init(
        _ path: String, _ place: Place, _ key: VaultKey, _ lock: VaultLock, _ witness: VaultWitness,
        _ patience: Duration
    ) {
        (self.path, self.place, self.key, self.patience) = (path, place, key, patience)
        self.latest = Mutex(nil)
        self.opened = Mutex(lock)
        self.witness = witness
    }

    /// Makes a vault. `body` writes what is in it at first.
    static func make(
        at path: String, _ key: VaultKey, locking: borrowing Unlocking,
        _ body: (inout Transaction) throws(VaultError) -> Void
    ) throws(VaultError) -> Vault {
        let lock = try VaultLock(key, with: locking)
        var transaction = Transaction(Directory(), key)
        try body(&transaction)
        let bytes = try VaultFile.bytes(
            lock, transaction.directory.counted(after: Int(transaction.directory.changeCount)), key)
        let place = try Place(ofNewVault: path)
        try place.checkAbsent()
        guard let turn = try place.lock(patience) else { throw .busy }
        try place.checkAbsent()
        let made: FileState?
        do throws(Unstored) {
            made = try Unbroken.change { () throws(Unstored) in try place.put(bytes, replacing: false) { nil }
            }
        } catch {
            // Nobody remembers a vault that was not made.
            throw error.wasBegun ? error.cause.unsettled(path: path) : error.cause
        }
        _ = consume turn
        // A link in the path, or the working folder, may have led elsewhere for a while.
        guard place.isNamed, place.entry.state == made, place.entry.holds(FileIdentity(path: path)) else {
            throw .diverged(path: path)
        }
        let vault = Vault(path, place, key, lock, .ofOne(nil), patience)
        vault.see(try Snapshot(VaultFile(bytes, path: path), key))
        return vault
    }

    /// The vault's file and the lock beside it: no output of a program may take their place.
    public static func files(at path: String) -> [String] {
        let absolute = Folder.absolutePath(of: path) ?? path
        return [path, absolute, absolute + ".lock"]
    }

    /// Checks that a vault can be made there: that there is nothing, and no link to nothing.
    ///
    /// - Throws: ``VaultError``: `.exists` for a vault, `.notAVault` for another file, `.formerFormat`, `.unsupportedVersion` and
    ///   `.damaged` for what was a vault, `.tooLarge`, `.cannotRead`, and `.cannotWrite` for a link, or if there is no folder for it.
    public static func checkAbsent(at path: String) throws(VaultError) {
        try Place(ofNewVault: path).checkAbsent()
    }

    /// The absolute paths that mean it, as ``LockedVault/places``.
    public var places: [String] { place.paths }

    /// Which vault it is, wherever it lies.
    public var id: VaultID { key.vaultID }

    /// How often the vault was changed. It only rises, unless somebody put back an older file.
    ///
    /// It reads the vault's file, which takes about a millisecond.
    ///
    /// - Throws: ``VaultError``, as whatever reads a vault.
    public var changeCount: Int {
        get throws(VaultError) { try current().version.changeCount }
    }

    /// The newest state in which this vault was seen, without reading it anew.
    public var version: VaultVersion? { latest.withLock { $0?.version } }

    /// How often a look found another state than the one before it, or than our own last change: somebody else had changed the vault.
    package var othersChanges: Int { foreignChanges.withLock { $0 } }

    /// What the key is locked with.
    ///
    /// It reads the vault's file, which takes about a millisecond.
    ///
    /// - Throws: ``VaultError``, as whatever reads a vault.
    public var protection: Protection {
        get throws(VaultError) { try current().lock.protection }
    }

    /// Whether this opens the vault's lock. The file is read again, with the same checks as any other read.
    package func opens(with unlocking: borrowing Unlocking) throws(VaultError) -> Bool {
        let lock = try current().lock
        return (try? lock.unlock(with: unlocking)) != nil
    }

    // MARK: - Reading and changing

    /// From now on no invite counts as open, and each change closes those that are. Another older file may take this one's place at any
    /// time, and nobody knows which of its invites are used up.
    package func treatAsOlderCopy() { standing.withLock { $0 = .olderCopy } }

    /// The same of this state, which nobody remembers: any other is refused, unless it is made of it here.
    package func treatAsOlderCopy(only version: VaultVersion, mayChange: Bool) {
        standing.withLock { $0 = .only(version, mayChange: mayChange) }
    }

    var isTreatedAsOlder: Bool {
        if case .newest = standing.withLock({ $0 }) { false } else { true }
    }

    func checkMayChange() throws(VaultError) {
        guard case .only(_, mayChange: false) = standing.withLock({ $0 }) else { return }
        throw .cannotWrite(path: path, reason: "A file that is not the vault is only read")
    }

    private func checkIsWanted(_ now: VaultVersion) throws(VaultError) {
        guard case .only(let version, _) = standing.withLock({ $0 }), version.digest != now.digest else {
            return
        }
        throw .rolledBack(path: path)
    }

    /// What was made of the one state that is wanted is the one from then on.
    func wants(_ written: VaultVersion) {
        standing.withLock { standing in
            if case .only(_, let mayChange) = standing { standing = .only(written, mayChange: mayChange) }
        }
    }

    /// Reads the vault as it is at one moment; `.busy` if that is not the `only` state that was asked for.
    func read<Result>(
        only expected: VaultVersion? = nil, _ body: (Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let now = try current()
        try now.version.check(isOnly: expected)
        return try body(try transaction(of: now))
    }

    /// The same, and takes nothing from what was read before.
    func readAnew<Result>(
        _ body: (Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try body(try transaction(of: try current(anew: true)))
    }

    /// As it is there, or without open invites.
    func transaction(of now: Snapshot) throws(VaultError) -> Transaction {
        var transaction = Transaction(now.directory, key)
        if isTreatedAsOlder { try transaction.closeInvites() }
        return transaction
    }

    /// Changes the vault in one transaction: if `body` throws, nothing happened; if it changes nothing, nothing is written. It is `.busy`
    /// if the vault is not in the `only` state that was asked for.
    func change<Result>(
        only expected: VaultVersion? = nil, _ body: (inout Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try checkMayChange()
        let turn = try ChangeTurn.wait(at: place, witness, patience)
        let now = try look()
        try now.version.check(isOnly: expected)
        var transaction = try changing(now)
        let result = try body(&transaction)
        if transaction.isChanged { try store(now.lock, transaction.directory, over: now, turn) }
        _ = consume turn
        return result
    }

    /// What a change begins with: today's form, and no open invite in an older copy.
    func changing(_ now: Snapshot) throws(VaultError) -> Transaction {
        var transaction = try Transaction(now.directory, key).inTodaysForm()
        if isTreatedAsOlder { try transaction.closeInvites() }
        return transaction
    }

    /// The file as it is when nobody on this machine changes it.
    func current(anew: Bool = false) throws(VaultError) -> Snapshot {
        let turn = try witness.turn(.reading)
        defer { withExtendedLifetime(turn) {} }
        return try look(anew: anew)
    }

    /// The file as it is now, unless it is older than what this process or the witness saw before it was read.
    func look(anew: Bool = false) throws(VaultError) -> Snapshot {
        let (seen, known) = (latest.withLock { $0 }, try witness.known())
        let content = try VaultFile(place.content(), path: path)
        guard content.lock.vaultID == key.vaultID else { throw .replaced(path: path) }
        var now =
            if !anew, let seen, seen.head == content.head { seen } else { try Snapshot(content, key) }
        guard known.map(now.version.isOfSameVault) ?? true else { throw .replaced(path: path) }
        for version in [seen?.version, known] {
            guard let version else { continue }
            guard now.version.mayFollow(version) else { throw .rolledBack(path: path) }
            now.version = now.version.giving(up: version)
        }
        try checkIsWanted(now.version)
        if let seen, seen.version.digest != now.version.digest { foreignChanges.withLock { $0 += 1 } }
        see(now)
        if now.version.newer(of: known) != known { try remember(now.version) }
        guard now.lock == opened.withLock({ $0 }) else { throw .lockedAnew(path: path) }
        return now
    }

    /// What nobody remembers is not shown: the state may have been given up since we asked, or another one was seen.
    private func remember(_ version: VaultVersion) throws(VaultError) {
        witness.saw(version)
        guard try witness.known().map(version.mayFollow) ?? true else { throw .rolledBack(path: path) }
    }

    func see(_ now: Snapshot) {
        latest.withLock { seen in
            if seen.map({ now.version.mayFollow($0.version) }) ?? true { seen = now }
        }
    }

    struct Snapshot {
        let lock: VaultLock
        let directory: Directory
        let head: ArraySlice<UInt8>
        let byteCount: Int
        var version: VaultVersion

        init(_ content: VaultFile, _ key: VaultKey) throws(VaultError) {
            directory = try content.directory(key)
            (lock, head, byteCount) = (content.lock, content.head, content.byteCount)
            version = VaultVersion(directory, head: head, key)
        }
    }
}
