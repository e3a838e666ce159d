package import CloserFiles
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
    let latest: Mutex<Snapshot?>
    let witness: VaultWitness
    /// The lock that was opened: what has another one is not read.
    let opened: Mutex<VaultLock>
    let standing = Mutex(Standing.newest)
    let foreignChanges = Mutex((all: 0, besidesAnswers: 0))

    /// What its file is to whoever opened it.
    enum Standing {
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
        let reached = try? FileIdentity.look(path)
        guard place.isNamed, place.entry.isStill(made), place.entry.holds(reached) else {
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

    /// The same two files, found in the folder that is held open and not by a path.
    package var files: [FileIdentity] { place.entry.identities + place.entry.beside(".lock").identities }

    /// Which vault a file claims to be; nil if it is none. One that cannot be read is an error.
    package static func id(of file: FolderEntry) throws(FileError) -> VaultID? {
        // More than any lock has.
        try file.beginning(with: VaultFile.mark, byteCount: 4096).flatMap(VaultFile.id(inBeginning:))
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

    /// How often a look found a state that is neither the last one seen nor our own change: somebody else had changed the vault.
    package var foreignChangeCount: Int { foreignChanges.withLock { $0.all } }

    /// The same without those that only added answers.
    package var foreignChangeCountBesidesAnswers: Int { foreignChanges.withLock { $0.besidesAnswers } }

    /// Whether a look would find this state, which the last look found: the same bytes up to the boxes, in a folder that still has its
    /// name, and a witness that knows nothing newer. It takes no turn, and reads no record.
    ///
    /// The file's size and time prove nothing: somebody may put an older file there for the moment of our look, and the newer one back
    /// afterwards.
    package func isStill(_ version: VaultVersion?) throws(VaultError) -> Bool {
        guard let seen = latest.withLock({ $0 }), seen.version == version, place.isNamed,
            place.entry.hasBytes(seen.head.span, of: seen.bytes.count) == true
        else { return false }
        return try witness.known().map(seen.version.mayFollow) ?? true
    }

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
}
