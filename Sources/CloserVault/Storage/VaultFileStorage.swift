package import CloserFiles
internal import CloserPrimitives
internal import CloserWire

/// A vault in a file, which is always replaced whole.
///
/// A change writes a new file beside it, mode 0600, and syncs that; looks once whether the vault is still the file that was read, since a
/// file synchroniser takes no lock; renames the new file over it; and syncs the folder. When the power fails before the rename, the old
/// file is there; after it, the old or the new one; and the new one once the change has returned.
///
/// The lock is `flock` on an empty file beside the vault, `NAME.lock`, which stays. It ends with its process.
public final class VaultFileStorage: VaultStorage {
    /// The path as it was named.
    public let name: String
    /// Without symbolic links, which are followed once: a rename would replace a link.
    package let path: String
    /// What was read last: an unchanged file is read once.
    private let latest = Lock<WholeFile?>(nil)

    /// Names a file, which may not exist yet.
    public init(_ name: String) {
        self.name = name
        // Without its folder there is no vault, as `read` says.
        path = (try? Paths.absolute(name)) ?? name
    }

    /// The vault's file and the lock's, which no output of a program may replace.
    package var files: [FileIdentity] {
        ([path, lockPath] + (name == path ? [] : [name])).flatMap(FileIdentity.all)
    }

    private var lockPath: String { path + ".lock" }

    /// All bytes as they are at one moment.
    public func read() throws(VaultError) -> [UInt8] {
        if let known = latest.withLock({ $0 }), known.isUnchanged(at: path) { return known.bytes }
        let file = try vaultError { () throws(FileError) in
            try WholeFile(path, maximumByteCount: Vault.maximumByteCount)
        }
        guard let file else { throw .missing(path: name) }
        latest.withLock { $0 = file }
        return file.bytes
    }

    /// Puts `new` in the place of `old`, or fails and leaves what is there.
    public func replace(_ old: [UInt8]?, by new: [UInt8]) throws(VaultError) {
        let file = try vaultError { () throws(FileError) -> AtomicFile in
            let file = try AtomicFile(path, replacing: old != nil, allowingStreams: false)
            try file.write(new.span)
            try file.prepare()
            return file
        }
        if let old, try read() != old {
            throw .outdated(path: name)
        }
        do { try file.commit() } catch { throw VaultError(error) }
    }

    /// Runs `body` while this caller alone changes the vault.
    public func lock<Result>(
        patience: Duration, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let lock = try vaultError { () throws(FileError) in
            try FileLock.acquire(lockPath, patience: patience)
        }
        guard let lock else { throw .busy(path: name) }
        let result = try body()
        _ = consume lock
        return result
    }

    private func vaultError<Result: ~Copyable>(
        _ body: () throws(FileError) -> Result
    ) throws(VaultError) -> Result {
        do { return try body() } catch { throw VaultError(error) }
    }

    /// Checks that a vault can be made there, before a secret is asked for.
    func checkAbsent() throws(VaultError) {
        let isThere: Bool
        do { isThere = try Paths.exists(path) } catch {
            throw .cannotWrite(path: name, reason: error.reason)
        }
        guard isThere else { return }
        _ = try VaultFile(read(), path: name)
        throw .exists(path: name)
    }
}
