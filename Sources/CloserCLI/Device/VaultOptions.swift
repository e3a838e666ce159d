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
        help: ArgumentHelp("The vault's key file, if it is no longer where it was.", valueName: "file"),
        completion: .file())
    var keyFile: String?
    @OptionGroup var passphrase: PassphraseOptions

    /// Where the vault is or shall be.
    var path: String {
        get throws {
            if let vault = vault ?? Surroundings.variable("CLOSER_KEYS_VAULT") { return vault }
            // The XDG base directory specification: a relative path there is invalid and ignored.
            if let data = Surroundings.variable("XDG_DATA_HOME"), data.hasPrefix("/") {
                return "\(data)/closer-keys/vault.db"
            }
            guard let home = Surroundings.variable("HOME") else {
                throw Failure(.usage, "there is no home folder to look for a vault in", hint: "use --vault")
            }
            return "\(home)/.local/share/closer-keys/vault.db"
        }
    }

    /// Opens it.
    func open(_ inputs: inout Inputs) throws -> Vault {
        let path = try path
        let vault = try Vault(opening: path) { try unlocking($0, of: path, &inputs) }
        inputs.claim(Vault.files(at: path))
        return vault
    }

    private func unlocking(
        _ protection: Protection, of path: String, _ inputs: inout Inputs
    ) throws -> Unlocking {
        switch protection {
        case .keyFile where passphrase.isGiven:
            throw Failure(.malformed, "this vault is locked with a key file, not with a passphrase")
        case .passphrase where keyFile != nil:
            throw Failure(.malformed, "this vault is locked with a passphrase, not with a key file")
        case .keyFile(let named):
            guard keyFile != nil || SafeFile.exists(named) else {
                throw Failure(
                    .noInput, "the vault's key file \(named) is not there",
                    hint: "if it was moved, name it with --key-file")
            }
            let file = keyFile ?? named
            return .keyFile(path: file, content: try inputs.keyFile(file))
        case .passphrase:
            return .passphrase(try inputs.passphrase(passphrase.source, "passphrase for \(path)"))
        }
    }
}

extension VaultOptions {
    /// With an explicit file nothing but that file is read.
    func refuse(besides option: String) throws {
        guard vault == nil, keyFile == nil, !passphrase.isGiven else {
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

extension Failure {
    init(_ error: VaultError) {
        self =
            switch error {
            case .missing(let path):
                Failure(.noInput, "there is no vault at \(path)", hint: "closer-keys device init makes one")
            case .exists(let path):
                Failure(.inputRequired, "\(path) is a vault already", hint: "name another file with --vault")
            case .notAVault(let path):
                Failure(
                    .malformed, "\(path) is not a vault",
                    hint: "if its making was interrupted, run closer-keys device init again")
            case .notAnExport: Failure(.malformed, "this is not an export of a vault")
            case .exportTooLarge:
                Failure(
                    .limit, "an export holds at most \(VaultExport.maximumByteCount) bytes",
                    hint:
                        "forget couples that are over, or copy the vault's file itself while nothing uses it")
            case .unsupportedVersion:
                Failure(.malformed, "this vault has a version that this program does not know")
            case .authenticationFailed:
                Failure(.authFailed, "it does not open with this key file or passphrase")
            case .otherProtection:
                Failure(
                    .malformed, "it is locked with a key file and not a passphrase, or the other way round")
            case .keyFileMalformed: Failure(.malformed, "a vault's key file has exactly 32 bytes")
            case .passphraseLength: Failure(.malformed, "a passphrase has 1 to 1024 bytes")
            case .costsRefused: Failure(.malformed, "it asks for costs of Argon2id outside 64 MiB to 1 GiB")
            case .damaged:
                Failure(
                    .malformed, "a record of this vault is damaged",
                    hint: "restore the vault from an export: closer-keys device import")
            case .busy: Failure(.ioError, "other processes keep this vault locked", hint: "try again")
            case .storage(let reason): Failure(.ioError, "the vault cannot be read or written: \(reason)")
            }
    }
}
