#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// Paths and the folders on them.
package enum Folder {
    /// The one absolute path of a file that is there, without links; nil if there is none.
    package static func absolutePath(of path: String) -> String? {
        WorkingFolder.absolute(path).flatMap(systemPath)
    }

    static func systemPath(_ path: String) -> String? {
        unsafe resolved(path) { unsafe String(validatingCString: $0) }
    }

    /// The working folder's path as bytes, since it may not be UTF-8; nil if it has none.
    package static var workingFolderBytes: [UInt8]? {
        unsafe resolved(".") { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    private static func resolved<Result>(
        _ path: String, _ body: (UnsafePointer<CChar>) -> Result?
    ) -> Result? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe body(resolved)
    }

    /// The same with the links that its name has: for a file whose own path no text can tell, since it is not UTF-8. Nil without a
    /// working folder that has a path.
    package static func path(named path: String) -> String? {
        guard let path = WorkingFolder.absolute(path) else { return nil }
        if path.utf8.first == UInt8(ascii: "/") { return path }
        return workingFolders.last.map { plain("\($0)/\(path)") }
    }

    /// The absolute path of a file without links, or of the place where it would be.
    static func resolved(_ path: String) throws(FileError) -> String {
        if let resolved = absolutePath(of: path) { return resolved }
        let reason = FileError.lastReason
        guard let folder = absolutePath(of: SafeFile.folder(of: path)) else {
            throw .cannotOpen(path: path, reason: reason)
        }
        guard try !SafeFile.exists(path) else {
            throw .cannotOpen(path: path, reason: "It has no path that can be remembered")
        }
        return "\(folder == "/" ? "" : folder)/\(SafeFile.name(of: path))"
    }

    /// The same, or the absolute path by which it is named, for one that has no path free of links that a text can tell; nil if it has
    /// neither.
    package static func placePath(of path: String) -> String? {
        if let resolved = try? resolved(path) { return resolved }
        // A link to an open file whose name is gone leads nowhere for another run.
        let leads = unsafe resolved(path) { _ in true } ?? SafeFile.isMissing(path)
        return leads ? absoluteName(of: path) ?? Folder.path(named: path) : nil
    }

    /// See ``Place/paths``.
    static func absolutePaths(of path: String, resolved: String) -> [String] {
        let folder = absolutePath(of: SafeFile.folder(of: path)).map { "\($0)/\(SafeFile.name(of: path))" }
        let names = absoluteNames(of: path) + [folder].compactMap { $0 }.map(withoutClimbs)
        return names.reduce(into: []) { paths, other in
            // As bytes: to the system, two spellings of one letter are two names.
            let isNew = !(paths + [resolved]).contains { $0.utf8.elementsEqual(other.utf8) }
            if isNew { paths.append(other) }
        } + [resolved]
    }

    /// The absolute paths that a name means, as texts: there need be nothing, not even a folder.
    package static func absoluteNames(of path: String) -> [String] {
        guard let path = WorkingFolder.absolute(path) else { return [] }
        let named = path.utf8.first == UInt8(ascii: "/") ? [path] : workingFolders.map { "\($0)/\(path)" }
        return named.map(withoutClimbs)
    }

    /// A path from the working folder on, whatever the shell calls that; nil if it has no path.
    package static func absoluteName(of path: String) -> String? {
        guard let path = WorkingFolder.absolute(path) else { return nil }
        if path.utf8.first == UInt8(ascii: "/") { return withoutClimbs(path) }
        return absolutePath(of: ".").map { withoutClimbs("\($0)/\(path)") }
    }

    /// What a relative path would mean in the folder that the shell believes to work in, if that is not the working folder: somebody
    /// renamed it, or the variable was handed down by a process that worked elsewhere. As a text, which is how a shell reads `..`, and
    /// as the file that lies there now. Empty otherwise.
    package static func pathsAsBelieved(_ path: String) -> [String] {
        guard path.utf8.first != UInt8(ascii: "/"), let believed, !leadsHere(believed) else {
            return []
        }
        let named = "\(believed)/\(path)"
        return [climbed(named)] + [absolutePath(of: named)].compactMap { $0 }
    }

    /// The working folder as the shell calls it, links included, and free of links. What the shell says is believed only if it leads here.
    private static var workingFolders: [String] {
        [believed.flatMap { leadsHere($0) ? $0 : nil }, absolutePath(of: ".")].compactMap { $0 }
    }

    /// The working folder as the shell calls it, right or wrong.
    static var believed: String? { shellsFolder.flatMap { $0.isText ? $0.name : nil } }

    /// What `PWD` says, for a person. If it is no text, it means no path.
    static var shellsFolder: (name: String, isText: Bool)? {
        guard let bytes = unsafe getenv("PWD") else { return nil }
        let (name, text) = unsafe (String(cString: bytes), String(validatingCString: bytes))
        return name.utf8.first == UInt8(ascii: "/") ? (name, text != nil) : nil
    }

    private static func leadsHere(_ path: String) -> Bool {
        guard let folder = try? FileIdentity.look(path) else { return false }
        return folder == (try? FileIdentity.look("."))
    }

    /// Without parts that say nothing. Cut as bytes: a letter's accent may begin a name, and is then no part of the slash.
    private static func plain(_ path: String) -> String {
        parts(of: path).filter { $0 != "" && $0 != "." }.map { "/\($0)" }.joined()
    }

    /// The same, with all up to its last `..` as the system resolves it, which need not be as it reads: behind a link it is another folder.
    private static func withoutClimbs(_ path: String) -> String {
        let parts = parts(of: plain(path))
        guard let last = parts.lastIndex(of: ".."),
            let above = absolutePath(of: parts[...last].joined(separator: "/"))
        else { return plain(path) }
        return plain("\(above)/\(parts[(last + 1)...].joined(separator: "/"))")
    }

    /// As ``plain(_:)``, with each `..` and the part before it left out.
    static func climbed(_ path: String) -> String {
        var left: [String] = []
        for part in parts(of: plain(path)) {
            // The first part is the empty one before the first slash.
            guard part == ".." else { left.append(part); continue }
            if left.count > 1 { left.removeLast() }
        }
        return left.count > 1 ? left.joined(separator: "/") : "/"
    }

    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String($0) ?? ""
        }
    }

    /// Makes a folder that only its owner may enter, and those above it, where they are missing.
    package static func make(_ path: String) throws(FileError) {
        var made = ""
        for part in parts(of: path) {
            made += part
            let isMade = made.isEmpty || WorkingFolder.reach(made) { unsafe mkdirat($0, $1, 0o700) } == 0
            guard isMade || errno == EEXIST else {
                throw .cannotCreate(path: made, reason: FileError.lastReason)
            }
            made += "/"
        }
    }

    /// Removes a file or a link by its absolute path, if it is there and can be removed.
    package static func removeFile(_ path: String) { unsafe unlink(path) }

    /// The names of what is in a folder, by its absolute path, sorted; none if there is no such folder. Names that are not UTF-8 are left out.
    package static func names(in path: String) throws(FileError) -> [String] {
        guard let folder = unsafe opendir(path) else {
            guard [ENOENT, ENOTDIR].contains(errno) else {
                throw .cannotOpen(path: path, reason: FileError.lastReason)
            }
            return []
        }
        defer { unsafe closedir(folder) }
        return try unsafe names(in: path) { unsafe readdir(folder) }
    }

    /// The same of what `next` gives, as `readdir` does: nil at the end, and nil with an error.
    static func names(
        in path: String, _ next: () -> UnsafeMutablePointer<dirent>?
    ) throws(FileError) -> [String] {
        var names: [String] = []
        while let entry = unsafe entry(next) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(validatingCString: $0)
                }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .cannotOpen(path: path, reason: FileError.lastReason) }
        return names.sorted()
    }

    // Only an error sets `errno`, which the rest of the loop may have changed.
    private static func entry(_ next: () -> UnsafeMutablePointer<dirent>?) -> UnsafeMutablePointer<dirent>? {
        errno = 0
        return unsafe next()
    }
}
