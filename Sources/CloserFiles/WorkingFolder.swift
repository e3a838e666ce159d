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

    /// Before any file is opened. In a process that does not call it, `..` is what the system makes of it.
    package static func note() {
        noted.withLock { $0 = nil }
        var now = NotedFolders()
        // Once is enough unless somebody moves it at this moment.
        for _ in 0..<100 where !now.areAtTheirPath { now = NotedFolders() }
        now.judge(whatTheShellSays: Folder.believed)
        noted.withLock { [now] in $0 = now }
    }

    /// Its path when it was noted; nil if it had none.
    package static var path: String? { noted.withLock { $0?.path } }

    /// Calls `openat` or its like with a name that begins in this folder.
    static func reach(_ path: String, _ call: (_ folder: CInt, _ name: String) -> CInt) -> CInt {
        guard let (folder, climb) = folder(above: path) else { return call(AT_FDCWD, path) }
        return call(folder.number, climb.rest)
    }

    /// An absolute path in place of a name that begins with `..`, and any other name as it is; nil if no path leads there now.
    static func absolute(_ path: String) -> String? {
        guard let (folder, climb) = folder(above: path) else { return path }
        let climbed = Self.path.map { Folder.climbed("\($0)/\(climb.name)") }
        let names = ["/proc/self/fd/\(folder.number)", climb.name] + [climbed].compactMap { $0 }
        let paths = names.lazy.compactMap(Folder.systemPath)
        guard let path = paths.first(where: { FileStatus(path: $0)?.identity == folder.identity }) else {
            errno = ENOENT
            return nil
        }
        return "\(path == "/" ? "" : path)/\(climb.rest)"
    }

    /// Nil for a name that does not begin with `..`, and for a folder that this user could not reach: the system says why.
    private static func folder(above path: String) -> (OpenFolder, Climb)? {
        guard let climb = Climb(path) else { return nil }
        return noted.withLock { noted in noted?.use(climb.count) }.map { ($0, climb) }
    }

    /// The folders whose `..` was used since the last call and leads elsewhere than the shell believes. Each comes once.
    package static func takeDoubts() -> [Doubt] { noted.withLock { $0?.takeDoubts() ?? [] } }

    /// A folder above that is not the one that a person means if the shell is right about the working folder.
    package struct Doubt: Equatable, Sendable {
        /// As `../..`.
        package let name: String
        package let path: String?
        package let believed: String
        /// What the shell says that the working folder is.
        package let shell: String
    }
}

/// `..` at the beginning of a name, once or several times.
struct Climb {
    let count: Int
    /// What follows; `.` if nothing does.
    let rest: String

    /// As `../..`.
    var name: String { Self.name(count) }

    static func name(_ count: Int) -> String {
        [String](repeating: "..", count: count).joined(separator: "/")
    }

    /// Nil for a name that does not begin so. Cut as bytes: a slash with an accent on it is one `Character`, and no slash.
    init?(_ path: String) {
        var rest = path.utf8[...]
        var count = 0
        while rest.first != UInt8(ascii: "/") {
            let part = rest.prefix { $0 != UInt8(ascii: "/") }
            guard part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) else { break }
            count += part.count - 1
            rest = rest[part.endIndex...].drop { $0 == UInt8(ascii: "/") }
        }
        guard count > 0 else { return nil }
        (self.count, self.rest) = (count, rest.isEmpty ? "." : String(decoding: rest, as: UTF8.self))
    }
}
