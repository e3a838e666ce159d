internal import CCloserFiles

/// A file that appears whole, or stays as it was: written beside, mode 0600, synced, renamed, and the folder synced.
///
/// A symbolic link to a file is followed, and the file at its end is replaced. A pipe, a terminal or a character device is no
/// file: what is written there is there at once.
package struct AtomicFile: ~Copyable, Sendable {
    /// Where the file appears.
    private let path: String
    /// Nil for what is written directly.
    private let temporary: String?
    private let replaces: Bool
    private let descriptor: Descriptor
    /// Where signals find the temporary file.
    private let slot: CInt
    /// The file itself; nil for what is written directly.
    private let identity: FileIdentity?

    /// Opens the output.
    ///
    /// - Throws: ``FileError``: `.exists` for an existing file unless `replaces`, `.isInput` for one of `inputs` by any name, and
    ///   `.cannotCreate`, also for a folder, a block device, and a stream unless that is allowed.
    package init(
        _ path: String, replacing replaces: Bool, notReplacing inputs: [FileIdentity] = [],
        allowingStreams: Bool = true
    ) throws(FileError) {
        let existing: FileStatus?
        do { existing = try FileStatus.look(path) } catch {
            throw .cannotCreate(path: path, reason: error.reason)
        }
        if existing?.isRegular ?? true, FileIdentity.all(of: path).contains(where: inputs.contains) {
            throw .isInput(path: path)
        }
        switch existing?.isRegular {
        case true? where !replaces: throw .exists(path: path)
        case true?: try self.init(beside: try Paths.withoutLink(path), replacing: true)
        // Looks once more: another writer may have made the file since.
        case nil where (try? Paths.exists(path)) == true && (try? FileStatus.look(path))?.isRegular == nil:
            throw .cannotCreate(path: path, reason: "is a link to nothing")
        case nil: try self.init(beside: path, replacing: replaces)
        case false? where allowingStreams: try self.init(directly: path)
        case false?: throw .cannotCreate(path: path, reason: "is not a regular file")
        }
    }

    private init(beside path: String, replacing replaces: Bool) throws(FileError) {
        let temporary = Self.temporaryPath(for: path)
        // Before the file is there: an interrupt may come at any time.
        let slot = unsafe closer_add_temporary(temporary)
        let number = Descriptor.create(temporary, O_EXCL)
        guard number >= 0 else {
            let reason = FileError.lastReason
            closer_remove_temporary(slot)
            throw .cannotCreate(path: path, reason: reason)
        }
        descriptor = Descriptor(number: number, name: path, closes: true)
        (self.path, self.temporary, self.replaces, self.slot) = (path, temporary, replaces, slot)
        identity = descriptor.identity
    }

    // Nothing is made or emptied. A FIFO waits for its reader, as a shell does.
    private init(directly path: String) throws(FileError) {
        let number = Descriptor.open(path, O_WRONLY)
        guard number >= 0 else { throw .cannotCreate(path: path, reason: FileError.lastReason) }
        let output = Descriptor(number: number, name: path, closes: true)
        guard output.status?.isStream == true else {
            throw .cannotCreate(path: path, reason: "is neither a file nor a pipe")
        }
        descriptor = output
        (self.path, temporary, replaces, slot, identity) = (path, nil, true, -1, nil)
    }

    /// Beside the file, so that the rename stays on one file system; hidden, short, and new.
    private static func temporaryPath(for path: String) -> String {
        "\(Paths.folder(of: path))/\(prefix)\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    }

    private static let prefix = ".closer-keys."

    /// How many temporary files are in a folder: of runs that were killed, or go on.
    package static func temporaryCount(in folder: String) -> Int {
        (try? Paths.names(in: folder))?.count { $0.hasPrefix(prefix) && $0.hasSuffix(".tmp") } ?? 0
    }

    /// Whether this process has renamed a file into a folder that an input/output error then kept from the disk.
    package static var mayBeLost: Bool { closer_has_failed_flush() }

    package var folder: String { Paths.folder(of: path) }
    /// Whether a person sees the output at once.
    package var isTerminal: Bool { descriptor.isTerminal }

    /// Whether what is written is there at once.
    package var isDirect: Bool { temporary == nil }

    /// Appends to what will become the file.
    package func write(_ bytes: Span<UInt8>) throws(FileError) { try descriptor.write(bytes) }

    /// Waits until the bytes are on the disk: little can fail after that.
    package func prepare() throws(FileError) {
        if temporary != nil { try descriptor.synchronize() }
    }

    /// Makes the file appear under its name, durably. Only this call makes it appear, and the rename is its last step that can throw.
    package consuming func commit() throws(FileError) { try publish() }

    /// Makes the file appear and then makes `change`, which the file belongs to. If the change fails, the file is removed again.
    package consuming func commit(before change: () throws -> Void) throws {
        try publish()
        do { try change() } catch {
            if let identity, try FileStatus.look(path)?.identity == identity { Paths.removeFile(path) }
            throw error
        }
    }

    private func publish() throws(FileError) {
        guard let temporary else { return }
        try descriptor.synchronize()
        try replaces ? replace(temporary) : appear(temporary)
        unsafe closer_synchronize_folder(Paths.folder(of: path), descriptor.number)
    }

    private func replace(_ temporary: String) throws(FileError) {
        guard unsafe rename(temporary, path) == 0 else {
            throw .cannotCreate(path: path, reason: FileError.lastReason)
        }
    }

    private func appear(_ temporary: String) throws(FileError) {
        guard unsafe closer_rename_to_new(temporary, path) != 0 else { return }
        guard errno != EEXIST else { throw .exists(path: path) }
        throw .cannotCreate(path: path, reason: FileError.lastReason)
    }

    deinit {
        guard let temporary else { return }
        Paths.removeFile(temporary)
        closer_remove_temporary(slot)
    }
}
