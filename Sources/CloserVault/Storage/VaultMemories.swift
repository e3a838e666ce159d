internal import CloserFiles
internal import CloserWire

/// The folder in which a machine remembers vaults: a small file for each, mode 0600, named by the vault's id.
///
/// Each file is changed in place under an advisory lock, so that of several processes the one that saw the newest vault is
/// believed. Nothing waits for the disk: after a power failure the machine may remember less.
public struct VaultMemories: Sendable {
    private static let suffix = ".json"
    /// Four times as many paths as it has places, of 4 KiB each, in which each byte is an escape of six.
    private static let maximumByteCount = 4 * VaultMemory.maximumPlaceCount * 4096 * 6

    private let folder: String

    /// The folder need not be there; ``remember(_:insteadOf:)`` makes it, for its owner alone.
    public init(in folder: String) { self.folder = folder }

    /// What is remembered of a vault; nil if nothing is.
    ///
    /// It waits for another process that uses the same file, up to five seconds.
    ///
    /// - Throws: ``VaultError/cannotRecall(path:reason:)`` if something is, and cannot be read: it is not for us to take it for nothing.
    public func memory(of id: VaultID) throws(VaultError) -> VaultMemory? {
        let bytes: [UInt8]?
        do { bytes = try SharedFile.read(path(of: id), maximumByteCount: Self.maximumByteCount) } catch {
            throw VaultError(recalling: error)
        }
        guard let bytes else { return nil }
        guard let memory = VaultMemory(of: id, parsing: bytes) else {
            throw unreadable(id)
        }
        return memory
    }

    /// Which vaults are remembered, in the order of the ids.
    ///
    /// - Throws: ``VaultError/cannotRecall(path:reason:)`` if the folder is there and cannot be listed.
    public func ids() throws(VaultError) -> [VaultID] {
        let names: [String]
        do { names = try Folder.names(in: folder) } catch { throw VaultError(recalling: error) }
        return names.compactMap { name in
            guard name.hasSuffix(Self.suffix) else { return nil }
            return (try? Hex.decode(String(name.dropLast(Self.suffix.count)))).flatMap { VaultID($0) }
        }
    }

    /// All that is remembered, in the order of the ids.
    ///
    /// - Throws: ``VaultError/cannotRecall(path:reason:)``, as ``memory(of:)`` and ``ids()``.
    public func all() throws(VaultError) -> [VaultMemory] {
        var memories: [VaultMemory] = []
        for id in try ids() { if let memory = try memory(of: id) { memories.append(memory) } }
        return memories
    }

    /// Those that can be read: a spoilt one hides no other. No vault may be opened by these alone; see ``all()``.
    public var readable: [VaultMemory] { ((try? ids()) ?? []).compactMap { (try? memory(of: $0)) ?? nil } }

    /// Remembers a vault from now on. What was known is kept: its places, and the newest state that anybody saw, unless that is
    /// `givenUp`: a state that a person has said is not the vault's. Nothing as old as that is taken for newer later.
    ///
    /// It waits for another process that uses the same file, up to five seconds.
    ///
    /// - Throws: ``VaultError``: `.cannotWrite`, and `.cannotRecall` if there is something else: it is not written over.
    public func remember(_ memory: VaultMemory, insteadOf givenUp: VaultVersion? = nil) throws(VaultError) {
        // A folder that cannot be written need not be, as long as there is nothing new.
        if givenUp == nil, let known = try? self.memory(of: memory.id),
            memory.merging(known).bytes == known.bytes
        {
            return
        }
        try update(memory.id) { known in
            guard let known else { return memory }
            var merged = memory.merging(known)
            // What else was given up since stays given up.
            if let givenUp, let other = known.version, other.digest == givenUp.digest {
                merged.version = memory.version?.giving(upAllOver: other)
            }
            return merged
        }
    }

    /// Remembers that somebody read a state, of a vault that is remembered. One that is older than what is known, or diverged from it,
    /// changes nothing.
    ///
    /// It waits for another process that uses the same file, up to five seconds.
    ///
    /// - Throws: ``VaultError``: `.cannotWrite`, `.cannotRecall`.
    public func see(_ version: VaultVersion) throws(VaultError) {
        try update(version.vaultID) { known in
            guard var memory = known else { return nil }
            memory.version = version.newer(of: memory.version)
            return memory
        }
    }

