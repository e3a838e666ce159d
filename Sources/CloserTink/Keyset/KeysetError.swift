package import CloserWire

/// Why a keyset is refused, or a change to a keyset.
public enum KeysetError: Error, Equatable, Sendable {
    /// The bytes are something else than protobuf or strict JSON with exactly Tink's members.
    case malformed
    /// A member of a JSON keyset, such as `key[0].keyData.value`, differs from what Tink's tools write: what is wrong with it, in
    /// words. Other implementations of Tink take some of these.
    case faultyMember(String, fault: String)
    /// The keyset is encrypted under a key of another system.
    case encrypted
    /// A keyset, and a line break of this many bytes behind it.
    case lineBreak(byteCount: Int)
    /// The bytes parse, and the keyset is written again as other bytes. From a partner or a server only that
    /// spelling is accepted.
    case notCanonical
    /// There are more bytes than this.
    case tooLarge(maximumByteCount: Int)
    /// There are more keys than this.
    case tooManyKeys(maximum: Int)
    /// There are several keys where only one may be.
    case severalKeys
    /// The keyset is empty.
    case empty
    /// Two enabled keys have this id, so that a ciphertext would be ambiguous.
    case duplicateKeyID(UInt32)
    /// No key has the primary's id.
    case primaryMissing(UInt32)
    /// The primary is disabled or destroyed.
    case primaryNotEnabled(UInt32)
    /// A key of a type outside of our profile (closer-keys-formats(7), TINK, Keysets): the type as Tink names it, and the key's id.
    /// One such key refuses the whole keyset.
    case unsupportedKeyType(String, id: UInt32)
    /// A key has a curve, a hash, a point format or an inner cipher that closer-keys does not take.
    case unsupportedParameters
    /// A key version other than 0.
    case unsupportedVersion(UInt32)
    /// A status other than enabled, disabled, destroyed.
    case unknownStatus(UInt32)
    /// An output prefix other than TINK, LEGACY, RAW, CRUNCHY.
    case unknownPrefix(UInt32)
    /// The key material is of another sort than the type says.
    case wrongMaterialType(UInt32)
    /// An AES key of this many bytes. Only 32 are taken: a keyset cannot talk us down to 16.
    case wrongKeySize(byteCount: Int)
    /// A streaming key whose segments have this many bytes: see ``StreamingParameters/segmentByteCounts``.
    case wrongSegmentSize(byteCount: Int)
    /// A private scalar is 0 or not below the group's order, or a coordinate does not fit into 32 bytes.
    case integerOutOfRange
    /// A public point is not on the curve.
    case notAPoint
    /// A public point does not belong to the private scalar beside it.
    case publicKeyMismatch
    /// The keyset holds keys of another kind than this, or of several kinds.
    case wrongKind(expected: Keyset.Kind)
    /// There are secret keys where only public ones may be.
    case holdsSecret
    /// No key has this id.
    case noSuchKey(UInt32)
    /// The key is disabled, so it cannot become the primary.
    case notEnabled(UInt32)
    /// The key is destroyed, so it cannot be enabled.
    case destroyed(UInt32)
    /// The primary cannot be disabled or removed: another key must take its place first.
    case isPrimary(UInt32)
}

// MARK: - In words

extension KeysetError: WordedError {
    package var appWords: ErrorWords {
        switch self {
        case .notCanonical: ErrorWords(words.id, "this keyset is in another form than the required one")
        case .faultyMember: ErrorWords(words.id, words.message, "let Tink write the keyset again")
        default: words
        }
    }

