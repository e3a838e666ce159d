internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension Failure {
    init(_ error: VaultError) {
        self =
            switch error {
            case .missing(let path) where KnownVault.isKnown(at: path): Failure(goneFrom: path)
            case .missing:
                Failure(
                    .noInput, error,
                    hint:
                        "closer-keys device init --user ID --key-file FILE makes one; without --key-file it takes a passphrase"
                )
            case .exists: Failure(.inputRequired, error, hint: "name another file with --vault")
            case .notAVault(let path): Failure(notAVault: path)
            case .formerFormat:
                Failure(
                    .malformed, error,
                    hint: "make a new one with closer-keys device init, then closer-keys couple recover")
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
                        "if you put it there yourself, pass --accept-older once; what the newer one had seen is given up then: pins, and partners that were verified"
                )
            case .lockedAnew: Failure(.notYet, error, hint: "run this again, with what opens it now")
            case .diverged:
                Failure(
                    .notYet, code: .vaultRolledBack, error,
                    hint:
                        "look at the vault before you repeat anything; pass --accept-older once if this file is the right one"
                )
            case .replaced:
                Failure(
                    .notYet, code: .vaultReplaced, error,
                    hint: "if you put it there yourself, with its key file, pass --accept-older once")
            case .busy, .cannotRead, .cannotWrite, .cannotRecall, .unsettled: Failure(.ioError, error)
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
        guard KnownVault.isKnown(at: path) else {
            self.init(.malformed, message, hint: "name another file with --vault")
            return
        }
        self.init(.malformed, "\(message); this machine knows a vault there", hint: Self.bringBack)
    }

    private static let bringBack =
        "bring it back, or make it from an export: closer-keys device import. device init would make another one"

    /// The vault needs a key file, but nobody named one and this machine remembers none.
    init(noKeyFileFor known: KnownVault) {
        let again = known.acceptsOlder ? ", and pass --accept-older again" : ""
        self.init(
            .inputRequired, "this machine does not know the key file of the vault \(known.locked.path)",
            hint: "name its key file with --key-file\(again)")
    }

    /// There is nothing where this machine knows a vault.
    init(goneFrom path: String) {
        self.init(
            .noInput, "there is no vault at \(path) any more: this machine knows one there",
            hint: Self.bringBack)
    }

    /// An older file at a place where this machine did not see the vault.
    init(olderElsewhere known: KnownVault) {
        self.init(
            .notYet, code: .vaultRolledBack,
            "\(known.locked.path) is older than what this machine saw of this vault, or diverged from it",
            hint: known.acceptance)
    }

    /// A name by which this machine knows the vault means another file now.
    init(leadingElsewhere known: KnownVault) {
        self.init(
            .notYet, code: .vaultReplaced,
            "\(known.locked.path) means another file than before: a link was made, changed or replaced",
            hint: known.acceptance)
    }

    /// A vault other than the known one lies at its path.
    init(replaced known: KnownVault) {
        self.init(
            .notYet, code: .vaultReplaced, known.replacement,
            hint: known.acceptance)
    }
}

extension KnownVault {
    /// What `--accept-older` would do with the file, whatever its age.
    fileprivate var acceptance: String {
        let once = "if you put it there yourself, pass --accept-older once"
        guard !mayBecomeVault(in: nil) else { return once }
        guard !isInAnothersPlace else {
            return
                "\(once); an older file is only read unless it lies where this machine knows its vault\(place)"
        }
        let name = ledTo.map { "; if it is the vault, name it \($0)" }
        return
            "to read a copy at another place, pass --accept-older each time; it is not changed\(name ?? toBecomeVault)"
    }

    private var place: String { memory?.places.first.map { ", \($0)" } ?? "" }

    private var toBecomeVault: String {
        memory?.places.first.map {
            "; to make it the vault, move away what is at \($0), put it there, and pass --accept-older once"
        } ?? ""
    }
}

extension Inputs {
    /// Runs `open` on what should be a vault. If it is another file of ours, the error says which. A vault that this machine knows was
    /// never one of a former program: whatever looks like that was put there in its place.
    mutating func naming<Opened>(at path: String, _ open: () throws -> Opened) throws -> Opened {
        do { return try open() } catch VaultError.formerFormat where KnownVault.isKnown(at: path) {
            throw Failure(notAVault: path)
        } catch VaultError.notAVault(let path) {
            // Whatever is not a regular file by now is not waited for.
            let likeness = try? likeness(of: path)
            throw Failure(notAVault: path, but: likeness == .vault ? nil : likeness)
        }
    }

    private mutating func likeness(of path: String) throws -> Likeness? {
        guard let descriptor = try openRegular(path) else { return nil }
        return try secret(from: descriptor, maximumByteCount: 2 << 20).withBytes { Likeness($0) }
    }
}
