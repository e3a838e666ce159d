internal import CCloserFiles
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

/// A file that appears only when it is whole: written beside, mode 0600, fsync, rename.
///
/// Another process may write into the file just before or after it appears. So it is compared with what was written: byte by byte
/// if all of that is at hand, and by size and time if it was written in parts.
///
/// What is not a regular file (a pipe, a terminal, `/dev/null`) is written directly.
package struct SafeFile: ~Copyable, Sendable {
    let entry: FolderEntry
    let temporary: FolderEntry?
    let replaces: Bool
    /// What it replaces, and its name in the folder that is held open.
    package let replaced: [FileIdentity]
    /// Tells what no output of the run may replace.
    let spares: (@Sendable (FolderEntry) throws(FileError) -> Bool)?
    let descriptor: Descriptor
    /// The file itself; nil for what is no file.
    package let identity: FileIdentity?
    /// As it was after the last write of ours.
    private let written: LastWrite
    /// Where signals find the temporary file.
    private let slot: CInt

    /// Opens the output. An existing regular file is `.exists` unless `replaces`; one of `inputs` is `.isInput`, also
    /// if it is not there yet. So is what it would replace in the end and `spares` names.
    package init(
        _ path: String, replacing replaces: Bool, inputs: [FileIdentity] = [],
        sparing spares: (@Sendable (FolderEntry) throws(FileError) -> Bool)? = nil
    ) throws(FileError) {
        let (entry, existing) = try Self.creating(path) { () throws(FileError) in
            // From here on what the path of its folder means does not change.
            let entry = try FolderEntry(path)
            guard !entry.name.isEmpty else { throw .cannotOpen(path: path, reason: "Is not a file's name") }
            return (entry, try entry.look(followingLinks: true))
        }
        let replaced = entry.identities(existing)
        if existing?.isRegular ?? true, replaced.contains(where: inputs.contains) {
            throw .isInput(path: path)
        }
        switch existing?.isRegular {
        case false?: try self.init(directly: entry, replaced)
        // Who may write there would replace the system's own link.
        case true? where replaces && entry.isOfSystem:
            throw .cannotCreate(path: path, reason: "Is an open file: leave the option out")
        case true?, nil: try self.init(entry, replacing: replaces, sparing: spares)
        }
    }

    /// Looks at what may be in an output's place. What cannot be looked at cannot be made.
    package static func creating<Result: ~Copyable>(
        _ path: String, _ look: () throws(FileError) -> Result
    ) throws(FileError) -> Result {
        do { return try look() } catch .cannotOpen(_, let reason) {
            throw .cannotCreate(path: path, reason: reason)
        }
    }

    private init(directly entry: FolderEntry, _ replaced: [FileIdentity]) throws(FileError) {
        descriptor = try Self.creating(entry.path) { () throws(FileError) in try entry.openDirectly() }
        (self.entry, temporary, replaces, slot, spares) = (entry, nil, true, -1, nil)
        self.replaced = replaced
        identity = nil
        written = LastWrite(nil)
    }

    /// The same in a folder that is held open, but what is not a regular file is `.cannotCreate`, and is not opened.
    package init(
        _ entry: FolderEntry, replacing replaces: Bool,
        sparing spares: (@Sendable (FolderEntry) throws(FileError) -> Bool)? = nil
    ) throws(FileError) {
        (self.entry, self.replaces, self.spares) = (entry, replaces, spares)
        if replaces, try spares?(entry) == true { throw .isInput(path: entry.path) }
        let existing = try Self.creating(entry.path) { () throws(FileError) in
            try entry.look(followingLinks: true)
        }
        switch existing?.isRegular {
        case true? where !replaces: throw .exists(path: entry.path)
        case false?: throw .cannotCreate(path: entry.path, reason: "is not a regular file")
        default: break
        }
        let temporary = entry.sibling(Self.temporaryName)
        // Before it is there: an interrupt may come at any time.
        let slot = unsafe closer_add_temporary(entry.folder.number, temporary.name)
        var made: FileState?
        do { descriptor = try Self.create(temporary, for: entry, &made) } catch {
            closer_remove_temporary(slot)
            throw error
        }
        (self.temporary, self.slot, identity) = (temporary, slot, made?.identity)
        replaced = entry.identities(existing)
        written = LastWrite(made)
    }

    /// Whether there is a file of any sort, a link that leads nowhere included.
    package static func exists(_ path: String) throws(FileError) -> Bool {
        try FileStatus.look(path, followingLinks: false) != nil
    }

    /// Whether something is in an output's place. `.cannotCreate` if that cannot be looked at.
    package static func isOccupied(_ path: String) throws(FileError) -> Bool {
        try creating(path) { () throws(FileError) in try exists(path) }
    }

    /// Whether there certainly is nothing.
    package static func isMissing(_ path: String) -> Bool { (try? exists(path)) == false }

    /// Whether there certainly is a regular file, or a link to one.
    package static func isRegular(_ path: String) -> Bool {
        (try? FileStatus.look(path))?.isRegular == true
    }

    /// Whether the name is a symbolic link.
    package static func isLink(_ path: String) throws(FileError) -> Bool {
        try FileStatus.look(path, followingLinks: false)?.isLink ?? false
    }

    /// Whether a person would see it at once.
    package var isTerminal: Bool { descriptor.isTerminal }

    /// Whether what is written is there at once, because the output is not a regular file.
    package var isDirect: Bool { temporary == nil }

    /// Appends to what will become the file.
    package func write(_ bytes: Span<UInt8>) throws(FileError) {
        guard isDirect || isAsWritten else { throw writtenInto }
        try descriptor.write(bytes)
        written.state.withLock { $0 = descriptor.status?.state }
    }

    /// Whether nobody else wrote into it, as far as its size and time tell.
    private var isAsWritten: Bool {
        guard let state = descriptor.status?.state, state.byteCount == descriptor.position else {
            return false
        }
        return written.state.withLock { $0 == state }
    }

    /// Waits until what was written is on the disk: from here on little can fail.
    package func prepare() throws(FileError) {
        guard temporary != nil else { return }
        try descriptor.synchronize()
    }

    /// Makes what was written appear under the file's name. Without this call it never does.
    package consuming func commit() throws(FileError) { _ = try settle { $0.isAsWritten } }

    /// Writes all of the file, and makes it appear.
    package consuming func commit(whole bytes: Span<UInt8>) throws(FileError) {
        try write(bytes)
        _ = try settle { $0.descriptor.holds(bytes) }
    }

    /// The same of a file that others may change as soon as it is there.
    package consuming func commit(shared bytes: Span<UInt8>) throws(FileError) {
        try write(bytes)
        _ = try place { $0.descriptor.holds(bytes) }
    }

    /// Makes the file appear, and then `change`, which it belongs to. If the change fails, the file is removed again, unless its name
    /// has another one by then. Gives what has become of the file once the change was made: nil if it is there as it was written, and
    /// `.cannotOpen` if it cannot be looked at.
    package consuming func commit(
        whole bytes: Span<UInt8>, before change: () throws -> Void
    ) throws -> FileError? {
        try write(bytes)
        let identity = try settle { $0.descriptor.holds(bytes) }
        do { try change() } catch {
            remove(identity)
            throw error
        }
        guard let identity else { return nil }
        return loss(of: identity) ?? (descriptor.holds(bytes) ? nil : writtenInto)
    }

    /// Makes the file appear if it `isWhole`. Afterwards it must still be whole, and be where its path leads. Returns its identity, which
    /// tells it from any file that takes its place later.
    private func settle(_ isWhole: (borrowing SafeFile) -> Bool) throws(FileError) -> FileIdentity? {
        guard let identity = try place(isWhole) else { return nil }
        guard isWhole(self) else {
            remove(identity)
            throw writtenInto
        }
        if let error = loss(of: identity) {
            // One that took another's place stays: somebody who can only move the folder would have both removed.
            if !replaces { remove(identity) }
            return try Self.creating(entry.path) { () throws(FileError) in throw error }
        }
        return identity
    }

    /// Why the file is not certainly where its path leads; nil if it is.
    private func loss(of identity: FileIdentity) -> FileError? {
        do throws(FileError) {
            if try entry.isReached(identity) { return nil }
        } catch { return error }
        return entry.holds(identity) ? folderMoved : exchanged
    }

    private func place(_ isWhole: (borrowing SafeFile) -> Bool) throws(FileError) -> FileIdentity? {
        guard let temporary, let identity else { return nil }
        try descriptor.synchronize()
        guard isWhole(self) else { throw writtenInto }
        try publish(temporary)
        // Somebody who can write the folder may have replaced the temporary file by one of theirs.
        guard entry.holds(identity) else { throw exchanged }
        entry.folder.synchronize(with: descriptor)
        return identity
    }

    func remove(_ identity: FileIdentity?) {
        if identity != nil, entry.holds(identity) { entry.remove() }
    }

    private var exchanged: FileError {
        .cannotCreate(path: entry.path, reason: "Somebody else put another file there")
    }

    private var folderMoved: FileError {
        .cannotCreate(path: entry.path, reason: "Its folder was moved or exchanged")
    }

    /// The system says nothing of the new file.
    var unseen: FileError { .writeFailed(path: entry.path, reason: FileError.lastReason) }

    /// The bytes of somebody else are in it.
    var writtenInto: FileError {
        .writeFailed(path: entry.path, reason: "Somebody else wrote into the new file")
    }

    func publish(_ temporary: FolderEntry) throws(FileError) {
        guard replaces else { return try appearAsNew(temporary) }
        guard spares != nil else { return try rename(temporary) }
        try Unbroken.change { () throws(FileError) in try replace(through: temporary) }
    }

    /// Takes the place of nothing that appeared meanwhile, and leaves no other name to be removed, which somebody could exchange first.
    func appearAsNew(_ temporary: FolderEntry) throws(FileError) {
        guard unsafe closer_rename_to_new(entry.folder.number, temporary.name, entry.name) != 0 else {
            return
        }
        let (error, reason) = (errno, FileError.lastReason)
        guard error != EEXIST else { throw .exists(path: entry.path) }
        guard error == EPERM || Self.isWithoutExchange(error) else {
            throw .cannotCreate(path: entry.path, reason: reason)
        }
        try link(temporary)
    }

    /// Where a rename cannot refuse to replace a file.
    private func link(_ temporary: FolderEntry) throws(FileError) {
        let folder = entry.folder.number
        if unsafe linkat(folder, temporary.name, folder, entry.name, 0) == 0 { return try drop(temporary) }
        let (error, reason) = (errno, FileError.lastReason)
        guard error != EEXIST else { throw .exists(path: entry.path) }
        guard [EPERM, ENOTSUP, ENOSYS].contains(error) else {
            throw .cannotCreate(path: entry.path, reason: reason)
        }
        // There are no hard links, either. A file that appears between this look and the rename is replaced.
        guard try entry.look() == nil else { throw .exists(path: entry.path) }
        try rename(temporary)
    }

    /// The file has its own name: the temporary one goes, unless somebody else's file has it by now.
    private func drop(_ temporary: FolderEntry) throws(FileError) {
        let reason: String
        do throws(FileError) {
            if try temporary.look()?.identity == identity { temporary.remove() }
            guard try temporary.look()?.identity == identity else { return }
            reason = "\(temporary.path) has it, too, and cannot be removed"
        } catch {
            reason = "\(temporary.path) may have it, too: \(error.reason)"
        }
        remove(identity)
        throw .cannotCreate(path: entry.path, reason: reason)
    }

    func rename(_ temporary: FolderEntry) throws(FileError) {
        let folder = entry.folder.number
        guard unsafe renameat(folder, temporary.name, folder, entry.name) == 0 else {
            throw .cannotCreate(path: entry.path, reason: FileError.lastReason)
        }
    }

    /// Also gives what the file is.
    private static func create(
        _ temporary: FolderEntry, for entry: FolderEntry, _ made: inout FileState?
    ) throws(FileError) -> Descriptor {
        let number = temporary.open(O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard number >= 0 else { throw .cannotCreate(path: entry.path, reason: FileError.lastReason) }
        let file = Descriptor(number: number, name: entry.path, closes: true)
        guard let status = file.status else {
            let reason = FileError.lastReason
            temporary.remove()
            throw .cannotCreate(path: entry.path, reason: reason)
        }
        made = status.state
        return file
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
        if temporary.holds(identity) { temporary.remove() }
        closer_remove_temporary(slot)
    }
}

private final class LastWrite: Sendable {
    let state: Mutex<FileState?>

    init(_ state: FileState?) { self.state = Mutex(state) }
}
