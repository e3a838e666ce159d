#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A small text that several processes read and change in place, one at a time. Spaces at its end mean nothing.
///
/// It is locked while it is read or changed, so nobody sees half of a change. Nothing is synced: what a power failure takes
/// away, somebody must be able to do without.
package enum SharedFile {
    /// Reading and writing take microseconds.
    private static let patience = Duration.seconds(5)

    /// What is in it; nil if there is no file.
    package static func read(_ path: String, maximumByteCount: Int) throws(FileError) -> [UInt8]? {
        guard SafeFile.exists(path) else { return nil }
        // A folder on a read-only medium gives no lock, and there nobody writes either.
        guard unsafe access(path, W_OK) == 0 else {
            return try WholeFile.read(path, maximumByteCount: maximumByteCount)
        }
        // Whoever makes the file has not locked it yet at its first moment, when it is empty.
        for _ in 0..<100 {
            let bytes = try readLocked(path, maximumByteCount)
            guard bytes?.isEmpty == true else { return bytes }
            usleep(10_000)
        }
        return []
    }

    private static func readLocked(_ path: String, _ maximumByteCount: Int) throws(FileError) -> [UInt8]? {
        guard let lock = try FileLock.acquire(path, patience: patience) else {
            throw .cannotOpen(path: path, reason: "Other processes keep it locked")
        }
        let bytes = try WholeFile.read(path, maximumByteCount: maximumByteCount)
        _ = consume lock
        return bytes
    }

    /// Puts what `body` makes of the content in its place, and makes the file with mode 0600 if there is none.
    package static func update(
        _ path: String, maximumByteCount: Int, _ body: ([UInt8]) -> [UInt8]
    ) throws(FileError) {
        guard let lock = try FileLock.acquire(path, patience: patience) else {
            throw .cannotCreate(path: path, reason: "Other processes keep it locked")
        }
        let old = try WholeFile.read(path, maximumByteCount: maximumByteCount) ?? []
        let new = body(old)
        // Never shorter: a process that is killed between a write and a truncation would leave the end of what was there.
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: max(0, old.count - new.count))
        if new + padding != old { try lock.replaceContent(new + padding) }
    }
}
