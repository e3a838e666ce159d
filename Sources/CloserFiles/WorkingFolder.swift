internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// The folder in which relative names begin, and the folders above it, as they were when the program noted them: `..` at the beginning
/// of a name means these.
///
/// Whoever can write a folder above may move the working folder at any moment, and put it back: to the system, `..` is another folder
/// meanwhile.
package enum WorkingFolder {
    private static let noted = Mutex<NotedFolders?>(nil)

    /// Before any file is opened; if no name that is known by then `mayClimb`, the folders above are looked for once one does. In a process
    /// that does not call it, `..` is what the system makes of it.
    package static func note(mayClimb: Bool = true) {
        noted.withLock { $0 = nil }
        let now = mayClimb ? look() : NotedFolders(climbing: false)
        noted.withLock { $0 = now }
    }

    private static func look() -> NotedFolders {
        var now = NotedFolders()
        let first = now.pathBytes
        var tries = 1
        // Once is enough unless somebody moves it at this moment.
        while !now.areAtTheirPath, tries < 10 {
            now = NotedFolders()
            tries += 1
        }
        // Whoever moved it meanwhile did so while the program ran.
        now.pathBytes = first
        if let shell = Folder.shellsFolder { now.judge(whatTheShellSays: shell.name, isText: shell.isText) }
        return now
    }

    /// Its path when it was noted, as bytes, since it may not be UTF-8; nil if it had none.
    package static var pathBytes: [UInt8]? { noted.withLock { $0?.pathBytes } }

    /// Calls `openat` or its like with a name that begins in this folder.
    static func reach(_ path: String, _ call: (_ folder: CInt, _ name: String) -> CInt) -> CInt {
        switch beginning(of: path) {
        case .here: return call(AT_FDCWD, path)
        case .above(let folder, let climb): return call(folder.number, climb.rest)
        case .nowhere(let error):
            errno = error
            return -1
        }
    }

    /// An absolute path in place of a name that begins with `..`, and any other name as it is; nil if no path leads there now.
    package static func absolute(_ path: String) -> String? {
        switch beginning(of: path) {
        case .here: return path
        case .above(let folder, let climb):
            if let found = Self.path(of: folder, climb) {
                return "\(found == "/" ? "" : found)/\(climb.rest)"
            }
            errno = ENOENT
        case .nowhere(let error): errno = error
        }
        return nil
    }

    private static func path(of folder: OpenFolder, _ climb: Climb) -> String? {
        let climbed = noted.withLock { $0?.path }.map { Folder.climbed("\($0)/\(climb.name)") }
        let names = ["/proc/self/fd/\(folder.number)", climb.name] + [climbed].compactMap { $0 }
        return names.lazy.compactMap(Folder.systemPath).first {
            (try? FileIdentity.look($0)) == folder.identity
        }
    }

    /// Where a name begins.
    private enum Beginning {
        case here
        case above(OpenFolder, Climb)
        /// Above a folder that could not be left, for this reason. Whoever can write there could lead it elsewhere by now.
        case nowhere(CInt)
    }

    private static func beginning(of path: String) -> Beginning {
        guard let climb = Climb(path) else { return .here }
        return noted.withLock { noted in
            guard let former = noted else { return .here }
            if !former.areLookedFor {
                noted = look()
                noted?.pathBytes = former.pathBytes
            }
            guard let folder = noted?.use(climb.count) else { return .nowhere(noted?.lastError ?? ENOENT) }
            return .above(folder, climb)
        }
    }

    /// The folders whose `..` was used since the last call and leads elsewhere than the shell believes. Each comes once.
    package static func takeDoubts() -> [Doubt] { noted.withLock { $0?.takeDoubts() ?? [] } }

    /// A folder above that is not certainly the one to which `..` leads from the folder in `PWD`.
    package struct Doubt: Equatable, Sendable {
        /// As `../..`.
        package let name: String
        package let path: String?
        package let believed: String
        /// What the shell says that the working folder is.
        package let shell: String
    }
}
