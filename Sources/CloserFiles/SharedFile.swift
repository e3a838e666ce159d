#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A small file that several processes read and change in place, one at a time.
///
/// It is locked while it is read or changed, so nobody sees half of a change. Nothing is synced: what a power failure takes
/// away, somebody must be able to do without.
package enum SharedFile {
    /// Reading and writing take microseconds.
    private static let patience = Duration.seconds(5)

    /// What is in it; nil if there is no file, or somebody keeps it locked.
    package static func read(_ path: String, maximumByteCount: Int) throws(FileError) -> [UInt8]? {
        guard SafeFile.exists(path) else { return nil }
        // A folder on a read-only medium gives no lock, and there nobody writes either.
        guard unsafe access(path, W_OK) == 0 else {
            return try WholeFile.read(path, maximumByteCount: maximumByteCount)
        }
        guard let lock = try FileLock.acquire(path, patience: patience) else { return nil }
        let bytes = try WholeFile.read(path, maximumByteCount: maximumByteCount)
        _ = consume lock
        return bytes
    }

    /// Puts what `body` makes of the content in its place, and makes the file with mode 0600 if there is none.
    package static func update(
        _ path: String, maximumByteCount: Int, _ body: ([UInt8]) -> [UInt8]
    ) throws(FileError) {
        guard let lock = try FileLock.acquire(path, patience: patience) else {
            throw .cannotCreate(path: path, reason: "other processes keep it locked")
        }
        let old = try WholeFile.read(path, maximumByteCount: maximumByteCount) ?? []
        let new = body(old)
        if new != old { try lock.replaceContent(new) }
    }
}
