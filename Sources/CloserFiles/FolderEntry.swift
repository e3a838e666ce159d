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

/// A folder that is held open. Whatever somebody makes of the names above it, files are read and written in this one.
final class OpenFolder: Sendable {
    /// As it was named.
    let path: String
    let identity: FileIdentity
    private let descriptor: Descriptor

    /// Opens a folder, at once: a FIFO in its place is an error.
    convenience init(_ path: String) throws(FileError) {
        try self.init(path, Self.open(path, in: AT_FDCWD, 0, path))
    }

    /// Opens a folder by an absolute path that has no link in it, or had none a moment ago: one that is there now is an error.
    convenience init(withoutLinks path: String) throws(FileError) {
        var folder = try Self.open("/", in: AT_FDCWD, 0, path)
        // Cut as bytes: a slash with an accent on it is one `Character`, and no slash.
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            folder = try Self.open(String(decoding: part, as: UTF8.self), in: folder.number, O_NOFOLLOW, path)
        }
        try self.init(path, folder)
    }

    private init(_ path: String, _ descriptor: consuming Descriptor) throws(FileError) {
        guard let identity = descriptor.identity else {
            throw .cannotOpen(path: path, reason: FileError.lastReason)
        }
        (self.path, self.identity) = (path, identity)
        self.descriptor = descriptor
    }

    /// Opens the working folder, or the one above another; nil with an error number.
    init?(above folder: OpenFolder?) {
        let name = folder == nil ? "." : ".."
        let number = Self.systemOpen(name, in: folder?.number ?? AT_FDCWD, Self.search | O_DIRECTORY, 0)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(number: number, name: name, closes: true)
        guard let identity = descriptor.identity else { return nil }
        (path, self.identity) = (name, identity)
        self.descriptor = descriptor
    }

    private static func open(
        _ name: String, in folder: CInt, _ flags: CInt, _ path: String
    ) throws(FileError) -> Descriptor {
        let flags = flags | O_DIRECTORY | O_NONBLOCK
        var number = systemOpen(name, in: folder, O_RDONLY | flags, 0)
        if number < 0, errno == EACCES { number = systemOpen(name, in: folder, search | flags, 0) }
        guard number >= 0 else { throw .cannotOpen(path: path, reason: FileError.lastReason) }
        return Descriptor(number: number, name: path, closes: true)
    }

    /// Opens a name in a folder, or in the working one.
    static func systemOpen(_ name: String, in folder: CInt, _ flags: CInt, _ mode: mode_t) -> CInt {
        guard folder == AT_FDCWD else { return openat(name, folder, flags, mode) }
        return WorkingFolder.reach(name) { openat($1, $0, flags, mode) }
    }

    /// The C function, which this type's own would hide.
    private static func openat(_ name: String, _ folder: CInt, _ flags: CInt, _ mode: mode_t) -> CInt {
        #if canImport(Glibc)
            unsafe Glibc.openat(folder, name, flags | O_CLOEXEC | O_NOCTTY, mode)
        #elseif canImport(Musl)
            unsafe Musl.openat(folder, name, flags | O_CLOEXEC | O_NOCTTY, mode)
        #elseif canImport(Android)
            unsafe Android.openat(folder, name, flags | O_CLOEXEC | O_NOCTTY, mode)
        #else
            unsafe Darwin.openat(folder, name, flags | O_CLOEXEC | O_NOCTTY, mode)
        #endif
    }

    // A folder may let files be made in it, or passed through, and not be listed.
    #if os(Linux) || os(Android)
        private static let search: CInt = 0o10000000  // O_PATH
    #else
        private static let search = O_SEARCH
    #endif

    var number: CInt { descriptor.number }

    /// Waits until the names in it are on the disk, that of `file` among them, as far as the system can say.
    func synchronize(with file: borrowing Descriptor) { closer_synchronize_names(number, file.number) }
}

