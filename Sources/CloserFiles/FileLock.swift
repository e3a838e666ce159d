#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// An advisory lock, held on a file of its own until the owner goes.
///
/// The file is made empty with mode 0600 and stays: to remove it would let two processes hold locks on two files of one
/// name. A lock ends with its process, however that ends. The C function is `flock`.
package struct FileLock: ~Copyable {
    private let descriptor: Descriptor
    private let entry: FolderEntry

    /// Waits until nobody else holds the lock; nil when that takes longer than `patience`.
    ///
    /// A symbolic link, a FIFO or a folder in the lock's place is an error, and nothing is done to it.
    /// Without `makingFile` it is nil, too, if there is no file.
    package static func acquire(
        _ entry: FolderEntry, patience: Duration, makingFile: Bool = true
    ) throws(FileError) -> FileLock? {
        let start = ContinuousClock.now
        var pause = useconds_t(200)
        while true {
            guard let lock = try open(entry, makingFile) else { return nil }
            let error = flock(lock.descriptor.number, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
            // Somebody may have removed the file and made another one since: a lock on the old one protects nothing.
            if error == 0, lock.isNamed { return lock }
            guard error == 0 || error == EWOULDBLOCK || error == EINTR else {
                throw .cannotCreate(path: entry.path, reason: FileError.reason(error))
            }
            guard ContinuousClock.now < start + patience else { return nil }
            usleep(pause)
            pause = min(2 * pause, 10_000)
        }
    }

    /// Whether the locked file still has its name: if somebody removed or renamed it, another process may hold a lock on a new one.
    package var isNamed: Bool { entry.holds(descriptor.identity) }

    /// Writes these bytes at a place in the file, and does not wait for the disk.
    package func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        guard lseek(descriptor.number, off_t(offset), SEEK_SET) == off_t(offset) else {
            throw .writeFailed(path: descriptor.name, reason: FileError.lastReason)
        }
        try descriptor.write(bytes.span)
    }

    private init(descriptor: consuming Descriptor, entry: FolderEntry) {
        self.descriptor = descriptor
        self.entry = entry
    }

    // O_NONBLOCK, because opening a FIFO would otherwise wait for its other end. Even opening it loses what somebody writes into it, so
    // we look first.
    private static func open(_ entry: FolderEntry, _ makingFile: Bool) throws(FileError) -> FileLock? {
        if let status = try entry.look(), !status.isRegular, !status.isLink { throw irregular(entry) }
        let flags = O_RDWR | (makingFile ? O_CREAT : 0) | O_NOFOLLOW | O_NONBLOCK
        let number = entry.open(flags, 0o600)
        guard number >= 0 else {
            let error = errno
            guard makingFile || error != ENOENT else { return nil }
            throw .cannotCreate(path: entry.path, reason: FileError.reason(error))
        }
        let descriptor = Descriptor(number: number, name: entry.path, closes: true)
        guard descriptor.regularByteCount != nil else {
            throw irregular(entry)
        }
        return FileLock(descriptor: descriptor, entry: entry)
    }

    private static func irregular(_ entry: FolderEntry) -> FileError {
        .cannotCreate(path: entry.path, reason: "is not a regular file")
    }
}
