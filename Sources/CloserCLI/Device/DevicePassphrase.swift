internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Passphrase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "passphrase",
            abstract: "Lock the vault with another passphrase, or with a key file.",
            discussion: "Older copies of the vault still open with the old one.")

        @OptionGroup var vault: VaultOptions
        @Option(
            help: ArgumentHelp("The new passphrase, from a file.", valueName: "file"), completion: .file())
        var newPassphraseFile: String?
        @Option(help: ArgumentHelp("The same from an open file descriptor.", valueName: "number"))
        var newPassphraseFD: Int32?
        @Option(
            help: ArgumentHelp(
                "Lock with this key file instead; it is made if it is missing.", valueName: "file"),
            completion: .file())
        var newKeyFile: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let source = SecretSource(
                option: "new-passphrase", file: newPassphraseFile, descriptor: newPassphraseFD,
                mayAsk: !vault.passphrase.noInput)
            var inputs = try Inputs([.secret(source), vault.inputName])
            let opened = try vault.openToLock(&inputs)
            let lock = try inputs.newLock(newKeyFile, source, for: opened.vault.path)
            let result = try Sink(output, .line, inputs: inputs)
            try lock.use(&inputs) { lock, isThere in
                try Unbroken.lasting {
                    opened.willRemember(keyFile: newKeyFile)
                    let former = try opened.vault.lock(with: lock)
                    guard isThere() else {
                        opened.willRemember(keyFile: opened.keyFile)
                        try opened.vault.restore(former)
                        throw Failure(keyFileTaken: "the vault is locked as it was before")
                    }
                    opened.remember(keyFile: newKeyFile)
                }
            }
            UnlockedVault.drop(of: opened.vault.id)
            let isKeyFile = newKeyFile != nil
            try result.report(
                "the vault is locked with a new \(isKeyFile ? "key file" : "passphrase")",
                json: ["protection": isKeyFile ? "keyFile" : "passphrase"])
        }
    }
}

// How a vault is locked when it is new, or gets a new lock.

extension VaultOptions {
    /// The path for a new vault, which no output may take. Makes the folder if it is the default one.
    func newPath(_ inputs: inout Inputs) throws -> String {
        let path = try path
        let folder = SafeFile.folder(of: path)
        if named == nil { try Folder.make(folder) }
        guard SafeFile.exists(folder) else {
            throw Failure(.cantCreate, "cannot create \(path): there is no folder \(folder)")
        }
        try inputs.naming { try Vault.checkAbsent(at: path) }
        inputs.claim(Vault.files(at: path))
        return path
    }

    /// The lock for a new vault.
    func newLock(_ inputs: inout Inputs) throws -> NewLock {
        try inputs.newLock(keyFile, passphrase.source, for: try path)
    }

    /// Remembers where the new vault and its key file are.
    func remember(_ vault: Vault) { KnownVault.remember(new: vault, keyFile: keyFile) }
}

extension Inputs {
    /// A key file, which is made if it is missing, or else a passphrase.
    mutating func newLock(
        _ keyFile: String?, _ passphrase: SecretSource, for vault: String
    ) throws -> NewLock {
        guard let keyFile else {
            return NewLock(
                keyFile: nil, passphrase: try newPassphrase(passphrase, "passphrase for \(vault)"))
        }
        guard passphrase.asks else {
            throw Failure(.usage, "lock with a key file or with a passphrase, not both")
        }
        try Self.checkNamed(keyFile)
        // Each change replaces the vault's own files, and would replace a key file there.
        let taken = Vault.files(at: vault).compactMap { FileIdentity(path: $0) }
        guard FileIdentity(path: keyFile).map({ !taken.contains($0) }) ?? true else {
            throw FileError.isInput(path: keyFile)
        }
        claim([keyFile])
        return NewLock(keyFile: keyFile, passphrase: nil)
    }
}

/// What a vault is about to be locked with: a key file, or the passphrase that was typed.
struct NewLock: ~Copyable {
    fileprivate let keyFile: String?
    fileprivate var passphrase: SecretBytes?

    /// Lends the lock to `change`, with which the vault takes it.
    ///
    /// A missing key file is made first: a vault without its key would be lost. If the change fails, the file stays: somebody else may
    /// have locked a vault with it meanwhile.
    /// The change is told how to find out whether the key file is still there once it is made: somebody who can write its folder may
    /// have taken it away.
    consuming func use<Result>(
        _ inputs: inout Inputs, _ change: (borrowing Unlocking, _ isThere: () -> Bool) throws -> Result
    ) throws -> Result {
        if let passphrase = passphrase.take() { return try change(.passphrase(passphrase)) { true } }
        guard let keyFile else { preconditionFailure("a lock without a key file and without a passphrase") }
        let isNew = !SafeFile.exists(keyFile)
        guard isNew else { return try change(.key(try inputs.keyFile(keyFile))) { true } }
        let key = SecretBytes.random(count: 32)
        try Sink(file: keyFile, .secret).deliver(key, named: "keyFile")
        inputs.claim([keyFile])
        // With the bytes that were made: the file of that name may be somebody else's by now.
        do { return try change(.key(key.copy())) { Self.holds(key, keyFile) } } catch {
            if Self.holds(key, keyFile) {
                Messages.note("the new key file \(keyFile) stays; another try takes it")
            }
            throw error
        }
    }

    private static func holds(_ key: borrowing SecretBytes, _ path: String) -> Bool {
        var inputs = Inputs()
        guard let content = try? inputs.secret(path, maximumByteCount: 32) else { return false }
        return content.isEqual(to: key)
    }
}

extension SecretBytes {
    fileprivate borrowing func copy() -> SecretBytes { withBytes { SecretBytes(copying: $0) } }
}

extension Failure {
    /// Somebody who can write its folder.
    init(keyFileTaken consequence: String) {
        self.init(
            .cantCreate, "somebody has taken the new key file away: \(consequence)",
            hint: "keep key files in a folder that nobody else can write")
    }
}

extension Inputs {
    /// Reads a vault's key file. It must be a regular file: this machine remembers its path, and reads it again the next time.
    mutating func keyFile(_ path: String) throws -> SecretBytes {
        try Self.checkNamed(path)
        // Opened once: what is looked at is what is read.
        guard let descriptor = try openRegular(path) else { throw Self.noRegularKeyFile }
        let content: SecretBytes
        do { content = try secret(from: descriptor, maximumByteCount: 32) } catch FileError.tooLarge {
            throw VaultError.keyFileMalformed
        }
        warnIfOpenToOthers(path)
        return content
    }

    private static func checkNamed(_ path: String) throws {
        guard path != "-" else { throw Failure(.usage, "a vault's key file is a file, and not -") }
    }

    private static let noRegularKeyFile = Failure(.malformed, "a vault's key file is a regular file")
}
