internal import CloserKeys
internal import CloserTink
internal import CloserWire

extension Failure {
    init(_ error: KeysetError) {
        self =
            switch error {
            case .malformed: Failure(.malformed, error, hint: "closer-keys inspect says what it is")
            case .tooLarge: Failure(.limit, error)
            // What to do about too many keys depends on whose they are.
            case .tooManyKeys: Failure(.limit, error.words.message)
            case .noSuchKey: Failure(.noKey, error, hint: "closer-keys keyset list shows the ids")
            case .notEnabled: Failure(.notYet, error)
            case .isPrimary:
                Failure(
                    .notYet, error, hint: "make another key the primary first: closer-keys keyset promote")
            case .notCanonical, .severalKeys, .empty, .duplicateKeyID, .primaryMissing, .primaryNotEnabled,
                .unsupportedKeyType, .unsupportedVersion, .unknownStatus, .unknownPrefix, .wrongMaterialType,
                .wrongKeySize, .wrongSegmentSize, .integerOutOfRange, .notAPoint, .publicKeyMismatch,
                .wrongKind, .holdsSecret:
                Failure(.malformed, error)
            }
    }

    init(_ error: PublicKeyTokenError) {
        self =
            switch error {
            case .token(let error): Failure(error, noun: "public key")
            case .keyset(let error): Failure(error).of("the public key")
            case .severalKeys: Failure(.malformed, error)
            }
    }
}

extension PublicKeyToken {
    /// Parses a token, or says what the text is instead.
    init(reading text: String) throws {
        self = try Likeness.publicKey.read(Array(text.utf8).span) { try PublicKeyToken(parsing: text.utf8) }
    }
}

extension Keyset {
    /// Runs `body` with the keyset. If `body` needs keys of another kind, the error names those that the keyset holds.
    func use<Result>(_ body: (Keyset) throws -> Result) throws -> Result {
        do { return try body(self) } catch KeysetError.wrongKind(let wanted) {
            throw Failure(wanted, missingIn: self)
        } catch PublicKeyTokenError.keyset(.wrongKind(let wanted)) { throw Failure(wanted, missingIn: self) }
    }
}

extension Failure {
    fileprivate init(_ wanted: KeyMaterial.Kind, missingIn keyset: Keyset) {
        let kinds = keyset.entries.compactMap { $0.material?.kind.words }
        let held = Set(kinds).sorted().joined(separator: " and ")
        self.init(.malformed, "this needs \(wanted.words), and the keyset holds \(held)")
    }
}

extension KeyMaterial.Kind {
    fileprivate var words: String {
        switch self {
        case .aesGCM: "aes256-gcm keys"
        case .eciesPrivate: "ecies-p256 private keys"
        case .eciesPublic: "ecies-p256 public keys"
        case .streaming: "aes256-gcm-hkdf keys"
        }
    }
}
