internal import CCloserFiles

/// An advisory lock, held on a file of its own until the owner goes.
///
/// The file is made empty with mode 0600 and stays: to remove it would let two processes hold locks on two files of one
/// name. A lock ends with its process, however that ends. The C function is `flock`.
package struct FileLock: ~Copyable {
    private let descriptor: Descriptor

    /// Waits until the lock is free; nil when that takes longer than `patience`.
    ///
    /// - Throws: ``FileError/cannotCreate(path:reason:)``, also for a symbolic link, a FIFO or a folder in the lock's place.
    package static func acquire(_ path: String, patience: Duration) throws(FileError) -> FileLock? {
        try Patience.retry(for: patience) { () throws(FileError) in try attempt(path) }
    }

    private static func attempt(_ path: String) throws(FileError) -> FileLock? {
        let lock = try FileLock(opening: path)
        let error = flock(lock.descriptor.number, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        // The file may have been removed since, and another one made: a lock on the old one is worthless.
        if error == 0, try FileStatus.look(path)?.identity == lock.descriptor.identity { return lock }
        guard error == 0 || error == EWOULDBLOCK || error == EINTR else {
            throw .cannotCreate(path: path, reason: FileError.reason(error))
        }
        return nil
    }

    // O_NONBLOCK, because to open a FIFO would otherwise wait for its other end.
    private init(opening path: String) throws(FileError) {
        let number = Descriptor.create(path, O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { throw .cannotCreate(path: path, reason: FileError.lastReason) }
        let file = Descriptor(number: number, name: path, closes: true)
        guard file.regularByteCount != nil else {
            throw .cannotCreate(path: path, reason: "is not a regular file")
        }
        descriptor = file
    }
}
