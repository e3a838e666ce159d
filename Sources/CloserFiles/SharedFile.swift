#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// A small text that several processes read and change in place, one at a time. Spaces at its end mean nothing.
///
/// It appears whole, and is locked while it is read or changed, so nobody sees half of a change. A change is not synced: what a
/// power failure takes away, somebody must be able to do without.
package enum SharedFile {
    /// Reading and writing take microseconds.
    private static let patience = Duration.seconds(5)

    /// What is in it; nil if there is no file.
    package static func read(_ path: String, maximumByteCount: Int) throws(FileError) -> [UInt8]? {
        guard try SafeFile.exists(path) else { return nil }
        let entry = try FolderEntry(path)
        // A folder on a read-only medium gives no lock, and there nobody writes either.
        guard mayChange(path) else {
            return try entry.read(maximumByteCount: maximumByteCount)
        }
        guard let lock = try lock(entry) else { return nil }
        let bytes = try entry.read(maximumByteCount: maximumByteCount)
        _ = consume lock
        return bytes
    }

    /// Whether there is a file that this user may change.
    package static func mayChange(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

    /// Replaces the content with what `body` returns. If there is no file, `body` is given nil, and what it returns becomes the file,
    /// with mode 0600. If it returns nil, nothing is written.
    package static func update(
        _ path: String, maximumByteCount: Int, _ body: ([UInt8]?) -> [UInt8]?
    ) throws(FileError) {
        let entry = try FolderEntry(path)
        while true {
            if try entry.look() == nil, try make(entry, body(nil)) { return }
            // Nil if somebody removed it just now.
            guard let lock = try lock(entry) else { continue }
            let old = try entry.read(maximumByteCount: maximumByteCount) ?? []
            return try replace(old, with: body(old) ?? old, lock)
        }
    }

    // Never shorter: a process that is killed between a write and a truncation would leave the end of what was there. And longer by
    // spaces at first: a disk that has no room for the rest leaves what was there.
    private static func replace(
        _ old: [UInt8], with new: [UInt8], _ lock: borrowing FileLock
    ) throws(FileError) {
        if new.count > old.count { try lock.write(spaces(new.count - old.count), at: old.count) }
        let padded = new + spaces(old.count - new.count)
        if padded != old { try lock.write(padded, at: 0) }
    }

    private static func spaces(_ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(ascii: " "), count: max(0, count))
    }

    /// Makes the file; false if another process was faster.
    private static func make(_ entry: FolderEntry, _ bytes: [UInt8]?) throws(FileError) -> Bool {
        guard let bytes else { return true }
        do throws(FileError) {
            try SafeFile(entry, replacing: false).commit(shared: bytes.span)
            return true
        } catch {
            guard case .exists = error else { throw error }
            return false
        }
    }

    /// Nil if there is no file.
    private static func lock(_ entry: FolderEntry) throws(FileError) -> FileLock? {
        if let lock = try FileLock.acquire(entry, patience: patience, makingFile: false) { return lock }
        guard try entry.look() != nil else { return nil }
        throw .cannotOpen(path: entry.path, reason: "Other processes keep it locked")
    }
}
