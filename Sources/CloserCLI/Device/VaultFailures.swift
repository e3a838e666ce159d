internal import CloserFiles
internal import CloserVault

extension Failure {
    init(_ error: VaultError) {
        self =
            switch error {
            case .missing(let path):
                Failure(
                    .noInput, "there is no vault at \(path)",
                    hint:
                        "closer-keys device init --user ID --key-file FILE makes one; without --key-file it takes a passphrase"
                )
            case .exists(let path):
                Failure(.inputRequired, "\(path) is a vault already", hint: "name another file with --vault")
            case .notAVault(let path):
                Failure(
                    .malformed, "\(path) is not a vault", hint: "name another file with --vault")
            case .formerFormat:
                Failure(
                    .malformed,
                    "this vault was made before the first release, and its format is no longer read",
                    hint: "make a new one with closer-keys device init, then closer-keys couple recover")
            case .notAnExport: Failure(.malformed, "this is not an export of a vault")
            case .tooLarge:
                Failure(
                    .limit, "a vault has at most \(Vault.maximumByteCount) bytes",
                    hint: "forget couples that are over: closer-keys couple forget")
            case .unsupportedVersion:
                Failure(.malformed, "this vault has a version that this program does not know")
            case .authenticationFailed:
                Failure(.authFailed, "it does not open with this key file or passphrase")
            case .otherProtection:
                Failure(
                    .malformed, "it is locked with a passphrase instead of a key file, or the other way round"
                )
            case .keyFileMalformed: Failure(.malformed, "a vault's key file has exactly 32 bytes")
            case .passphraseLength: Failure(.malformed, "a passphrase has 1 to 1024 bytes")
            case .costsRefused: Failure(.malformed, "it asks for costs of Argon2id outside 64 MiB to 1 GiB")
            case .damaged:
                Failure(
                    .malformed, "this vault is damaged: something else than closer-keys changed it",
                    hint: "restore the vault from an export: closer-keys device import")
            case .busy: Failure(.ioError, "other processes keep this vault locked", hint: "try again")
            case .cannotRead(let path, let reason):
                Failure(.ioError, "the vault \(path) cannot be read: \(reason.lowercased())")
            case .cannotWrite(let path, let reason):
                Failure(.ioError, "the vault \(path) cannot be written: \(reason.lowercased())")
            case .couple(let error): Failure(error)
            case .answer(let error): Failure(error)
            case .rekey(let error): Failure(error)
            case .verification(let error): Failure(error)
            }
    }

    /// The vault needs a key file, but nobody named one and this machine remembers none.
    init(noKeyFileFor locked: LockedVault) {
        self.init(
            .inputRequired,
            locked.isAnotherThanKnown
                ? locked.isAnother : "this machine does not know the key file of the vault \(locked.path)",
            hint: "name its key file with --key-file")
    }
}

extension LockedVault {
    /// Whether this machine knows a vault at this path, and it is not this one.
    var isAnotherThanKnown: Bool {
        guard let path = Folder.absolutePath(of: path) else { return false }
        return VaultMemories.ours?.memories(at: path).contains { $0.id != id } ?? false
    }

    /// The words for ``isAnotherThanKnown``.
    var isAnother: String { "\(path) is another vault than the one that this machine knows there" }
}
