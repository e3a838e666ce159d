internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

// What to type next after an error: the command or the option that helps. Other errors show their own advice.
// VaultHints.swift has those of a vault's errors.

/// An error after which a command of the program helps.
protocol HintedError: WordedError {
    /// Nil where the error's own advice says enough.
    var hint: String? { get }
}

extension OpenError: HintedError {
    var hint: String? {
        guard self == .noMatchingKey else { return nil }
        return
            "inspect shows the key's id; couple show or keyset list shows the keys here; perhaps a rekey is yet to be accepted"
    }
}

extension TokenError: HintedError {
    var hint: String? {
        switch self {
        case .notAToken: "closer-keys inspect says what it is"
        case .placed: "name its place with --place, or with the member place of a line of --jsonl"
        case .unbound:
            "if you know that it belongs here: field open --allow-unbound opens it, and field seal --migrate --trust-old --jsonl seals it for the place"
        case .unsupportedVersion, .malformed: nil
        }
    }
}

extension KeysetError: HintedError {
    var hint: String? {
        switch self {
        case .malformed: "closer-keys inspect says what it is"
        case .faultyMember:
            "correct it, or let Tink write the keyset again: man closer-keys-keyset shows how"
        case .encrypted: FileKind.encryptedKeyset.remedy
        case .lineBreak(let byteCount): "remove it: head -c -\(byteCount) FILE > NEW"
        case .noSuchKey: "closer-keys keyset list shows the ids"
        case .notEnabled: "closer-keys keyset set enabled takes a disabled key back"
        case .isPrimary: "make another key the primary first: closer-keys keyset set primary"
        default: nil
        }
    }
}

extension PublicKeyTokenError: HintedError {
    var hint: String? {
        switch self {
        case .token(let error): error.hint
        case .keyset(let error): error.hint
        case .severalKeys: nil
        }
    }
}

extension HybridSealError: HintedError {
    var hint: String? { self == .notAPublicKeyset ? "closer-keys keyset public makes one" : nil }
}

extension X25519KeyError: HintedError {
    var hint: String? { self == .malformed ? "closer-keys x25519 public prints one" : nil }
}

extension UnwrapError: HintedError {
    var hint: String? {
        switch self {
        case .keyset(let error): error.hint
        case .outOfMemory(let shortage): shortage.hint
        case .malformed, .wrongCosts, .authenticationFailed: nil
        }
    }
}

extension FieldError: HintedError {
    var hint: String? {
        switch self {
        case .token(let error): error.hint
        case .opening(let error): error.hint
        case .serverKnown: "pair again, or run closer-keys couple rekey: both make a private key"
        case .serverForgeable: "seal only what you stored before the rekey or the pairing, with --trust-old"
        case .unbound: "seal only what you know to belong to this place, with --trust-old"
        case .plaintext, .plaintextTooLarge: nil
        }
    }
}

extension AnswerPayload.FormatError: HintedError {
    var hint: String? { self == .tooShort ? "use --profile hardened, which pads" : nil }
}

extension RevealError: HintedError {
    var hint: String? {
        switch self {
        case .pinMismatch: "talk to your partner about this answer; closer-keys answer status shows its state"
        case .placeMismatch:
            "check --place; if it is right, the server shows the answer of another place"
        case .noMatchingKey, .authenticationFailed, .commitmentMismatch, .malformed, .macInvalid: nil
        }
    }
}

extension FileError: HintedError {
    var hint: String? {
        if case .exists = self { "name another file, or use --force to replace it" } else { nil }
    }
}

extension MemoryShortage: HintedError {
    var hint: String? { Self.hint }
    static var hint: String { "close other programs, or raise the limit: ulimit -v shows it" }
}
