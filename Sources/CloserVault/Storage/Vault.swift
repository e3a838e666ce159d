internal import CloserFiles
internal import Synchronization

/// What a device must remember: its identity, its couples, its answers and what it saw of others.
///
/// One sealed file (closer-keys-formats(7), PRIVATE FORMATS). Each change is written whole beside it, synced, and renamed over it:
/// after a crash, or with a full disk, the vault is the old one or the new one. Several processes may use one vault at
/// once: writers take turns, on a lock file beside it, and readers wait for nobody.
///
/// Opening, reading and changing read the file, and a change waits for the disk and for other writers, up to half a minute.
///
/// Whatever reads a vault can throw `.missing`, `.notAVault`, `.formerFormat`, `.unsupportedVersion`, `.tooLarge`, `.cannotRead` and
/// `.damaged` of ``VaultError``; whatever changes one, `.busy` and `.cannotWrite`, too. A verb's own page names what it adds.
///
/// - Important: Whoever can write the file can put back an older one, with older pins. ``changeCount`` shows it.
public final class Vault: Sendable {
    /// What a vault's file may have: 256 MiB. Ten years of a couple are some 2 MB.
    public static let maximumByteCount = 256 << 20

    /// As it was named, for messages.
    public let path: String
    let key: VaultKey
    /// Without symbolic links: a rename would replace the link, and not the file.
    private let file: String
    /// What was read last, so that an unchanged directory is opened once.
    private let latest: Mutex<(head: ArraySlice<UInt8>, directory: Directory)>

    /// How long a writer waits for the others. A change takes milliseconds.
    private static let patience = Duration.seconds(30)
    private let patience: Duration

    /// Opens a vault with a secret that the caller holds. See ``LockedVault`` to ask first what it is locked with.
    ///
    /// - Throws: ``VaultError``: `.missing`, `.notAVault`, `.formerFormat`, `.unsupportedVersion`, `.tooLarge`, `.cannotRead`,
    ///   `.authenticationFailed`, `.otherProtection`, `.keyFileMalformed`, `.passphraseLength`, `.costsRefused`, `.damaged`.
    public convenience init(
        opening path: String, unlocking: borrowing Unlocking
    ) throws(VaultError) {
        try self.init(LockedVault(at: path), unlocking)
    }

    convenience init(
        _ locked: LockedVault, _ unlocking: borrowing Unlocking, patience: Duration = Vault.patience
    ) throws(VaultError) {
        let key = try locked.content.lock.unlock(with: unlocking)
        try self.init(locked.path, locked.file, locked.content, key, patience)
    }

    private init(
        _ path: String, _ file: String, _ content: VaultFile, _ key: VaultKey, _ patience: Duration
    ) throws(VaultError) {
        (self.path, self.file, self.key, self.patience) = (path, file, key, patience)
        latest = Mutex((content.head, try content.directory(key)))
    }

    /// Makes a vault. `body` writes what is in it at first.
    static func make(
        at path: String, _ key: VaultKey, locking: borrowing Unlocking,
        _ body: (inout Transaction) throws(VaultError) -> Void
    ) throws(VaultError) -> Vault {
        let lock = try VaultLock(key, with: locking)
        var transaction = Transaction(Directory(), key)
        try body(&transaction)
        let bytes = try VaultFile.bytes(lock, transaction.directory.counted(), key)
        try checkAbsent(at: path)
        let file = Folder.absolutePath(of: path) ?? path
        let turn = try Self.turn(file, patience)
        try checkAbsent(at: path)
        // What is there now is an empty file.
        try commit(try prepare(bytes, for: file, replacing: SafeFile.exists(file)))
        _ = consume turn
        return try Vault(path, file, VaultFile(bytes, path: path), key, patience)
    }

    /// The vault's file and the lock beside it: no output of a program may take their place.
    public static func files(at path: String) -> [String] {
        [path, (Folder.absolutePath(of: path) ?? path) + ".lock"]
    }

    /// Checks that a vault can be made there: that there is nothing, or an empty file.
    ///
    /// - Throws: ``VaultError``: `.exists` for a vault, `.notAVault` for another file, `.formerFormat`, `.unsupportedVersion` and
    ///   `.damaged` for what was a vault, `.tooLarge`, `.cannotRead`.
    public static func checkAbsent(at path: String) throws(VaultError) {
        guard SafeFile.exists(path) else { return }
        guard try !read(path).isEmpty else { return }
        _ = try LockedVault(at: path)
        throw .exists(path: path)
    }