/// A name in a folder that is held open.
package struct FolderEntry: Sendable {
    /// As it was named, for messages.
    package let path: String
    let folder: OpenFolder
    let name: String
    /// The path as it was meant at first: a relative one means another place once the working folder is moved.
    private let meant: String

    /// Opens the folder that a path is in. The file itself need not exist.
    package init(_ path: String) throws(FileError) {
        self.init(path, in: try OpenFolder(SafeFile.folder(of: path)), name: SafeFile.name(of: path))
    }

    init(_ path: String, in folder: OpenFolder, name: String) {
        self.init(path, in: folder, name: name, meant: Folder.path(named: path) ?? path)
    }

    private init(_ path: String, in folder: OpenFolder, name: String, meant: String) {
        (self.path, self.folder, self.name, self.meant) = (path, folder, name, meant)
    }

    /// The entry whose name is longer by this.
    package func beside(_ suffix: String) -> FolderEntry {
        FolderEntry(path + suffix, in: folder, name: name + suffix, meant: meant + suffix)
    }

    /// Another name in the same folder.
    func sibling(_ name: String) -> FolderEntry {
        FolderEntry("\(folder.path)/\(name)", in: folder, name: name)
    }

    /// What is there, a link itself included; nil if certainly nothing is. See ``FileStatus/look(_:followingLinks:)``.
    package func look(followingLinks: Bool = false) throws(FileError) -> FileStatus? {
        try FileStatus.look(name, in: folder, path: path, followingLinks: followingLinks)
    }

    /// The name in this folder, no matter which file has it.
    var nameIdentity: FileIdentity { FileIdentity(name, in: folder.identity) }

    /// The file that is there, or to which a link leads, unless it cannot be looked at; and the name in this folder: what an output of the
    /// same run may not replace.
    package var identities: [FileIdentity] { identities(try? look(followingLinks: true)) }

    /// The same of what was found there.
    func identities(_ file: FileStatus?) -> [FileIdentity] {
        [file?.identity, nameIdentity].compactMap { $0 }
    }

    /// Whether certainly this very file is there, and no link to it.
    package func holds(_ file: FileIdentity?) -> Bool {
        guard let file, let status = try? look() else { return false }
        return status.identity == file
    }

    /// Whether it certainly is in this state: nobody replaced or changed it since.
    package func isStill(_ state: FileState?) -> Bool {
        guard let state, let status = try? look() else { return false }
        return status.state == state
    }

    /// Whether this very file is there for whoever follows the path: somebody may have moved the folder, with the file in it.
    func isReached(_ file: FileIdentity) throws(FileError) -> Bool {
        try FileStatus.look(meant)?.identity == file
    }

    func open(_ flags: CInt, _ mode: mode_t = 0) -> CInt {
        OpenFolder.systemOpen(name, in: folder.number, flags, mode)
    }

    /// All bytes of a regular file, which is no link; nil if there is none.
    package func read(maximumByteCount: Int) throws(FileError) -> [UInt8]? {
        // Whoever writes into a FIFO would lose it, even if it is only opened.
        if let status = try look(), !status.isRegular, !status.isLink { throw WholeFile.irregular(path) }
        guard let file = try openForReading() else { return nil }
        return try WholeFile.read(file, maximumByteCount)
    }

    /// Opens what is no link, at once; nil if certainly nothing is there.
    private func openForReading() throws(FileError) -> Descriptor? {
        let number = open(O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        guard number < 0 else { return Descriptor(number: number, name: path, closes: true) }
        guard errno != ENOENT else { return nil }
        throw .cannotOpen(path: path, reason: errno == ELOOP ? "Has become a link" : FileError.lastReason)
    }

    /// The first bytes of a regular file that begins with this mark, or all if it has fewer; nil for any other, which may be a secret and
    /// is not read into ordinary memory. One that cannot be read is an error.
    package func beginning(with mark: [UInt8], byteCount: Int) throws(FileError) -> [UInt8]? {
        guard try look()?.isRegular == true else { return nil }
        guard let file = try openForReading() else {
            throw .cannotOpen(path: path, reason: FileError.reason(ENOENT))
        }
        guard let size = file.regularByteCount, try file.compare(mark.span, of: size) else { return nil }
        var bytes: [UInt8] = []
        try bytes.append(addingCapacity: byteCount) { (output) throws(FileError) in
            while output.freeCapacity > 0, try file.read(into: &output) {}
        }
        return bytes
    }

    /// Whether what is there certainly is a regular file, and no link, that has these bytes and no more, or begins with them and has
    /// `byteCount`; nil if certainly nothing is there.
    package func hasBytes(_ bytes: Span<UInt8>, of byteCount: Int? = nil) -> Bool? {
        // Whoever writes into a FIFO would lose it, even if it is only opened.
        if let status = try? look(), !status.isRegular { return false }
        do throws(FileError) {
            guard let file = try openForReading() else { return nil }
            guard file.regularByteCount != nil else { return false }
            return try file.compare(bytes, of: byteCount)
        } catch { return false }
    }

    /// Removes it, if it is there and can be removed. False if it was there, and could not.
    @discardableResult
    func remove() -> Bool { unsafe unlinkat(folder.number, name, 0) == 0 || errno == ENOENT }
}
