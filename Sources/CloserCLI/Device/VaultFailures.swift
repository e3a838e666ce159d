internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
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
            case .notAVault(let path): Failure(notAVault: path)
            case .formerFormat:
                Failure(
                    .malformed,
                    "this vault was made before the first release, and its format is no longer read",
                    hint: "make a new one with closer-keys device init, then closer-keys couple recover")
            case .notAnExport: Failure(.malformed, "this is not an export of a vault")
            case .tooLarge:
                Failure(
                    .limit, "a vault has at most \(Vault.maximumByteCount) bytes",
                    hint:
                        "forget couples that are over: closer-keys couple forget; if it never was so large, something else lies there: move that away"
                )
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
            case .outOfMemory(let shortage): Failure(shortage)
            case .damaged:
                Failure(
                    .malformed, "this vault is damaged: something other than closer-keys changed it",
                    hint:
                        "move the file away, and restore the vault from an export: closer-keys device import")
            case .rolledBack(let path):
                Failure(
                    .notYet, code: .vaultRolledBack,
                    "\(path) is older than what this machine saw of this vault, or diverged from it",
                    hint:
                        "if you put it there yourself, pass --accept-older once; what the newer one had seen is given up then: pins, and partners that were verified"
                )
            case .diverged(let path):
                Failure(
                    .notYet, code: .vaultRolledBack,
                    "the change was written, but somebody exchanged \(path) meanwhile: there is, or was, another file that it is not in",
                    hint:
                        "look at the vault before you repeat anything; pass --accept-older once if this file is the right one"
                )
            case .replaced(let path):
                Failure(
                    .notYet, code: .vaultReplaced,
                    "\(path) is another vault than the one that this machine knows there")
            case .busy:
                Failure(
                    .ioError, "other processes keep this vault locked",
                    hint:
                        "try again; if none of yours does, remove the file beside it whose name ends in .lock"
                )
            case .cannotRead(let path, let reason):
                Failure(.ioError, "the vault \(path) cannot be read: \(reason.lowercased())")
            case .cannotWrite(let path, let reason):
                Failure(.ioError, "the vault \(path) cannot be written: \(reason.lowercased())")
            case .cannotRecall(let path, let reason):
                Failure(
                    .ioError,
                    "what this machine remembers of a vault cannot be read: \(path): \(reason.lowercased())",
                    hint:
                        "make it readable; if other processes keep it locked, try again; only if you know how that happened, remove it, and name the vault's key file once"
                )
            case .couple(let error): Failure(error)
            case .answer(let error): Failure(error)
            case .rekey(let error): Failure(error)
            case .verification(let error): Failure(error)
            }
    }

    /// A file that is no vault, and what it looks like.
    fileprivate init(notAVault path: String, but likeness: Likeness? = nil) {
        let found = likeness.map {
            $0.certainty == .may ? "is not a vault; it may be \($0.words)" : "is \($0.words), not a vault"
        }
        self.init(
            .malformed, "\(path) \(found ?? "is not a vault")", hint: "name another file with --vault")
    }

    /// The vault needs a key file, but nobody named one and this machine remembers none.
    init(noKeyFileFor known: KnownVault) {
        let path = known.locked.path
        self =
            known.others.isEmpty
            ? Failure(
                .inputRequired, "this machine does not know the key file of the vault \(path)",
                hint: "name its key file with --key-file")
            : Failure(
                .inputRequired, known.replacement,
                hint: "if you mean this one, name its key file with --key-file, and add --accept-older")
    }

    /// There is nothing where this machine knows a vault.
    init(goneFrom path: String) {
        self.init(
            .noInput, "there is no vault at \(path) any more: this machine knows one there",
            hint:
                "bring it back, or make it from an export: closer-keys device import. device init would make another one"
        )
    }

    /// An older file at a place where this machine did not see the vault.
    init(olderElsewhere path: String) {
        self.init(
            .notYet, code: .vaultRolledBack,
            "\(path) is older than what this machine saw of this vault, or diverged from it",
            hint: "to use a copy at another place, pass --accept-older each time; nothing of it is remembered"
        )
    }

    /// A name by which this machine knows the vault is now a link.
    init(leadingElsewhere known: KnownVault) {
        self.init(
            .notYet, code: .vaultReplaced,
            "\(known.locked.path) has become a link, and leads to another file than before",
            hint: "if you made the link yourself, pass --accept-older once")
    }

    /// A vault other than the known one lies at its path.
    init(replaced known: KnownVault) {
        self.init(
            .notYet, code: .vaultReplaced, known.replacement,
            hint: "if you put it there yourself, pass --accept-older once")
    }
}

extension Inputs {
    /// Runs `open` on what should be a vault. If it is another file of ours, the error says which.
    mutating func naming<Opened>(_ open: () throws -> Opened) throws -> Opened {
        do { return try open() } catch VaultError.notAVault(let path) {
            let likeness = try? secret(path, maximumByteCount: 2 << 20).withBytes { Likeness($0) }
            throw Failure(notAVault: path, but: likeness == .vault ? nil : likeness)
        }
    }
}
