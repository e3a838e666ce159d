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
    fileprivate struct Noted {
        let path: String?
        /// The working folder, the one above it, and so on.
        let folders: [FileIdentity]
        var doubts: [Doubt] = []
    }

    private static let noted = Mutex<Noted?>(nil)

    /// Before any file is opened. In a process that does not call it, `..` is what the system makes of it.
    package static func note() {
        noted.withLock { $0 = nil }
        var now = look()
        // Once is enough unless somebody moves it at this moment.
        for _ in 0..<100 where !now.isAtItsPath { now = look() }
        noted.withLock { [now] in $0 = now }
    }

    private static func look() -> Noted {
        let path = Folder.absolutePath(of: ".")
        var folders: [FileIdentity] = []
        var name = "."
        while let folder = FileStatus(path: name)?.identity, folder != folders.last {
            folders.append(folder)
            name += "/.."
        }
        return Noted(path: path, folders: folders)
    }

    /// Its path when it was noted; nil if it had none.
    package static var path: String? { noted.withLock { $0?.path } }

    // MARK: - Names

    /// Calls `openat` or its like with a name that begins in this folder.
    static func reach(_ path: String, _ call: (_ folder: CInt, _ name: String) -> CInt) -> CInt {
        guard let climb = Climb(path), let place = place(of: climb) else { return call(AT_FDCWD, path) }
        let folder = place.open()
        guard folder >= 0 else { return -1 }
        let result = call(folder, climb.rest)
        let error = errno
        close(folder)
        errno = error
        return result
    }

    /// An absolute path in place of a name that begins with `..`, and any other name as it is; nil if no path leads there now.
    static func absolute(_ path: String) -> String? {
        guard let climb = Climb(path), let place = place(of: climb) else { return path }
        guard let folder = place.path else { errno = ESTALE; return nil }
        return "\(folder == "/" ? "" : folder)/\(climb.rest)"
    }

    private static func place(of climb: Climb) -> FolderAbove? {
        let noted = noted.withLock { $0 }
        guard let noted, let top = noted.folders.indices.last else { return nil }
        let place = FolderAbove(
            identity: noted.folders[min(climb.count, top)], name: climb.name,
            path: noted.path.map { Folder.climbed("\($0)/\(climb.name)") })
        doubt(climb, place)
        return place
    }

    // MARK: - What the shell says

    /// A folder above that is not the one that a person means if the shell is right about the working folder.
    package struct Doubt: Equatable, Sendable {
        /// As `../..`.
        package let name: String
        package let path: String?
        package let believed: String
    }

    /// Those that were looked up since the last call.
    package static func takeDoubts() -> [Doubt] {
        noted.withLock { noted in
            defer { noted?.doubts = [] }
            return noted?.doubts ?? []
        }
    }

    private static func doubt(_ climb: Climb, _ place: FolderAbove) {
        guard let shell = Folder.believed else { return }
        let believed = Folder.climbed("\(shell)/\(climb.name)")
        guard FileStatus(path: believed)?.identity != place.identity else { return }
        let doubt = Doubt(name: climb.name, path: place.path, believed: believed)
        noted.withLock { if $0?.doubts.contains(doubt) == false { $0?.doubts.append(doubt) } }
    }
}

extension WorkingFolder.Noted {
    /// Whether each folder on its path is the one that is above it: nobody moved it between the two looks. Where this user may not look,
    /// the folders count.
    fileprivate var isAtItsPath: Bool {
        guard let path else { return true }
        return folders.enumerated().allSatisfy { count, folder in
            let climbs = String(repeating: "/..", count: count)
            let named = FileStatus(path: Folder.climbed("\(path)\(climbs)"))?.identity
            return named == folder || named == nil && errno == EACCES
        }
    }
}

/// `..` at the beginning of a name, once or several times.
private struct Climb {
    let count: Int
    /// What follows; `.` if nothing does.
    let rest: String

    /// As `../..`.
    var name: String { [String](repeating: "..", count: count).joined(separator: "/") }

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

/// A folder above the working one, wherever it is by now.
private struct FolderAbove {
    let identity: FileIdentity
    /// Two names that led there: from the working folder on, and from the root.
    private let name: String
    private let named: String?

    init(identity: FileIdentity, name: String, path: String?) {
        (self.identity, self.name, named) = (identity, name, path)
    }

    private var names: [String] { [name] + [named].compactMap { $0 } }

    /// The number of a descriptor, or -1.
    func open() -> CInt {
        for name in names {
            let number = OpenFolder.systemOpenFolder(name, in: AT_FDCWD, 0)
            if number >= 0, FileStatus(descriptor: number)?.identity == identity { return number }
            if number >= 0 { close(number) }
        }
        errno = ESTALE
        return -1
    }

    /// Its path without links, if one leads there now.
    var path: String? {
        names.lazy.compactMap(Folder.systemPath).first { FileStatus(path: $0)?.identity == identity }
    }
}
