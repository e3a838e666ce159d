internal import CloserFiles
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

// What protects a vault's key when the vault is new, or gets another protection.

/// What is about to protect a vault's key: a key file, or the passphrase that was typed.
struct NewProtection: ~Copyable {
    /// The path as it was named; nil for a passphrase.
    fileprivate let keyFile: String?
    /// The passphrase, or what is in the key file.
    fileprivate let secret: SecretBytes
    /// A key file that is to be made.
    fileprivate var file: Output?

    /// Lends it to `change`, which fills the vault's key slot, with the key file's absolute path.
    ///
    /// A missing key file is made first: a vault is lost with its key. If the change fails, the file stays: another vault may be
    /// protected by it already.
    consuming func use<Result>(
        _ change: (borrowing Credential, _ keyFile: String?) throws -> Result
    ) throws -> Result {
        guard let keyFile else { return try change(.passphrase(secret), nil) }
        let isNew = try make()
        if !isNew {
            Diagnostics.warn("\(keyFile) was there before: each copy of it opens the vault")
        }
        do { return try change(.key(secret), try? Paths.absolute(keyFile)) } catch {
            if isNew { Diagnostics.note("the new key file \(keyFile) stays; another try takes it") }
            throw error
        }
    }

    /// Whether it is this key: a key file that was there before may have another one.
    borrowing func isKey(_ key: borrowing SecretBytes) -> Bool { secret.isEqual(to: key) }

    /// Makes the key file; false if it was there before.
    private mutating func make() throws -> Bool {
        guard let file = file.take() else { return false }
        do { try file.deliver(secret, named: "keyFile") } catch FileError.exists(let path) {
            throw CLIError(
                .inputRequired, "another process has just made the key file \(path)",
                hint: "run the same command again to use it, if you trust it")
        }
        return true
    }
}

extension VaultOptions {
    /// Claims the path for a new vault. Makes the folder if it is the default one.
    func newPath(_ inputs: inout Inputs) throws -> String {
        let path = try path
        _ = try KnownVaults.ours
        let folder = Paths.folder(of: path)
        if try named == nil { try Paths.makeFolder(folder) }
        guard !Paths.isMissing(folder) else {
            throw CLIError(.cantCreate, "cannot create \(path): the folder \(folder) is missing")
        }
        try inputs.naming { try Vault.checkAbsent(at: path) }
        let storage = VaultFileStorage(path)
        inputs.claim(storage)
        inputs.warnIfOthersCanWrite(Paths.folder(of: storage.path))
        return path
    }

    func newProtection(_ inputs: inout Inputs) throws -> NewProtection {
        try inputs.newProtection(keyFile, passphrase.source, or: "--key-file", for: try path)
    }

    /// Remembers a vault that was made just now.
    func remember(_ vault: Vault, keyFile: String?) throws {
        VaultDeed.made.note()
        if KnownVaults.isKnown(at: vault.name) {
            Diagnostics.alarm("\(vault.name) takes the place of another vault that this machine knew there")
        }
        try VaultMemo(VaultFileStorage(vault.name).path, keyFile).remember(vault)
    }
}

extension Inputs {
    /// A key file, which is claimed and is made if it is missing, or else a passphrase.
    mutating func newProtection(
        _ keyFile: String?, _ passphrase: SecretSource, or alternative: String, for vault: String
    ) throws -> NewProtection {
        guard let keyFile else {
            var passphrase = passphrase
            passphrase.alternative = alternative
            let typed = try newPassphrase(passphrase, "passphrase for \(vault)", for: .vault)
            return NewProtection(keyFile: nil, secret: typed, file: nil)
        }
        guard passphrase.asks else {
            throw CLIError(.usage, "protect the vault with either a key file or a passphrase")
        }
        return try newKeyFile(keyFile, with: .random(count: Credential.keyFileByteCount))
    }

    /// A key file, which is claimed, and is made with `key` if it is missing.
    mutating func newKeyFile(_ keyFile: String, with key: consuming SecretBytes) throws -> NewProtection {
        try Self.checkNamed(keyFile)
        guard Paths.isMissing(keyFile) else {
            let secret = try self.keyFile((try? Paths.absolute(keyFile)) ?? keyFile)
            return NewProtection(keyFile: keyFile, secret: secret, file: nil)
        }
        let file = try Output(file: keyFile, .secret, inputs: self)
        claim(file, at: keyFile)
        return NewProtection(keyFile: keyFile, secret: key, file: file)
    }

    /// Reads a vault's key file by its absolute path. It must be a regular file: this machine remembers its path, and reads it again the
    /// next time.
    mutating func keyFile(_ path: String) throws -> SecretBytes {
        guard let descriptor = try openRegular(path) else {
            throw CLIError(.malformed, "a vault's key file is a regular file")
        }
        let content: SecretBytes
        do {
            content = try secret(from: descriptor, maximumByteCount: Credential.keyFileByteCount)
        } catch FileError.tooLarge {
            throw VaultError.keyMalformed
        }
        warnIfOpenToOthers(path)
        warnIfOthersCanChange(path)
        return content
    }

    static func checkNamed(_ path: String) throws {
        guard path != "-" else { throw CLIError(.usage, "name a file for the vault's key in place of -") }
    }
}
