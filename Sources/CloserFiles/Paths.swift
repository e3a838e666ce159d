internal import CCloserFiles

/// Paths as the kernel resolves them, and the folders on them.
package enum Paths {
    /// The absolute path of a file without links, or of the place where it would be.
    ///
    /// - Throws: ``FileError/cannotOpen(path:reason:)`` if its folder is missing, or the path is not UTF-8.
    package static func absolute(_ path: String) throws(FileError) -> String {
        if let resolved = try resolved(path, of: path) { return resolved }
        guard let folder = try resolved(folder(of: path), of: path) else {
            throw .cannotOpen(path: path, reason: FileError.lastReason)
        }
        return "\(folder == "/" ? "" : folder)/\(name(of: path))"
    }

    /// A path whose last part is no link to the same file. One that is none already stays, since its folder may have a path that is not UTF-8.
    static func withoutLink(_ path: String) throws(FileError) -> String {
        guard try FileStatus.look(path, followingLinks: false)?.isRegular != true else { return path }
        return try absolute(path)
    }

    /// Nil if there is nothing at the place.
    private static func resolved(_ place: String, of path: String) throws(FileError) -> String? {
        guard let resolved = unsafe realpath(place, nil) else { return nil }
        defer { unsafe free(resolved) }
        guard let text = unsafe String(validatingCString: resolved) else {
            throw .cannotOpen(path: path, reason: "its folder's path is not UTF-8")
        }
        return text
    }

    /// The part before the last slash. Cut as bytes: a slash with an accent on it is one `Character`.
    package static func folder(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    }

    /// The part behind the last slash.
    package static func name(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(decoding: bytes[(slash + 1)...], as: UTF8.self)
    }

    /// Whether there is a file of any sort, a link that leads nowhere included.
    package static func exists(_ path: String) throws(FileError) -> Bool {
        try FileStatus.look(path, followingLinks: false) != nil
    }

    /// Whether certainly nothing is there.
    package static func isMissing(_ path: String) -> Bool { (try? exists(path)) == false }

    /// Whether a regular file is there, or a link to one.
    package static func isRegular(_ path: String) -> Bool {
        (try? FileStatus.look(path))?.isRegular == true
    }

    /// Whether users other than the owner of this process may write into the folder, or change the file.
    package static func isWritableByOthers(_ path: String) -> Bool {
        (try? FileStatus.look(path))?.isWritableByOthers == true
    }

    /// Whether users other than the owner of this process may read or write the file.
    package static func isOpenToOthers(file path: String) -> Bool {
        guard let file = try? Descriptor.readingRegular(path) else { return isWritableByOthers(path) }
        return file.isOfAnother || file.isOpenToOthers || file.status?.isWritableByOthers == true
    }

    /// Makes a folder that only its owner may enter, and those above it, where they are missing.
    package static func makeFolder(_ path: String) throws(FileError) {
        let (error, above) = (made(path), folder(of: path))
        guard error != 0 else { return }
        guard error == ENOENT, above != path else {
            throw .cannotCreate(path: path, reason: FileError.reason(error))
        }
        try makeFolder(above)
        let second = made(path)
        guard second == 0 else { throw .cannotCreate(path: path, reason: FileError.reason(second)) }
    }

    /// Why a folder is missing; zero if it is there. Its mode is 0700: the umask of a script that writes secrets, 177, would shut its owner out.
    private static func made(_ path: String) -> CInt {
        guard unsafe mkdir(path, 0o700) == 0 else { return errno == EEXIST ? 0 : errno }
        unsafe chmod(path, 0o700)
        return 0
    }

    /// Removes a file or a link, if it is there and can be removed.
    package static func removeFile(_ path: String) { unsafe unlink(path) }

    /// The names of what is in a folder, sorted; empty if the folder is missing. Only names in UTF-8 are listed.
    package static func names(in path: String) throws(FileError) -> [String] {
        guard let folder = unsafe opendir(path) else {
            guard [ENOENT, ENOTDIR].contains(errno) else {
                throw .cannotOpen(path: path, reason: FileError.lastReason)
            }
            return []
        }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        closer_clear_errno()
        while let entry = unsafe readdir(folder) {
            if let name = unsafe name(of: entry), name != ".", name != ".." { names.append(name) }
            // Only an error sets `errno`, which the rest of the loop may have changed.
            closer_clear_errno()
        }
        guard errno == 0 else { throw .cannotOpen(path: path, reason: FileError.lastReason) }
        return names.sorted()
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
            unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                unsafe String(validatingCString: $0)
            }
        }
    }
}
