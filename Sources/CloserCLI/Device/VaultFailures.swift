internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension Failure {
    init(_ error: VaultError) {
        self =
            switch error {
            case .missing(let path) where KnownVaults.isKnown(at: path): Failure(goneFrom: path)
            case .missing:
                Failure(
                    .noInput, error,
                    hint:
                        "closer-keys device init --user ID --key-file FILE makes one; without --key-file it takes a passphrase"
                )
            case .exists: Failure(.inputRequired, error, hint: "name another file with --vault")
            case .notAVault(let path): Failure(notAVault: path)
            case .tooLarge:
                Failure(
                    .limit, error,
                    hint:
                        "forget couples that are over: closer-keys couple forget; if it never was so large, something else lies there: move that away"
                )
            case .authenticationFailed: Failure(.authFailed, error)
            case .notAnExport, .unsupportedVersion, .otherProtection, .keyFileMalformed, .passphraseLength,
                .costsRefused:
                Failure(.malformed, error)
            case .outOfMemory(let shortage): Failure(shortage)
            case .damaged:
                Failure(
                    .malformed, error,
                    hint:
                        "run this again; if the file stays so, move it away, and restore the vault from an export: closer-keys device import"
                )
            case .rolledBack:
                Failure(
                    .notYet, code: .vaultRolledBack, error,
                    hint:
                        "if you put it there yourself, closer-keys device accept-older makes it the newest"
                )
            case .replaced:
                Failure(
                    .notYet, code: .vaultReplaced, error,
                    hint: "if you put it there yourself, closer-keys device accept-older takes it")
            case .busy, .cannotRead, .cannotWrite: Failure(.ioError, error)
            case .couple(let error): Failure(error)
            case .answer(let error): Failure(error)
            case .rekey(let error): Failure(error)
            case .verification(let error): Failure(error)
            case .pairing(let error): Failure(error)
            }
    }

    /// A file that is no vault, and what it looks like.
    fileprivate init(notAVault path: String, but likeness: Likeness? = nil) {
        let found = likeness.map {
            "\(path) \($0.certainty == .may ? "is not a vault; it may be \($0.words)" : "is \($0.words), not a vault")"
        }
        let message = found ?? VaultError.notAVault(path: path).words.message
        guard KnownVaults.isKnown(at: path) else {
            self.init(.malformed, message, hint: "name another file with --vault")
            return
        }
        self.init(.malformed, "\(message); this machine knows a vault there", hint: Self.bringBack)
    }

    private static let bringBack =
        "bring it back, or make it from an export: closer-keys device import. device init would make another one"

    /// There is nothing where this machine knows a vault.
    fileprivate init(goneFrom path: String) {
        self.init(
            .noInput, "there is no vault at \(path) any more: this machine knows one there",
            hint: Self.bringBack)
    }
}

extension Inputs {
    /// Runs `open` on what should be a vault. If it is another file of ours, the error says which.
    mutating func naming<Opened>(at path: String, _ open: () throws -> Opened) throws -> Opened {
        do { return try open() } catch VaultError.notAVault(let path) {
            let likeness = try? likeness(of: path)
            throw Failure(notAVault: path, but: likeness == .vault ? nil : likeness)
        }
    }

    private mutating func likeness(of path: String) throws -> Likeness? {
        guard let descriptor = try openRegular(path) else { return nil }
        return try secret(from: descriptor, maximumByteCount: 2 << 20).withBytes { Likeness($0) }
    }
}
