#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// Two names with the same identity are one file, or will be one.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// The name in the folder that `device` and `inode` identify; nil for a file that is there.
    private let name: String?

    /// Of the file that is there, or that will be; nil where there is not even a folder.
    package init?(path: String) throws(FileError) {
        let file = try Self.look(path)
        guard let identity = try file == nil ? Self.ofName(path) : file else { return nil }
        self = identity
    }

    /// The file that is there, or to which a link leads, unless it cannot be looked at; and the name in its folder, which stays the same
    /// when another file takes its place.
    package static func all(of path: String) -> [FileIdentity] {
        [try? look(path), try? ofName(path)].compactMap { $0 }
    }

    private static func ofName(_ path: String) throws(FileError) -> FileIdentity? {
        try look(SafeFile.folder(of: path)).map { FileIdentity(SafeFile.name(of: path), in: $0) }
    }

    /// The file that is there, or to which a link leads; nil if there certainly is none.
    package static func look(_ path: String) throws(FileError) -> FileIdentity? {
        try FileStatus.look(path)?.identity
    }

    init(_ name: String, in folder: FileIdentity) {
        self.init(device: folder.device, inode: folder.inode, name: name)
    }

    fileprivate init(device: UInt64, inode: UInt64, name: String? = nil) {
        (self.device, self.inode, self.name) = (device, inode, name)
    }
}

/// A file as it was at one moment. If somebody replaces it or writes into it, it has another one.
package struct FileState: Equatable, Sendable {
    let identity: FileIdentity
    let byteCount: Int
    let seconds: Int
    let nanoseconds: Int
}

/// What the system says about a file.
package struct FileStatus {
    let state: FileState
    let mode: mode_t
    let owner: uid_t

    package var identity: FileIdentity { state.identity }
    package var byteCount: Int { state.byteCount }
    package var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isLink: Bool { mode & S_IFMT == S_IFLNK }
    var isDirectory: Bool { mode & S_IFMT == S_IFDIR }

    /// The status of the file with this name; nil if there certainly is none. If the system does not say, that is an error: the file may be
    /// there, and hidden for a moment.
    package static func look(_ path: String, followingLinks: Bool = true) throws(FileError) -> FileStatus? {
        try look(path, followingLinks) { status, flags in
            WorkingFolder.reach(path) { unsafe fstatat($0, $1, &status, flags) }
        }
    }

    /// The same in an open folder. `path` is how it is called.
    static func look(
        _ name: String, in folder: OpenFolder, path: String, followingLinks: Bool
    ) throws(FileError) -> FileStatus? {
        try look(path, followingLinks) { status, flags in
            unsafe fstatat(folder.number, name, &status, flags)
        }
    }

    private static func look(
        _ path: String, _ followingLinks: Bool, _ call: (inout stat, CInt) -> CInt
    ) throws(FileError) -> FileStatus? {
        var status = stat()
        guard call(&status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) != 0 else { return FileStatus(status) }
        guard [ENOENT, ENOTDIR].contains(errno) else {
            throw .cannotOpen(path: path, reason: FileError.lastReason)
        }
        return nil
    }

    /// Nil with an error number.
    init?(descriptor: CInt) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        let identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
        let written = Self.written(status)
        state = FileState(
            identity: identity, byteCount: Int(status.st_size), seconds: Int(written.tv_sec),
            nanoseconds: Int(written.tv_nsec))
        mode = status.st_mode
        owner = status.st_uid
    }

    /// When its bytes were last written.
    private static func written(_ status: stat) -> timespec {
        #if canImport(Darwin)
            status.st_mtimespec
        #else
            status.st_mtim
        #endif
    }
}
