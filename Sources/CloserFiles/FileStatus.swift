internal import CCloserFiles

/// Two names with the same identity are one file, or will be one.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// The name in the folder that `device` and `inode` identify; nil for a file that is there.
    private let name: String?

    /// The file that is there or to which a link leads, and its name in its folder, which stays when another file takes its place.
    package static func all(of path: String) -> [FileIdentity] {
        [(try? FileStatus.look(path))?.identity, ofName(path)].compactMap { $0 }
    }

    private static func ofName(_ path: String) -> FileIdentity? {
        guard let folder = try? FileStatus.look(Paths.folder(of: path)) else { return nil }
        return FileIdentity(
            device: folder.identity.device, inode: folder.identity.inode, name: Paths.name(of: path))
    }

    fileprivate init(device: UInt64, inode: UInt64, name: String? = nil) {
        (self.device, self.inode, self.name) = (device, inode, name)
    }
}

/// What the system says about a file. If two are equal, they are of one unchanged file.
package struct FileStatus: Equatable, Sendable {
    package let identity: FileIdentity
    package let byteCount: Int
    let mode: CInt
    let owner: uid_t
    let group: gid_t
    /// Seconds and nanoseconds.
    private let changeTime: [Int]

    /// The kinds that matter here, by the bits that all systems have for them. C's names for the bits have another type on each system.
    private enum Kind: CInt {
        case fifo = 0o010000, characterDevice = 0o020000, directory = 0o040000
        case regular = 0o100000, socket = 0o140000
    }
    private var kind: Kind? { Kind(rawValue: mode & 0o170000) }

    package var isRegular: Bool { kind == .regular }
    var isDirectory: Bool { kind == .directory }
    /// Whether it is a pipe, a socket, a terminal or another character device.
    var isStream: Bool { [.fifo, .socket, .characterDevice].contains(kind) }

    /// Whether another user can change the file, or replace files in the folder. Under a folder's sticky bit they can only add some, and
    /// a group of one's own has one member.
    var isWritableByOthers: Bool {
        guard [0, geteuid()].contains(owner) else { return true }
        let others = mode & 0o002 != 0 || mode & 0o020 != 0 && group != getegid()
        return others && mode & 0o1000 == 0
    }

    /// The status of the file with this name; nil if there certainly is none. If the system does not say, that is an error: the file may
    /// be there, and hidden.
    package static func look(_ path: String, followingLinks: Bool = true) throws(FileError) -> FileStatus? {
        var status = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(AT_FDCWD, path, &status, flags) != 0 else { return FileStatus(status) }
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
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
        (byteCount, mode) = (Int(clamping: status.st_size), CInt(status.st_mode))
        (owner, group) = (status.st_uid, status.st_gid)
        let time = unsafe withUnsafePointer(to: status) { unsafe closer_change_time($0) }
        changeTime = [time.tv_sec, time.tv_nsec]
    }
}
