#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Two names with the same identity are one file.
public struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// What the system says about a file.
struct FileStatus {
    let identity: FileIdentity
    let byteCount: Int
    let mode: mode_t

    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isDirectory: Bool { mode & S_IFMT == S_IFDIR }

    /// Follows links; nil if there is nothing.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: CInt) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        byteCount = Int(status.st_size)
        mode = status.st_mode
    }
}