    /// Which vault it is, wherever it lies.
    public var id: VaultID { key.vaultID }

    /// How often the vault was changed. It only rises.
    ///
    /// - Throws: ``VaultError``, as whatever reads a vault.
    public var changeCount: Int {
        get throws(VaultError) { Int(clamping: try current().directory.changeCount) }
    }

    /// What the key is locked with.
    ///
    /// - Throws: ``VaultError``, as whatever reads a vault.
    public var protection: Protection {
        get throws(VaultError) { try current().lock.protection }
    }

    /// Locks the key with something else. What is in older copies of the file stays readable with the old lock.
    ///
    /// - Throws: ``VaultError``: `.keyFileMalformed`, `.passphraseLength`, and as whatever changes a vault.
    public func lock(with locking: borrowing Unlocking) throws(VaultError) {
        let lock = try VaultLock(key, with: locking)
        let turn = try Self.turn(file, patience)
        let now = try current()
        try store(lock, now.directory, over: now.head, turn)
        _ = consume turn
    }

    // MARK: - Reading and changing

    /// Reads the vault as it is at one moment.
    func read<Result>(
        _ body: (Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try body(Transaction(try current().directory, key))
    }

    /// Changes the vault in one transaction: if `body` throws, nothing happened; if it changes nothing, nothing is written.
    func change<Result>(
        _ body: (inout Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let turn = try Self.turn(file, patience)
        let now = try current()
        var transaction = Transaction(now.directory, key)
        let result = try body(&transaction)
        if transaction.isChanged { try store(now.lock, transaction.directory, over: now.head, turn) }
        _ = consume turn
        return result
    }

    /// The file as it is now. Its directory is opened only if it is another than the last.
    private func current() throws(VaultError) -> Snapshot {
        let content = try VaultFile(Self.read(file), path: path)
        let known = latest.withLock { $0.head == content.head ? $0.directory : nil }
        if let known { return Snapshot(lock: content.lock, directory: known, head: content.head) }
        let directory = try content.directory(key)
        latest.withLock { $0 = (content.head, directory) }
        return Snapshot(lock: content.lock, directory: directory, head: content.head)
    }

    private struct Snapshot {
        let lock: VaultLock
        let directory: Directory
        let head: ArraySlice<UInt8>
    }

    /// Writes the next file over the one with `head`. Whoever removed the lock file meanwhile has let somebody else write,
    /// or may have: then nothing is stored, and `.busy` thrown, rather than undo what they did.
    private func store(
        _ lock: VaultLock, _ directory: Directory, over head: ArraySlice<UInt8>, _ turn: borrowing FileLock
    ) throws(VaultError) {
        let bytes = try VaultFile.bytes(lock, directory.counted(), key)
        let next = try Self.prepare(bytes, for: file, replacing: true)
        guard turn.isNamed, try VaultFile(Self.read(file), path: path).head == head else { throw .busy }
        try Self.commit(next)
    }

    // MARK: - The file system

    static func read(_ path: String) throws(VaultError) -> [UInt8] {
        let bytes: [UInt8]?
        do { bytes = try WholeFile.read(path, maximumByteCount: maximumByteCount) } catch {
            throw VaultError(error)
        }
        guard let bytes else { throw .missing(path: path) }
        return bytes
    }

    /// The whole file under another name, on the disk.
    private static func prepare(
        _ bytes: [UInt8], for path: String, replacing: Bool
    ) throws(VaultError) -> SafeFile {
        do throws(FileError) {
            let file = try SafeFile(path, replacing: replacing, onlyRegular: true)
            try file.write(bytes.span)
            try file.prepare()
            return file
        } catch { throw VaultError(error) }
    }

    private static func commit(_ file: consuming SafeFile) throws(VaultError) {
        do { try file.commit() } catch { throw VaultError(error) }
    }

    /// Waits until nobody else writes.
    private static func turn(_ path: String, _ patience: Duration) throws(VaultError) -> FileLock {
        let lock: FileLock?
        do { lock = try FileLock.acquire(path + ".lock", patience: patience) } catch {
            throw VaultError(error)
        }
        guard let lock else { throw .busy }
        return lock
    }
}

extension Directory {
    /// The same after one more change. A counter at its end was not written by us: a change takes milliseconds.
    fileprivate func counted() throws(VaultError) -> Directory {
        guard changeCount < Self.maximumChangeCount else { throw .damaged }
        var next = self
        next.changeCount += 1
        return next
    }
}
