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

    /// Remembers where a vault and its key file are, unless that is known already. If the machine cannot, one warning says
    /// that the key file must be named each time, and the run goes on.
    static func remember(_ vault: Vault, keyFile: String?, replacing known: VaultMemory? = nil) {
        do { try remember(memory(of: vault, keyFile), unless: known) } catch {
            guard keyFile != nil else { return }
            warn(Failure(error).message)
        }
    }

    /// Paths that mean the same file in every working folder; a file that has none is not remembered.
    private static func memory(of vault: Vault, _ keyFile: String?) throws -> VaultMemory {
        VaultMemory(
            of: vault.id, at: try resolved(vault.path), keyFile: try keyFile.map { try resolved($0) })
    }

    private static func resolved(_ path: String) throws -> String {
        guard let resolved = Folder.absolutePath(of: path) else {
            throw Failure(.ioError, "\(path) has no absolute path")
        }
        return resolved
    }

    /// One path has one vault: others that were seen there are forgotten.
    private static func remember(_ memory: VaultMemory, unless known: VaultMemory?) throws {
        guard let ours else { throw Failure(.usage, "there is no home folder") }
        if memory != known {
            do { try ours.remember(memory) } catch VaultError.cannotWrite(let path, let reason) {
                throw Failure(.ioError, "\(path): \(reason.lowercased())")
            }
        }
        for other in ours.memories(at: memory.vaultPath) where other.id != memory.id { ours.forget(other.id) }
    }

    private static func warn(_ reason: String) {
        Messages.warn(
            "this machine cannot remember where the vault's key file is (\(reason)): name it with --key-file each time"
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
