internal import CloserKeys
internal import CloserTink

extension Failure {
    init(_ error: KeysetError) {
        self =
            switch error {
            case .malformed:
                Failure(
                    .malformed, "this is not a keyset, binary or JSON",
                    hint: "closer-keys inspect says what it is")
            case .notCanonical: Failure(.malformed, "this keyset is not in the only accepted form")
            case .tooLarge(let maximum):
                Failure(.limit, "a keyset or its salt has more than \(maximum) bytes")
            case .tooManyKeys(let maximum): Failure(.limit, "a keyset has at most \(maximum) keys")
            case .severalKeys: Failure(.malformed, "a one-time key is a keyset of exactly one key")
            case .empty: Failure(.malformed, "this keyset has no keys")
            case .duplicateKeyID(let id): Failure(.malformed, "two enabled keys have the id \(id)")
            case .primaryMissing(let id): Failure(.malformed, "the primary key \(id) is not in the keyset")
            case .primaryNotEnabled(let id): Failure(.malformed, "the primary key \(id) is not enabled")
            case .unsupportedKeyType:
                Failure(.malformed, "a key has a type or parameters that closer-keys does not support")
            case .unsupportedVersion(let version):
                Failure(.malformed, "a key has version \(version), expected 0")
            case .unknownStatus(let number): Failure(.malformed, "a key has the unknown status \(number)")
            case .unknownPrefix(let number):
                Failure(.malformed, "a key has the unknown output prefix \(number)")
            case .wrongMaterialType(let number):
                Failure(.malformed, "a key has the material type \(number), which does not fit its type")
            case .wrongKeySize(let count): Failure(.malformed, "an AES key has \(count) bytes, expected 32")
            case .wrongSegmentSize(let count):
                Failure(.malformed, "a key has segments of \(count) bytes, expected 57 to 16777216")
            case .integerOutOfRange: Failure(.malformed, "a key has an integer out of range")
            case .notAPoint: Failure(.malformed, "a public key is not a point on P-256")
            case .publicKeyMismatch: Failure(.malformed, "a private key does not belong to its public key")
            case .wrongKind(let kind):
                Failure(.malformed, "this needs \(kind.words), and the keyset holds others")
            case .holdsSecret: Failure(.malformed, "secret keys stand where only public ones may be")
            case .noSuchKey(let id):
                Failure(.noKey, "no key has the id \(id)", hint: "closer-keys keyset list shows the ids")
            case .notEnabled(let id):
                Failure(.notYet, "key \(id) is not enabled, so it cannot be the primary")
            case .isPrimary(let id):
                Failure(
                    .notYet, "key \(id) is the primary",
                    hint: "make another key the primary first: closer-keys keyset promote")
            }
    }

    init(_ error: PublicKeyTokenError) {
        self =
            switch error {
            case .token(let error): Failure(error, noun: "public key")
            case .keyset(let error): Failure(error).of("the public key")
            case .severalKeys: Failure(.malformed, "a public key token holds exactly one key")
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
