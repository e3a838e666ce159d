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
/// What is not a regular file (a pipe, a terminal, `/dev/null`) is written directly.
package struct SafeFile: ~Copyable, Sendable {
    private let entry: FolderEntry
    private let temporary: FolderEntry?
    private let replaces: Bool
    private let descriptor: Descriptor
    /// Where signals find the temporary path.
    private let slot: CInt

    /// Opens the output. An existing regular file is `.exists` unless `replaces`; one of `inputs` is `.isInput`, also
    /// if it is not there yet.
    package init(
        _ path: String, replacing replaces: Bool, inputs: [FileIdentity] = []
    ) throws(FileError) {
        let existing = FileStatus(path: path)
        if existing?.isRegular ?? true, let identity = FileIdentity(path: path), inputs.contains(identity) {
            throw .isInput(path: path)
        }
        let entry: FolderEntry
        do { entry = try FolderEntry(path) } catch .cannotOpen(_, let reason) {
            throw .cannotCreate(path: path, reason: reason)
        }
        switch existing?.isRegular {
        case false?: try self.init(directly: entry)
        case true?, nil: try self.init(entry, replacing: replaces)
        }
    }

    private init(directly entry: FolderEntry) throws(FileError) {
        descriptor = try entry.openDirectly()
        (self.entry, temporary, replaces, slot) = (entry, nil, true, -1)
    }

    /// The same in a folder that is held open, but what is not a regular file is `.cannotCreate`, and is not opened.
    package init(_ entry: FolderEntry, replacing replaces: Bool) throws(FileError) {
        (self.entry, self.replaces) = (entry, replaces)
        switch entry.statusOfTarget?.isRegular {
        case true? where !replaces: throw .exists(path: entry.path)
        case false?: throw .cannotCreate(path: entry.path, reason: "is not a regular file")
        default: break
        }
        let temporary = entry.sibling(Self.temporaryName)
        // Before it is there: an interrupt may come at any time.
        let slot = unsafe closer_add_temporary(temporary.path)
        do { descriptor = try Self.create(temporary, for: entry) } catch {
            closer_remove_temporary(slot)
            throw error
        }
        (self.temporary, self.slot) = (temporary, slot)
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
    package var isDirect: Bool { temporary == nil }

    /// Appends to what will become the file.
    package func write(_ bytes: Span<UInt8>) throws(FileError) { try descriptor.write(bytes) }

    /// Waits until what was written is on the disk: from here on little can fail.
    package func prepare() throws(FileError) {
        guard temporary != nil else { return }
        try descriptor.synchronize()
    }

    /// Makes the file appear under its name. Without this call it never does. Gives what tells the file from another one that is put
    /// into its place later.
    @discardableResult
    package consuming func commit() throws(FileError) -> FileIdentity? {
        guard let temporary else { return nil }
        try descriptor.synchronize()
        try Self.publish(temporary, as: entry, replaces: replaces)
        // Somebody who can write the folder may have replaced the temporary file by one of theirs.
        guard entry.holds(descriptor.identity) else {
            throw .cannotCreate(path: entry.path, reason: "Somebody else put another file there")
        }
        entry.folder.synchronize()
        return descriptor.identity
    }

    /// The same after ``prepare()``, at once: nothing waits for the disk before it appears. If it does not, it can be discarded.
    ///
    /// With `old` it takes the place of this state of the file and of no other, where the file system can exchange two names.
    package func appear(inPlaceOf old: FileState? = nil) throws(Unappeared) -> FileIdentity? {
        guard let temporary else { return nil }
        if let old, try canExchange(with: temporary) {
            try checkExchanged(old)
        } else {
            do { try Self.publish(temporary, as: entry, replaces: replaces) } catch {
                throw Unappeared(cause: error, fate: .never)
            }
        }
        entry.folder.synchronize()
        return descriptor.identity
    }

    /// Why a file is not in its place.
    package struct Unappeared: Error, Equatable {
        package let cause: FileError
        package let fate: Fate
    }

    /// Whether others may have seen it there.
    package enum Fate: Sendable {
        case never
        /// It was there for a moment, and what it had replaced is there again.
        case takenBack
        /// It was there for a moment, and what somebody put there next may have come of it.
        case overtaken
    }

    /// Exchanges the names, or false if the file system cannot. If the name was gone for a moment, that is somebody's doing, and what
    /// comes there next is theirs.
    private func canExchange(with temporary: FolderEntry) throws(Unappeared) -> Bool {
        guard !exchange(with: temporary) else { return true }
        let (error, reason) = (errno, FileError.lastReason)
        guard ![ENOSYS, EINVAL, ENOTSUP].contains(error) else { return false }
        guard error == ENOENT, temporary.holds(descriptor.identity) else {
            throw Unappeared(cause: .cannotCreate(path: entry.path, reason: reason), fate: .never)
        }
        throw changedMeanwhile(.never)
    }

    private func changedMeanwhile(_ fate: Fate) -> Unappeared {
        Unappeared(
            cause: .cannotCreate(path: entry.path, reason: "Somebody else changed it meanwhile"), fate: fate)
    }

    /// Looks at what came out. What somebody else put there at the last moment goes back; what somebody has taken away by now is theirs,
    /// and the file is in its place.
    func checkExchanged(_ old: FileState) throws(Unappeared) {
        guard let temporary, let out = temporary.state else { return }
        guard out == old else {
            guard exchange(with: temporary), temporary.holds(descriptor.identity) else {
                // Something newer came into the place meanwhile, and that is what came out: it goes back, too.
                _ = exchange(with: temporary)
                throw changedMeanwhile(.overtaken)
            }
            throw changedMeanwhile(.takenBack)
        }
        temporary.remove()
    }

    private func exchange(with temporary: FolderEntry) -> Bool {
        unsafe closer_exchange(entry.folder.number, temporary.name, entry.name) == 0
    }

    /// Removes what did not appear. False if it may still have a name, because somebody gave it another one: then whoever did can
    /// put it anywhere, whole.
    package func discard() -> Bool {
        guard let temporary else { return true }
        if temporary.holds(descriptor.identity) { temporary.remove() }
        return descriptor.isNameless
    }

    /// Makes the file appear, and then `change`, which it belongs to. If the change fails, the file is removed again, unless its name
    /// has another one by then. False if the change was made, and somebody has taken the file away meanwhile, or written into it.
    package consuming func commit(before change: () throws -> Void) throws -> Bool {
        let entry = entry
        try prepare()
        let written = descriptor.status?.state
        let identity = try commit()
        do { try change() } catch {
            if identity != nil, entry.holds(identity) { entry.remove() }
            throw error
        }
        return identity == nil || entry.state == written
    }

    // A rename would replace a file that appeared meanwhile; a link refuses to.
    private static func publish(
        _ temporary: FolderEntry, as entry: FolderEntry, replaces: Bool
    ) throws(FileError) {
        let folder = entry.folder.number
        if replaces {
            guard unsafe renameat(folder, temporary.name, folder, entry.name) == 0 else {
                throw .cannotCreate(path: entry.path, reason: FileError.lastReason)
            }
            return
        }
        guard unsafe linkat(folder, temporary.name, folder, entry.name, 0) == 0 else {
            guard errno != EEXIST else { throw .exists(path: entry.path) }
            // A file system without links: there a file that appears at this moment is replaced.
            guard [EPERM, ENOTSUP, ENOSYS].contains(errno), entry.statusOfTarget == nil else {
                throw .cannotCreate(path: entry.path, reason: FileError.lastReason)
            }
            return try publish(temporary, as: entry, replaces: true)
        }
    }

    private static func create(_ temporary: FolderEntry, for entry: FolderEntry) throws(FileError)
        -> Descriptor
    {
        let number = temporary.open(O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard number >= 0 else { throw .cannotCreate(path: entry.path, reason: FileError.lastReason) }
        return Descriptor(number: number, name: entry.path, closes: true)
    }

    /// Hidden, short, and never used before.
    private static var temporaryName: String {
        ".closer-keys.\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
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

    deinit {
        guard let temporary else { return }
        // Another file may have come out in exchange: that is not ours to remove.
        if temporary.holds(descriptor.identity) { temporary.remove() }
        closer_remove_temporary(slot)
    }
}
