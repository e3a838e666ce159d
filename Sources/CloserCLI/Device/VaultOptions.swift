internal import ArgumentParser
internal import CloserFiles
internal import CloserSystem
internal import CloserVault
internal import CloserWire

/// Which vault, and how it is unlocked.
struct VaultOptions: ParsableArguments {
    @Option(
        file: "This device's vault; by default $CLOSER_KEYS_VAULT, or closer-keys/vault.db in $XDG_DATA_HOME."
    )
    var vault: String?
    @Option(
        file:
            "The vault's key file; by default $CLOSER_KEYS_KEY_FILE, or the one that this machine remembers.")
    var keyFile: String?
    @OptionGroup var passphrase: PassphraseOptions

    /// The path that a person or the environment names; nil for the default one.
    var named: String? {
        get throws { try vault ?? Environment.setting("CLOSER_KEYS_VAULT") }
    }

    /// Whether there is a vault to look into: one that is named, or the default one.
    var isThere: Bool {
        get throws { try named != nil || (try? path).map { !Paths.isMissing($0) } ?? false }
    }

    /// Where the vault is or shall be.
    var path: String {
        get throws {
            if let named = try named { return named }
            guard let data = try Environment.folder("XDG_DATA_HOME", orInHome: ".local/share") else {
                throw CLIError(.usage, "there is no home folder to look for a vault in", hint: "use --vault")
            }
            return "\(data)/closer-keys/vault.db"
        }
    }

    /// The one input of opening the vault that may be `-`.
    var inputName: InputName {
        let isKey = InputName.file(keyFile).isStandardInput
        return isKey ? .file(keyFile) : .secret(passphrase.source)
    }

    /// Opens the vault, and remembers it. With `asksAgain` an unlocked vault wants its passphrase, too: some verbs would hand the vault
    /// over for good to the person at the keyboard.
    func open(_ inputs: inout Inputs, asksAgain: Bool = false) throws -> Vault {
        try open(chosen(&inputs), &inputs, asksAgain: asksAgain).vault
    }

    func chosen(_ inputs: inout Inputs) throws -> ChosenVault {
        let path = try path
        let chosen = try inputs.naming { try ChosenVault(at: path) }
        inputs.claim(chosen.storage)
        inputs.warnIfOthersCanChange(chosen.storage.path)
        return chosen
    }

    /// Also gives the absolute path of the key file; nil for a passphrase. If it `accepts` any version, it remembers nothing.
    func open(
        _ chosen: ChosenVault, _ inputs: inout Inputs, asksAgain: Bool, accepting acceptsAny: Bool = false
    ) throws -> (vault: Vault, keyFile: String?) {
        try chosen.checkPlace(acceptsAny)
        switch chosen.locked.protection {
        case .key: return try openWithKeyFile(chosen, &inputs, acceptsAny)
        case .passphrase:
            return (try openWithPassphrase(chosen, &inputs, asksAgain: asksAgain, acceptsAny), nil)
        }
    }

    /// A key file that a person names wins over the remembered one. Once it has opened the vault, it is remembered.
    private func openWithKeyFile(
        _ chosen: ChosenVault, _ inputs: inout Inputs, _ acceptsAny: Bool
    ) throws -> (Vault, String?) {
        guard !passphrase.isGiven else {
            throw CLIError(.malformed, "a key file protects this vault, not a passphrase")
        }
        let named = try keyFile ?? Environment.setting("CLOSER_KEYS_KEY_FILE")
        guard let file = named ?? chosen.known?.keyFile else {
            throw CLIError(
                .inputRequired,
                "this machine does not know the key file of the vault \(chosen.locked.name)",
                hint: "name its key file with --key-file")
        }
        guard named != nil || !Paths.isMissing(file) else {
            throw CLIError(
                .noInput, "the vault's key file \(file) is not there",
                hint: "if it was moved, name it with --key-file; if it is lost, \(wayBack)")
        }
        try Inputs.checkNamed(file)
        let path = try? Paths.absolute(file)
        let key = try inputs.keyFile(path ?? file)
        do {
            return (try chosen.open(with: .key(key), keyFile: path, accepting: acceptsAny), path)
        } catch VaultError.authenticationFailed {
            let isSet = keyFile == nil && named != nil
            throw CLIError(
                .authFailed, "the vault \(chosen.locked.name) does not open with the key file \(file)",
                hint:
                    "\(isSet ? "CLOSER_KEYS_KEY_FILE names that one: " : "")if another key file protects it, name that with --key-file; if another device of yours made a new key, link this one again: closer-keys device join"
            )
        }
    }

    private func openWithPassphrase(
        _ chosen: ChosenVault, _ inputs: inout Inputs, asksAgain: Bool, _ acceptsAny: Bool
    ) throws -> Vault {
        guard keyFile == nil else {
            throw CLIError(.malformed, "a passphrase protects this vault, not a key file")
        }
        if !asksAgain, !passphrase.isGiven, let unlocking = UnlockedVault.unlocking(chosen.locked) {
            return try chosen.open(with: unlocking, keyFile: nil, accepting: acceptsAny)
        }
        let source = try passphrase.ofVault
        return try inputs.passphrase(source, "passphrase for \(chosen.locked.name)") {
            do {
                return try chosen.open(with: .passphrase($0), keyFile: nil, accepting: acceptsAny)
            } catch VaultError.authenticationFailed {
                throw CLIError(notThePassphraseOf: chosen.locked.name, from: source)
            }
        }
    }
}

private let wayBack =
    "move the vault away, then device import an export, or device init and couple recover with the recovery phrase"

extension CLIError {
    fileprivate init(notThePassphraseOf path: String, from source: SecretSource) {
        let given = source.file.map { "the file \($0)" } ?? source.command.map { _ in "the command" }
        self.init(
            .authFailed, "\(path) does not open with this passphrase",
            hint: given.map { "check \($0), which the passphrase came from" }
                ?? "a passphrase cannot be reset: if it is lost, \(wayBack)"
        )
    }
}

extension VaultOptions {
    /// Refuses options of the vault beside `option`: an explicit file is read alone.
    func refuse(besides option: String) throws {
        guard vault == nil, keyFile == nil, !passphrase.isGiven else {
            throw CLIError(.usage, "\(option) takes the place of a vault: give one of the two")
        }
    }
}
