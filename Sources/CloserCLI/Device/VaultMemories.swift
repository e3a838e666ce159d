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
        let memory = VaultMemory(
            of: vault.id, at: Folder.absolutePath(of: vault.path) ?? vault.path,
            keyFile: keyFile.map { Folder.absolutePath(of: $0) ?? $0 })
        guard memory != known else { return }
        do {
            guard let ours else { return warn(memory, "there is no home folder") }
            try ours.remember(memory)
        } catch {
            guard case .cannotWrite(let path, let reason) = error else { return warn(memory, "\(error)") }
            warn(memory, "\(path): \(reason.lowercased())")
        }
    }

    private static func warn(_ memory: VaultMemory, _ reason: String) {
        guard memory.keyFilePath != nil else { return }
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
