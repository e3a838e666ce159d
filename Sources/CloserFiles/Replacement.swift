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
            try checkMayGo(entry)
            if exchange(with: temporary) { return try settle(over: temporary) }
            let (error, reason) = (errno, FileError.lastReason)
            if Self.isWithoutExchange(error) { return try rename(temporary) }
            guard error == ENOENT, temporary.holds(identity) else {
                throw .cannotCreate(path: entry.path, reason: reason)
            }
            // Nothing is there, unless something comes just now.
            do { return try appearAsNew(temporary) } catch { guard case .exists = error else { throw error } }
        }
        throw .cannotCreate(path: entry.path, reason: "Somebody exchanges it again and again")
    }

    private func settle(over old: FolderEntry) throws(FileError) {
        do { try checkMayGo(old) } catch {
            guard exchange(with: old), old.holds(identity) else {
                throw .cannotCreate(
                    path: entry.path,
                    reason:
                        "Somebody else put another file there, and the file that was there is now called \(old.path)"
                )
            }
            throw error
        }
        guard old.remove() else {
            throw .cannotCreate(
                path: entry.path,
                reason: "The file that was there is now called \(old.path), and cannot be removed")
        }
    }

    /// Whether a file may be replaced: one that cannot be looked at may not.
    private func checkMayGo(_ file: FolderEntry) throws(FileError) {
        let isSpared: Bool
        do throws(FileError) { isSpared = try spare(file) } catch {
            throw .cannotCreate(
                path: entry.path, reason: "What is there cannot be looked at: \(error.reason)")
        }
        guard !isSpared else { throw spared }
    }

    private func spare(_ file: FolderEntry) throws(FileError) -> Bool {
        if try file.look()?.isDirectory == true { return true }
        return try spares?(file) ?? false
    }

    private var spared: FileError {
        .cannotCreate(path: entry.path, reason: "A vault, a key file or another file of this run came there")
    }
}
