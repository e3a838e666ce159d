internal import ArgumentParser
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
        help: ArgumentHelp("The vault's key file, if it is no longer where it was.", valueName: "file"),
        completion: .file())
    var keyFile: String?
    @OptionGroup var passphrase: PassphraseOptions

    /// Where the vault is or shall be.
    var path: String {
        get throws {
            if let vault = vault ?? Surroundings.variable("CLOSER_KEYS_VAULT") { return vault }
            if let data = Surroundings.variable("XDG_DATA_HOME") { return "\(data)/closer-keys/vault.db" }
            guard let home = Surroundings.variable("HOME") else {
                throw Failure(.usage, "there is no home folder to look for a vault in", hint: "use --vault")
            }
            return "\(home)/.local/share/closer-keys/vault.db"
        }
    }

    /// Opens it.
    func open(_ inputs: inout Inputs) throws -> Vault {
        let path = try path
        return try Vault(opening: path) { protection in
            switch protection {
            case .keyFile(let named):
                let file = keyFile ?? named
                return .keyFile(path: file, content: try inputs.keyFile(file))
            case .passphrase:
                return .passphrase(try inputs.passphrase(passphrase.source, "passphrase for \(path)"))
            }
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

extension Inputs {
    /// A vault's key file. Its absolute path counts as the file from now on.
    mutating func keyFile(_ path: String) throws -> SecretBytes {
        let content = try secret(path, maximumByteCount: 32)
        warnIfOpenToOthers(path)
        return content
    }
}
