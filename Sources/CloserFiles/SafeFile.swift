internal import CCloserFiles

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// A file that appears only when it is whole: written beside, mode 0600, fsync, rename.
///
/// What is not a regular file (a pipe, `/dev/null`) is written directly.
package struct SafeFile: ~Copyable {
    private let path: String
    private let temporaryPath: String?
    private let replaces: Bool
    private let descriptor: Descriptor
    /// Where signals find the temporary path.
    private let slot: CInt

    /// Opens the output. An existing regular file is `.exists` unless `replaces`; one of `inputs` is `.isInput`, also
    /// if it is not there yet. With `onlyRegular`, what is not a regular file is `.cannotCreate`, and is not opened.
    package init(
        _ path: String, replacing replaces: Bool, inputs: [FileIdentity] = [], onlyRegular: Bool = false
    ) throws(FileError) {
        (self.path, self.replaces) = (path, replaces)
        let existing = FileStatus(path: path)
        if existing?.isRegular ?? true, let identity = FileIdentity(path: path), inputs.contains(identity) {
            throw .isInput(path: path)
        }
        switch existing?.isRegular {
        case true? where !replaces: throw .exists(path: path)
        case true?, nil:
            let temporaryPath = Self.temporaryPath(for: path)
            // Before it is there: an interrupt may come at any time.
            let slot = unsafe closer_add_temporary(temporaryPath)
            do { descriptor = try Self.create(temporaryPath, for: path) } catch {
                closer_remove_temporary(slot)
                throw error
            }
            (self.temporaryPath, self.slot) = (temporaryPath, slot)
        case false? where onlyRegular:
            throw .cannotCreate(path: path, reason: "is not a regular file")
        case false?:
            descriptor = try Self.openDirectly(path)
            (temporaryPath, slot) = (nil, -1)
        }
    }

    /// Whether there is a file of any sort, a link that leads nowhere included.
    package static func exists(_ path: String) -> Bool { FileStatus(link: path) != nil }

    /// Whether there is a regular file, or a link to one.
    package static func isRegular(_ path: String) -> Bool { FileStatus(path: path)?.isRegular == true }

    /// Whether the name is a symbolic link.
    package static func isLink(_ path: String) -> Bool { FileStatus(link: path)?.isLink ?? false }

    /// Whether a person would see it at once.
    package var isTerminal: Bool { descriptor.isTerminal }

    /// Whether what is written is there at once, because the output is not a regular file.
    package var isDirect: Bool { temporaryPath == nil }

    /// Appends to what will become the file.
    package func write(_ bytes: Span<UInt8>) throws(FileError) { try descriptor.write(bytes) }

    /// Waits until what was written is on the disk: from here on little can fail.
    package func prepare() throws(FileError) {
        guard temporaryPath != nil else { return }
        try descriptor.synchronize()
    }

    /// Makes the file appear under its name. Without this call it never does.
    package consuming func commit() throws(FileError) {
        guard let temporaryPath else { return }
        try descriptor.synchronize()
        try Self.publish(temporaryPath, as: path, replaces: replaces)
        Self.synchronizeFolder(of: path)
    }

    // A rename would replace a file that appeared meanwhile; a link refuses to.
    private static func publish(_ temporaryPath: String, as path: String, replaces: Bool) throws(FileError) {
        if replaces {
            guard unsafe rename(temporaryPath, path) == 0 else {
                throw .cannotCreate(path: path, reason: FileError.lastReason)
            }
            return
        }
        guard unsafe link(temporaryPath, path) == 0 else {
            guard errno != EEXIST else { throw .exists(path: path) }
            // A file system without links: there a file that appears at this moment is replaced.
            guard [EPERM, ENOTSUP, ENOSYS].contains(errno), FileStatus(path: path) == nil else {
                throw .cannotCreate(path: path, reason: FileError.lastReason)
            }
            return try publish(temporaryPath, as: path, replaces: true)
        }
    }

    private static func create(_ temporaryPath: String, for path: String) throws(FileError) -> Descriptor {
        let number = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .cannotCreate(path: path, reason: FileError.lastReason) }
        return Descriptor(number: number, name: path, closes: true)
    }

    private static func openDirectly(_ path: String) throws(FileError) -> Descriptor {
        let number = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else { throw .cannotCreate(path: path, reason: FileError.lastReason) }
        return Descriptor(number: number, name: path, closes: true)
    }

    /// Beside the file, so that the rename stays on one file system; hidden, short, and never used before.
    private static func temporaryPath(for path: String) -> String {
        "\(folder(of: path))/.closer-keys.\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    }

    /// Cut as bytes: a slash with an accent on it is one `Character`, and no slash.
    package static func folder(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    }

    static func name(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(decoding: bytes[(slash + 1)...], as: UTF8.self)
    }

    private static func synchronizeFolder(of path: String) {
        let number = unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return }
        fsync(number)
        close(number)
    }

    deinit {
        guard let temporaryPath else { return }
        unsafe unlink(temporaryPath)
        closer_remove_temporary(slot)
    }
}