    package var words: ErrorWords {
        switch self {
        case .malformed:
            ErrorWords(
                .malformed, "this is not a keyset, binary or JSON",
                typing: "closer-keys inspect says what it is")
        case .faultyMember(let member, let fault):
            ErrorWords(
                .malformed, "\(member) \(fault)",
                "correct it, or let Tink write the keyset again, as closer-keys-keyset(1) shows")
        case .encrypted:
            ErrorWords(
                .malformed, "this keyset is encrypted", "decrypt it with Tink first",
                typing: "tinkey convert-keyset --in FILE --out NEW --master-key-uri URI")
        case .lineBreak(let byteCount):
            ErrorWords(
                .malformed, "this keyset has a line break behind it", "remove it",
                typing: "head -c -\(byteCount) FILE > NEW")
        case .notCanonical:
            ErrorWords(.malformed, "this keyset is in another form than the one that closer-keys writes")
        case .tooLarge(let maximum): ErrorWords(.limit, "a keyset or its salt has more than \(maximum) bytes")
        case .tooManyKeys(let maximum):
            ErrorWords(.limit, "a keyset has at most \(maximum) keys")
        case .severalKeys: ErrorWords(.malformed, "a one-time key is a keyset of exactly one key")
        case .empty: ErrorWords(.malformed, "this keyset is empty")
        case .duplicateKeyID(let id): ErrorWords(.malformed, "two enabled keys have the id \(id)")
        case .primaryMissing(0): ErrorWords(.malformed, "the keyset names no primary key")
        case .primaryMissing(let id):
            ErrorWords(.malformed, "the primary key \(id) is missing from the keyset")
        case .primaryNotEnabled(let id): ErrorWords(.malformed, "the primary key \(id) is not enabled")
        case .unsupportedKeyType(let type, let id):
            ErrorWords(.malformed, "key \(id) has \(Self.name(of: type)), which is not supported")
        case .unsupportedParameters: ErrorWords(.malformed, "a key has unsupported parameters")
        case .unsupportedVersion(let version):
            ErrorWords(.malformed, "a key has version \(version), expected 0")
        case .unknownStatus(let number): ErrorWords(.malformed, "a key has the unknown status \(number)")
        case .unknownPrefix(let number):
            ErrorWords(.malformed, "a key has the unknown output prefix \(number)")
        case .wrongMaterialType(let number):
            ErrorWords(.malformed, "a key has the material type \(number), which does not fit its type")
        case .wrongKeySize(let count): ErrorWords(.malformed, "an AES key has \(count) bytes, expected 32")
        case .wrongSegmentSize(let count):
            ErrorWords(.malformed, "a key has segments of \(count) bytes, expected 57 to 16777216")
        case .integerOutOfRange: ErrorWords(.malformed, "a key has an integer out of range")
        case .notAPoint: ErrorWords(.malformed, "a public key is not a point on P-256")
        case .publicKeyMismatch: ErrorWords(.malformed, "a private key does not belong to its public key")
        case .wrongKind(let kind):
            ErrorWords(.malformed, "this needs \(kind.words), and the keyset holds others")
        case .holdsSecret: ErrorWords(.malformed, "secret keys stand where only public ones may be")
        case .noSuchKey(let id):
            ErrorWords(
                .noKey, "no key has the id \(id)", "look at the ids of the keyset's entries",
                typing: "closer-keys keyset list")
        case .notEnabled(let id):
            ErrorWords(
                .notYet, "key \(id) cannot be the primary before it is enabled",
                typing: "closer-keys keyset set enabled")
        case .destroyed(let id):
            ErrorWords(.noKey, "key \(id) is destroyed, so it cannot be enabled")
        case .isPrimary(let id):
            ErrorWords(
                .notYet, "key \(id) is the primary", "make another key the primary first",
                typing: "closer-keys keyset set primary")
        }
    }
}

extension KeysetError {
    /// Names only the types in the list. A server may have written any other text, and an app shows the words.
    private static func name(of type: String) -> String {
        let known = knownTypes.first { type == "type.googleapis.com/google.crypto.tink.\($0)" }
        return known.map { "the type \($0)" } ?? "another type"
    }

    /// Tink's types outside of our profile, as Tink's `.proto` files name them.
    private static let knownTypes = [
        "AesCmacKey", "AesCmacPrfKey", "AesCtrHmacAeadKey", "AesCtrHmacStreamingKey", "AesEaxKey",
        "AesGcmSivKey", "AesSivKey", "ChaCha20Poly1305Key", "EcdsaPrivateKey", "EcdsaPublicKey",
        "Ed25519PrivateKey", "Ed25519PublicKey", "HkdfPrfKey", "HmacKey", "HmacPrfKey", "HpkePrivateKey",
        "HpkePublicKey", "JwtEcdsaPrivateKey", "JwtEcdsaPublicKey", "JwtHmacKey", "JwtRsaSsaPkcs1PrivateKey",
        "JwtRsaSsaPkcs1PublicKey", "JwtRsaSsaPssPrivateKey", "JwtRsaSsaPssPublicKey", "KmsAeadKey",
        "KmsEnvelopeAeadKey", "RsaSsaPkcs1PrivateKey", "RsaSsaPkcs1PublicKey", "RsaSsaPssPrivateKey",
        "RsaSsaPssPublicKey", "XAesGcmKey", "XChaCha20Poly1305Key",
    ]
}

extension Keyset.Kind {
    package var words: String {
        switch self {
        case .aesGCM: "aes256-gcm keys"
        case .eciesPrivate: "ecies-p256 private keys"
        case .eciesPublic: "ecies-p256 public keys"
        case .streaming: "aes256-gcm-hkdf keys"
        }
    }
}