    /// Remembers that somebody wrote a state over `base`, and nothing else: a key file may have another place by now. If it is the
    /// same state, remembers what was given up with it.
    ///
    /// It waits for another process that uses the same file, up to five seconds.
    ///
    /// - Throws: ``VaultError``: `.cannotWrite`, `.cannotRecall`, and `.diverged` if meanwhile somebody saw a state that neither can
    ///   follow, or gave this one up: then there were two files, and what is in the one is not in the other. This one is given up.
    public func see(_ version: VaultVersion, over base: VaultVersion) throws(VaultError) {
        try see(version, over: base, .unchanged)
    }

    /// The same of a state that may have another lock: the key file is remembered with it.
    package func see(
        _ version: VaultVersion, over base: VaultVersion, _ keyFile: VaultMemory.KeyFile
    ) throws(VaultError) {
        var diverged: String?
        try update(version.vaultID) { known in
            var seen = known ?? VaultMemory(of: version.vaultID, at: [], keyFile: nil)
            // What was given up since the base was read is another state with another digest. Whoever has read the base since then
            // counts on from there, and may be on the way.
            if let other = seen.version, other.digest == base.digest {
                let isLate = version.digest != base.digest && other.floor > base.floor
                seen.version = isLate ? version.giving(upAllOver: other) : version.giving(up: other)
                // A change that was given up has no lock.
                if version.digest != base.digest { seen.takes(keyFile) }
                return seen
            }
            if let other = seen.version, other.digest != version.digest,
                !base.mayFollow(other) || !version.mayFollow(other)
            {
                diverged = seen.places.first ?? "\(version.vaultID)"
                // What is in the other file counts, and this one is not taken for newer later.
                seen.version = other.giving(up: version)
                return seen
            }
            seen.version = version.newer(of: seen.version)
            if seen.version?.digest == version.digest, version.digest != base.digest { seen.takes(keyFile) }
            return seen
        }
        if let diverged { throw .diverged(path: diverged) }
    }

    /// Remembers that a state is not the vault's, nor any as old as that, whoever puts it in its place.
    ///
    /// It waits for another process that uses the same file, up to five seconds.
    ///
    /// - Throws: ``VaultError``: `.cannotWrite`, `.cannotRecall`.
    public func giveUp(_ version: VaultVersion) throws(VaultError) {
        try update(version.vaultID) { known in
            guard var memory = known else { return nil }
            memory.version = memory.version.map { $0.giving(up: version) }
            return memory
        }
    }

    /// From now on another vault than this one is known at a place.
    ///
    /// It waits for another process that uses the same file, up to five seconds.
    ///
    /// - Throws: ``VaultError``: `.cannotWrite`, `.cannotRecall`.
    public func forget(_ place: String, of id: VaultID) throws(VaultError) {
        try update(id) { known in
            var known = known
            known?.remove(place)
            return known
        }
    }

    /// Remembers nothing more of a vault, once nobody uses it. Where nobody can take a turn, there is none to wait for.
    ///
    /// It waits for other processes that use the vault, up to half a minute.
    ///
    /// - Throws: ``VaultError/busy``.
    public func forget(_ id: VaultID) throws(VaultError) {
        let turn: VaultTurn?
        do { turn = try self.turn(at: id) } catch {
            guard case .cannotWrite = error else { throw error }
            turn = nil
        }
        Folder.removeFile(path(of: id))
        Folder.removeFile(turnPath(of: id))
        withExtendedLifetime(turn) {}
    }

    private func update(
        _ id: VaultID, _ body: (VaultMemory?) -> VaultMemory?
    ) throws(VaultError) {
        var isReadable = true
        do throws(FileError) {
            try makeFolder()
            try SharedFile.update(path(of: id), maximumByteCount: Self.maximumByteCount) { old in
                let known = old.flatMap { VaultMemory(of: id, parsing: $0) }
                isReadable = known != nil || old == nil
                return isReadable ? body(known)?.bytes : nil
            }
        } catch { throw VaultError(error) }
        guard isReadable else { throw unreadable(id) }
    }

    private func unreadable(_ id: VaultID) -> VaultError {
        .cannotRecall(path: path(of: id), reason: "Is not what this machine wrote")
    }

    func makeFolder() throws(FileError) { try Folder.make(folder) }

    /// Where a vault is remembered.
    package func path(of id: VaultID) -> String { "\(folder)/\(id)\(Self.suffix)" }

    /// The empty file on which the processes of this machine take turns at a vault.
    package func turnPath(of id: VaultID) -> String { "\(folder)/\(id).turn" }
}
