internal import CloserFiles
internal import CloserSystem
internal import CloserVault

// Where this machine remembers its vaults: `$XDG_STATE_HOME/closer-keys`, by default in `~/.local/state`.

extension VaultMemories {
    /// Nil without a home folder.
    static var ours: VaultMemories? {
        Surroundings.folder("XDG_STATE_HOME", orInHome: ".local/state").map {
            VaultMemories(in: "\($0)/closer-keys")
        }
    }
}

/// A vault that is not open yet, and what this machine knows of it and of its place.
struct KnownVault {
    let locked: LockedVault
    /// What is remembered of this very vault, wherever it was.
    let memory: VaultMemory?
    /// Other vaults that were seen at its path.
    let others: [VaultMemory]
    /// Whether a person says that this is the vault, whatever is remembered.
    let acceptsOlder: Bool

    init(_ locked: LockedVault, acceptsOlder: Bool) {
        (self.locked, self.acceptsOlder) = (locked, acceptsOlder)
        memory = VaultMemories.ours?.memory(of: locked.id)
        others = Self.others(at: locked.path, than: locked.id)
    }

    /// Refuses a vault that lies where another one is known.
    func checkPlace() throws {
        guard others.isEmpty || acceptsOlder else { throw Failure(replaced: self) }
    }

    /// The words for `others`.
    var replacement: String { "\(locked.path) is another vault than the one that this machine knows there" }

    /// Opens it, unless this machine saw a newer one, and remembers it as it is and as it becomes.
    func open(with unlocking: borrowing Unlocking, keyFile: String?) throws -> Vault {
        let (ours, path) = (VaultMemories.ours, Self.absolutePath(of: locked.path))
        let (id, key) = (locked.id, keyFile.flatMap { Folder.absolutePath(of: $0) })
        let vault = try locked.unlock(with: unlocking, noOlderThan: acceptsOlder ? nil : memory?.version) {
            // Whoever cannot remember was warned when the vault was opened.
            try? ours?.remember(VaultMemory(of: id, at: path, keyFile: key, seen: $0))
        }
        Self.remember(vault, keyFile: keyFile, over: memory, forgettingNewer: acceptsOlder)
        return vault
    }
}

// MARK: - Remembering

extension KnownVault {
    /// Remembers a vault that was just made, or has a new lock.
    static func remember(_ vault: Vault, keyFile: String?) {
        remember(vault, keyFile: keyFile, over: nil, forgettingNewer: false)
    }

    /// Remembers where a vault and its key file are, and in which state it is. If the machine cannot, one warning says what
    /// that means, and the run goes on.
    private static func remember(
        _ vault: Vault, keyFile: String?, over known: VaultMemory?, forgettingNewer: Bool
    ) {
        do {
            guard let ours = VaultMemories.ours else { throw Failure(.usage, "there is no home folder") }
            let memory = try memory(of: vault, keyFile, over: known)
            if memory != known { try ours.remember(memory, forgettingNewer: forgettingNewer) }
            for var other in others(at: vault.path, than: vault.id) {
                other.vaultPath = nil
                try ours.remember(other)
            }
        } catch { warn(error, isKeyFile: keyFile != nil) }
    }

    /// Paths that mean the same in every working folder. A copy of a vault that is still at its place does not move it.
    private static func memory(
        of vault: Vault, _ keyFile: String?, over known: VaultMemory?
    ) throws -> VaultMemory {
        let here = try absolute(vault.path, absolutePath(of: vault.path))
        let isStillThere = known?.vaultPath.map { SafeFile.exists($0) } ?? false
        return VaultMemory(
            of: vault.id, at: isStillThere ? known?.vaultPath : here,
            keyFile: try keyFile.map { try absolute($0, Folder.absolutePath(of: $0)) }, seen: vault.version)
    }

    private static func absolute(_ path: String, _ absolutePath: String?) throws -> String {
        guard let absolutePath else { throw Failure(.ioError, "\(path) has no absolute path") }
        return absolutePath
    }

    private static func others(at path: String, than id: VaultID) -> [VaultMemory] {
        guard let path = absolutePath(of: path) else { return [] }
        return VaultMemories.ours?.memories(at: path).filter { $0.id != id } ?? []
    }

    private static func absolutePath(of path: String) -> String? { Folder.absolutePath(ofName: path) }

    private static func warn(_ error: any Error, isKeyFile: Bool) {
        let reason =
            switch error {
            case VaultError.cannotWrite(let path, let reason): "\(path): \(reason.lowercased())"
            default: Failure(error).message
            }
        let key = isKeyFile ? "name its key file each time, and " : ""
        Messages.warn(
            "this machine cannot remember the vault (\(reason)): \(key)know that nobody notices if an older one is put back"
        )
    }
}

extension Surroundings {
    /// A folder of the XDG base directory specification, by which a relative path is invalid and ignored; nil without a
    /// home folder.
    static func folder(_ variable: String, orInHome place: String) -> String? {
        if let folder = Self.variable(variable), folder.hasPrefix("/") { return folder }
        return Self.variable("HOME").map { "\($0)/\(place)" }
    }
}
