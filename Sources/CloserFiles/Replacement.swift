#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

// An output takes the place of a file that is there, whichever that is by then.

extension SafeFile {
    /// Exchanges the names, and looks at what came out: a file that is to be spared goes back. No earlier look can tell which file that
    /// will be, since somebody may exchange names and folders at any moment.
    func replace(through temporary: FolderEntry) throws(FileError) {
        for _ in 0..<100 {
            guard !isSpared(entry) else { throw spared }
            if exchange(with: temporary) { return try settle(over: temporary) }
            // A file system that cannot do that.
            guard errno == ENOENT, temporary.holds(descriptor.identity) else { return try rename(temporary) }
            // Nothing is there, unless something comes just now.
            do { return try link(temporary) } catch { guard case .exists = error else { throw error } }
        }
        throw .cannotCreate(path: entry.path, reason: "Somebody exchanges it again and again")
    }

    private func settle(over old: FolderEntry) throws(FileError) {
        guard isSpared(old) else {
            guard old.remove() else {
                throw .cannotCreate(
                    path: entry.path, reason: "What was there is \(old.path), and cannot be removed")
            }
            return
        }
        guard exchange(with: old), old.holds(descriptor.identity) else {
            throw .cannotCreate(
                path: entry.path,
                reason: "Somebody else put another file there, and what was there is \(old.path)")
        }
        throw spared
    }

    private var spared: FileError {
        .cannotCreate(path: entry.path, reason: "A vault, a key file or another file of this run came there")
    }

    private func isSpared(_ file: FolderEntry) -> Bool {
        file.status?.isDirectory == true || spares?(file) == true
    }
}
