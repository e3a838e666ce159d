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
    /// The name in the folder that `device` and `inode` identify, for a file that is not there yet.
    private let name: String?

    /// Nil where there is not even a folder.
    package init?(path: String) {
        if let file = FileStatus(path: path)?.identity {
            self = file
        } else {
            guard let folder = FileStatus(path: SafeFile.folder(of: path))?.identity else { return nil }
            self.init(device: folder.device, inode: folder.inode, name: SafeFile.name(of: path))
        }
    }

    fileprivate init(device: UInt64, inode: UInt64, name: String? = nil) {
        (self.device, self.inode, self.name) = (device, inode, name)
    }
}

/// What the system says about a file.
struct FileStatus {
    let identity: FileIdentity
    let byteCount: Int
    let mode: mode_t
    let owner: uid_t
    /// How many names it has; 0 once it was removed.
    let linkCount: Int

    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isLink: Bool { mode & S_IFMT == S_IFLNK }
    var isDirectory: Bool { mode & S_IFMT == S_IFDIR }

    /// Follows links; nil if there is nothing.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Follows no link; nil if there is nothing.
    init?(link path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
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
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
        byteCount = Int(status.st_size)
        mode = status.st_mode
        owner = status.st_uid
        linkCount = Int(status.st_nlink)
    }
}
