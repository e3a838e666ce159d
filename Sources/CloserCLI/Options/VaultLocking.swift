internal import CloserFiles
internal import CloserPrimitives
internal import CloserVault

// What a new vault, or one that gets a new lock, is locked with.

extension VaultOptions {
    /// The path of a vault that is to be made. The folder of the default one is made, too.
    /// No output takes its place.
    func newPath(_ inputs: inout Inputs) throws -> String {
        let path = try path
        if vault == nil, let slash = path.lastIndex(of: "/") {
            try Folder.make(String(path[..<slash]))
        }
        try Vault.checkAbsent(at: path)
        inputs.claim(Vault.files(at: path))
        return path
    }

    /// The lock of a vault that is to be made.
    func locking(_ inputs: inout Inputs) throws -> Unlocking {
        try inputs.locking(keyFile, passphrase.source, for: try path)
    }

    /// Remembers where the new vault and its key file are.
    func remember(_ vault: Vault) { VaultMemories.remember(vault, keyFile: keyFile) }
}

extension Inputs {
    /// A key file, made if it is missing; or a passphrase.
    mutating func locking(
        _ keyFile: String?, _ passphrase: SecretSource, for vault: String
    ) throws -> Unlocking {
        guard let keyFile else {
            return .passphrase(try newPassphrase(passphrase, "passphrase for \(vault)"))
        }
        guard passphrase.asks else {
            throw Failure(.usage, "lock with a key file or with a passphrase, not both")
        }
        guard keyFile != "-" else { throw Failure(.usage, "a vault's key file is a file, and not -") }
        // A vault replaces its own file with each change.
        let taken = Vault.files(at: vault).compactMap { FileIdentity(path: $0) }
        guard FileIdentity(path: keyFile).map({ !taken.contains($0) }) ?? true else {
            throw FileError.isInput(path: keyFile)
        }
        if !SafeFile.exists(keyFile) { try makeKeyFile(keyFile) }
        return .key(try self.keyFile(keyFile))
    }

    /// 32 random bytes, mode 0600.
    private func makeKeyFile(_ path: String) throws {
        let file = try SafeFile(path, replacing: false)
        try SecretBytes.random(count: 32).withBytes { try file.write($0) }
        try file.commit()
    }
}
