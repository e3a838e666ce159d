internal import CloserFiles
internal import Synchronization

/// What a device must remember: its identity, its couples, its answers and what it saw of others.
///
/// One sealed file (closer-keys-formats(7), PRIVATE FORMATS). Each change is written whole beside it, synced, and renamed over it:
/// after a crash, or with a full disk, the vault is the old one or the new one. Several processes may use one vault at
/// once: writers take turns, on a lock file beside it, and readers wait for nobody.
///
/// Nothing here is `async`: each verb blocks its thread, and says for how long. What reads takes about a millisecond; what changes
/// waits for the disk, and for other writers up to half a minute; what derives a key from a phrase, a code or a passphrase computes for
/// 0.1 to 0.6 s, on purpose. An app calls them from an actor of its own or from a detached task, never from the main actor.
///
/// Whatever reads a vault can throw `.missing`, `.notAVault`, `.formerFormat`, `.unsupportedVersion`, `.tooLarge`, `.cannotRead`,
/// `.damaged` and `.lockedAnew` of ``VaultError``; whatever changes one, `.busy`, `.cannotWrite`, `.unsettled` and `.diverged`, too. A verb's own page
/// names what it adds.
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
    private let place: Place
    /// The newest that was seen: nothing older is read, and an unchanged directory is opened once.
    private let latest: Mutex<Snapshot?>
    private let witness: VaultWitness
    /// The lock that was opened: what has another one is not read.
    private let opened: Mutex<VaultLock>
    /// Whether no invite counts as open.
    private let isOlderCopy = Mutex(false)
    private let isReadAlone = Mutex(false)

    /// How long a writer waits for the others. A change takes milliseconds.
    private static let patience = Duration.seconds(30)
    private let patience: Duration

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
        let key = try locked.content.lock.unlock(with: unlocking)
        self.init(locked.path, locked.place, key, locked.content.lock, witness, patience)
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
        let turn = try place.turn(patience)
        try place.checkAbsent()
        let made: FileState?
        do throws(Unstored) {
            made = try Unbroken.change { () throws(Unstored) in try place.put(bytes, replacing: false) { nil }
            }
        } catch { throw error.isGone ? error.cause : error.cause.unsettled(path: path) }
        _ = consume turn
        guard place.isNamed, place.entry.state == made else { throw .diverged(path: path) }
        let vault = Vault(path, place, key, lock, .ofOne(nil), patience)
        vault.see(try Snapshot(VaultFile(bytes, path: path), key))
        return vault
    }

    /// The vault's file and the lock beside it: no output of a program may take their place.
    public static func files(at path: String) -> [String] {
        [path, (Folder.absolutePath(of: path) ?? path) + ".lock"]
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

    /// What the key is locked with.
    ///
    /// It reads the vault's file, which takes about a millisecond.
    ///
    /// - Throws: ``VaultError``, as whatever reads a vault.
    public var protection: Protection {
        get throws(VaultError) { try current().lock.protection }
    }

    /// Locks the key with something else. What is in older copies of the file stays readable with the old lock.
    ///
    /// With a passphrase it blocks for Argon2id, some 0.6 s and 256 MiB of memory. It blocks until the change is on the disk:
    /// up to half a minute while other processes write.
    ///
    /// - Throws: ``VaultError``: `.keyFileMalformed`, `.passphraseLength`, and as whatever changes a vault.
    public func lock(with locking: borrowing Unlocking) throws(VaultError) {
        _ = try lock(with: locking) { true }
    }

    /// What became of a new lock whose key may have been lost meanwhile.
    package enum LockFate: Equatable, Sendable {
        case kept
        /// Its key was lost, and the vault is locked as before.
        case undone
        /// Its key was lost, and for this reason it is not known to be undone: the vault may be locked with it.
        case stuck(VaultError)
    }

    /// The same, if `isKept` says so once the new lock is on the disk. Otherwise the vault is locked as before again, without the
    /// secret of that lock, and before anybody else's turn: no lock of theirs is undone.
    package func lock(
        with locking: borrowing Unlocking, whileTrue isKept: () -> Bool
    ) throws(VaultError) -> LockFate {
        try checkMayChange()
        let lock = try VaultLock(key, with: locking)
        let turn = try place.turn(patience)
        let now = try current()
        do throws(VaultError) { try store(lock, now.directory, over: now, turn) } catch {
            guard error.mayBeStored, !isKept() else { throw error }
            return .stuck(error)
        }
        opened.withLock { $0 = lock }
        guard !isKept() else { return .kept }
        do throws(VaultError) { try undo(to: now.lock, turn) } catch { return .stuck(error) }
        _ = consume turn
        return .undone
    }

    /// Though somebody has removed the lock file by now: they would keep the vault locked with what opens nothing.
    private func undo(to former: VaultLock, _ turn: borrowing FileLock) throws(VaultError) {
        let now = try current()
        try store(former, now.directory, over: now, turn, needsName: false)
        opened.withLock { $0 = former }
    }

    // MARK: - Reading and changing

    /// From now on no invite counts as open, and each change closes those that are. Another older file may take this one's place at any
    /// time, and nobody knows which of its invites are used up.
    package func treatAsOlderCopy() { isOlderCopy.withLock { $0 = true } }

    var isTreatedAsOlder: Bool { isOlderCopy.withLock { $0 } }

    /// From now on it is only read: nobody remembers what it is.
    package func refuseChanges() { isReadAlone.withLock { $0 = true } }

    private func checkMayChange() throws(VaultError) {
        guard !isReadAlone.withLock({ $0 }) else {
            throw .cannotWrite(
                path: path, reason: "An older file whose invites cannot be closed is only read")
        }
    }

    /// Reads the vault as it is at one moment.
    func read<Result>(
        _ body: (Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try body(try transaction(of: try current()))
    }

    /// The same, and takes nothing from what was read before.
    func readAnew<Result>(
        _ body: (Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try body(try transaction(of: try current(anew: true)))
    }

    /// As it is there, or without open invites.
    private func transaction(of now: Snapshot) throws(VaultError) -> Transaction {
        var transaction = Transaction(now.directory, key)
        if isTreatedAsOlder { try transaction.closeInvites() }
        return transaction
    }

    /// Changes the vault in one transaction: if `body` throws, nothing happened; if it changes nothing, nothing is written.
    func change<Result>(
        _ body: (inout Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try checkMayChange()
        let turn = try place.turn(patience)
        let now = try current()
        var transaction = try Transaction(now.directory, key).inTodaysForm()
        if isTreatedAsOlder { try transaction.closeInvites() }
        let result = try body(&transaction)
        if transaction.isChanged { try store(now.lock, transaction.directory, over: now, turn) }
        _ = consume turn
        return result
    }

    /// The file as it is now, unless it is older than what this process or the witness saw before it was read.
    private func current(anew: Bool = false) throws(VaultError) -> Snapshot {
        let (seen, known) = (latest.withLock { $0 }, try witness.known())
        let content = try VaultFile(place.content(), path: path)
        var now =
            if !anew, let seen, seen.head == content.head { seen } else { try Snapshot(content, key) }
        guard known.map({ $0.vaultID == id }) ?? true else { throw .replaced(path: path) }
        for version in [seen?.version, known] {
            guard let version else { continue }
            guard now.version.mayFollow(version) else { throw .rolledBack(path: path) }
            now.version = now.version.giving(up: version)
        }
        see(now)
        if now.version.newer(of: known) != known { witness.saw(now.version) }
        guard now.lock == opened.withLock({ $0 }) else { throw .lockedAnew(path: path) }
        return now
    }

    private func see(_ now: Snapshot) {
        latest.withLock { seen in
            if seen.map({ now.version.mayFollow($0.version) }) ?? true { seen = now }
        }
    }

    private struct Snapshot {
        let lock: VaultLock
        let directory: Directory
        let head: ArraySlice<UInt8>
        var version: VaultVersion

        init(_ content: VaultFile, _ key: VaultKey) throws(VaultError) {
            directory = try content.directory(key)
            (lock, head) = (content.lock, content.head)
            version = VaultVersion(directory, head: head, of: key.vaultID)
        }
    }

    /// Writes the next file over the one that was read. Whoever removed the lock file meanwhile has let somebody else write,
    /// or may have: then nothing is stored, and `.busy` thrown, rather than undo what they did. What is told to the witness is told
    /// before the next writer's turn; whoever exchanged the file by then is noticed at once. A change that is not stored is given up,
    /// if somebody has taken its file away to put it there later.
    private func store(
        _ lock: VaultLock, _ directory: Directory, over now: Snapshot, _ turn: borrowing FileLock,
        needsName: Bool = true
    ) throws(VaultError) {
        let bytes = try VaultFile.bytes(lock, directory.counted(after: now.version.floor), key)
        let written = try Snapshot(VaultFile(bytes, path: path), key)
        try Unbroken.change { () throws(VaultError) in
            try put(bytes, written, over: now, turn, needsName)
        }
    }

    private func put(
        _ bytes: [UInt8], _ written: Snapshot, over now: Snapshot, _ turn: borrowing FileLock,
        _ needsName: Bool
    ) throws(VaultError) {
        let file: FileState?
        do throws(Unstored) {
            file = try place.put(bytes, replacing: true) { () throws(VaultError) in
                let old = place.entry.state
                guard turn.isNamed || !needsName else { throw .busy }
                guard old != nil else { throw place.changedMeanwhile }
                guard try VaultFile(place.content(), path: path).head == now.head else {
                    throw place.changedMeanwhile
                }
                return old
            }
        } catch {
            let isOver = error.isGone || giveUp(written.version, over: now)
            // Whoever had a turn while it was in its place may have written over it: then it is in what they wrote.
            let isInvolved = error.fate == .overtaken || error.fate == .takenBack && !turn.isNamed
            guard !isInvolved else { throw .diverged(path: path) }
            throw isOver ? error.cause : error.cause.unsettled(path: path)
        }
        see(written)
        try witness.note(written.version, now.version)
        guard place.isNamed, place.entry.state == file else { throw .diverged(path: path) }
    }

    /// Has a state refused from now on that was not stored, here and by whoever asks the witness; false if nobody remembers that.
    private func giveUp(_ version: VaultVersion, over now: Snapshot) -> Bool {
        var kept = now
        kept.version = now.version.giving(up: version)
        see(kept)
        try? witness.note(kept.version, now.version)
        return (try? witness.known()).map { !version.mayFollow($0) } ?? false
    }
}

extension Directory {
    /// The same after one more change than this. A counter at its end was not written by us: a change takes milliseconds.
    fileprivate func counted(after count: Int) throws(VaultError) -> Directory {
        guard count < Self.maximumChangeCount else { throw .damaged }
        var next = self
        next.changeCount = UInt64(count) + 1
        return next
    }
}
