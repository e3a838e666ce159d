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

    /// Nil where there is not even a folder.
    package init?(path: String) {
        if let file = FileStatus(path: path)?.identity {
            self = file
        } else {
            self.init(namedBy: path)
        }
    }

    /// The file that is there, and the name in its folder, which stays the same when another file takes its place.
    package static func all(of path: String) -> [FileIdentity] {
        [FileStatus(path: path)?.identity, FileIdentity(namedBy: path)].compactMap { $0 }
    }

    /// The file that is there, or to which a link leads; nil if there certainly is none.
    package static func look(_ path: String) throws(FileError) -> FileIdentity? {
        if let status = FileStatus(path: path) { return status.identity }
        guard [ENOENT, ENOTDIR].contains(errno) else {
            throw .cannotOpen(path: path, reason: FileError.lastReason)
        }
        return nil
    }

    private init?(namedBy path: String) {
        guard let folder = FileStatus(path: SafeFile.folder(of: path))?.identity else { return nil }
        self.init(SafeFile.name(of: path), in: folder)
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
    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isLink: Bool { mode & S_IFMT == S_IFLNK }
    var isDirectory: Bool { mode & S_IFMT == S_IFDIR }

    /// Follows links; nil if there is nothing.
    init?(path: String) {
        var status = stat()
        guard WorkingFolder.reach(path, { unsafe fstatat($0, $1, &status, 0) }) == 0 else { return nil }
        self.init(status)
    }

    /// Follows no link; nil if there is nothing.
    init?(link path: String) {
        var status = stat()
        guard WorkingFolder.reach(path, { unsafe fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            return nil
        }
        self.init(status)
    }

    /// Of a name in an open folder; nil if there is nothing.
    init?(_ name: String, in folder: OpenFolder, followingLinks: Bool) {
        var status = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(folder.number, name, &status, flags) == 0 else { return nil }
        self.init(status)
    }

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
