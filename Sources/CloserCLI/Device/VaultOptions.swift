internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault

/// Which vault, and how it is unlocked.
struct VaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "This device's vault; by default $CLOSER_KEYS_VAULT, or closer-keys/vault.db in $XDG_DATA_HOME.",
            valueName: "file"), completion: .file())
    var vault: String?
    @Option(
        help: ArgumentHelp(
            "The vault's key file; by default $CLOSER_KEYS_KEY_FILE, or the one that this machine remembers.",
            valueName: "file"),
        completion: .file())
    var keyFile: String?
    @OptionGroup var passphrase: PassphraseOptions
    @Flag(
        help: "Use this vault even if this machine has seen a newer one, or another one, in its place.")
    var acceptOlder = false

    /// The path that a person or the environment names; nil for the default one.
    var named: String? { vault ?? Surroundings.variable("CLOSER_KEYS_VAULT") }

    /// Where the vault is or shall be.
    var path: String {
        get throws {
            if let named { return named }
            guard let data = Surroundings.folder("XDG_DATA_HOME", orInHome: ".local/share") else {
                throw Failure(.usage, "there is no home folder to look for a vault in", hint: "use --vault")
            }
            return "\(data)/closer-keys/vault.db"
        }
    }

    /// What opening the vault may read, besides files that cannot be `-`.
    var inputName: InputName {
        let isKey = InputName.file(keyFile).isStandardInput
        return isKey ? .file(keyFile) : .secret(passphrase.source)
    }

    /// Opens the vault, and remembers it. With `asksAnew` even an unlocked vault wants its passphrase: some verbs would hand it over for
    /// good to whoever sits at the keyboard.
    func open(_ inputs: inout Inputs, asksAnew: Bool = false) throws -> Vault {
        try openToLock(&inputs, asksAnew: asksAnew).vault
    }

    /// The same for a new lock, whose key file is remembered if the vault is.
    func openToLock(_ inputs: inout Inputs, asksAnew: Bool = true) throws -> OpenedVault {
        let known = try known(&inputs)
        let opened: OpenedVault
        switch known.locked.protection {
        case .keyFile: opened = try openWithKeyFile(known, &inputs)
        case .passphrase: opened = try openWithPassphrase(known, &inputs, asksAnew: asksAnew)
        }
        inputs.claim(opened.vault, at: known.locked.path)
        return opened
    }

    /// The vault before it is open.
    func known(_ inputs: inout Inputs) throws -> KnownVault {
        let path = try path
        return try inputs.naming(at: path) { try KnownVault(at: path, acceptsOlder: acceptOlder) }
    }

    /// A key file that a person names wins over the remembered one. Once it has opened the vault, it is remembered.
    private func openWithKeyFile(_ known: KnownVault, _ inputs: inout Inputs) throws -> OpenedVault {
        guard !passphrase.isGiven else {
            throw Failure(.malformed, "this vault is locked with a key file, not with a passphrase")
        }
        try known.checkPlace()
        let named = keyFile ?? Surroundings.variable("CLOSER_KEYS_KEY_FILE")
        guard let file = named ?? known.memory?.keyFilePath else { throw Failure(noKeyFileFor: known) }
        guard named != nil || !SafeFile.isMissing(file) else {
            throw Failure(
                .noInput, "the vault's key file \(file) is not there",
                hint: "if it was moved, name it with --key-file")
        }
        // Looked up before it is read: what is remembered is the file that opened the vault, wherever a link leads by then.
        let place = Folder.placePath(of: file)
        let key = try inputs.keyFile(file)
        guard try place.map({ try FileIdentity(path: $0) == inputs.lastOpened }) ?? true else {
            throw Failure(
                .noInput, "somebody exchanged the vault's key file \(file) while it was read",
                hint: "name it by a path that nobody else can change")
        }
        // One without a path leaves what is remembered as it is.
        let remembered = place ?? known.memory?.keyFilePath
        do { return try known.open(with: .key(key), keyFile: remembered) } catch VaultError
            .authenticationFailed
        {
            throw Failure(.authenticationFailed).hinting(
                "if it was locked with another key file, name it with --key-file")
        }
    }

    private func openWithPassphrase(
        _ known: KnownVault, _ inputs: inout Inputs, asksAnew: Bool
    ) throws -> OpenedVault {
        guard keyFile == nil else {
            throw Failure(.malformed, "this vault is locked with a passphrase, not with a key file")
        }
        try known.checkPlace()
        if known.memory?.keyFilePath != nil, !acceptOlder {
            try Messages.warnBefore(
                "\(known.locked.path) asks for a passphrase: when this machine saw the vault last, a key file opened it"
            )
        }
        if !asksAnew, !passphrase.isGiven, let unlocking = UnlockedVault.unlocking(known.locked) {
            return try known.open(with: unlocking, keyFile: nil)
        }
        return try inputs.passphrase(passphrase.source, "passphrase for \(known.locked.path)") {
            try known.open(with: .passphrase($0), keyFile: nil)
        }
    }
}

extension VaultOptions {
    /// Refuses options of the vault beside `option`: with an explicit file, nothing but that file is read.
    func refuse(besides option: String) throws {
        guard vault == nil, keyFile == nil, !passphrase.isGiven, !acceptOlder else {
            throw Failure(.usage, "\(option) takes the place of a vault: give one of the two")
        }
    }
}

/// Where the vault's passphrase comes from.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The vault's passphrase, from a file.", valueName: "file"), completion: .file())
    var passphraseFile: String?
    @Option(help: ArgumentHelp("The same from an open file descriptor.", valueName: "number"))
    var passphraseFD: Int32?
    @Flag(help: "Never ask; fail where a question would be asked.") var noInput = false

    var source: SecretSource {
        SecretSource(option: "passphrase", file: passphraseFile, descriptor: passphraseFD, mayAsk: !noInput)
    }

    var isGiven: Bool { passphraseFile != nil || passphraseFD != nil }
}
