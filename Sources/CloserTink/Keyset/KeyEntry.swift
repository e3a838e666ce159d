internal import CloserPrimitives
internal import CloserWire

/// One key of a keyset, with what Tink keeps beside it: an id, a status and an output prefix.
package struct KeyEntry: Sendable {
    /// Whether a key may be used.
    package enum Status: UInt32, Equatable, Sendable {
        /// It opens, and seals if it is the primary.
        case enabled = 1
        /// It is kept, and unused until it is enabled again.
        case disabled = 2
        /// The key is gone; only the entry is left.
        case destroyed = 3
    }

    /// Names the key in a ciphertext's prefix. An id of 0 is read; new keys have others.
    package let id: UInt32
    /// Whether the key may be used.
    package internal(set) var status: Status
    /// What stands before its ciphertexts.
    package let prefix: OutputPrefix
    /// The key itself. Nil only for a destroyed key.
    package let material: KeyMaterial?

    /// The key without its secret. Throws `.wrongKind` for a symmetric key.
    func publicEntry() throws(KeysetError) -> KeyEntry {
        switch material {
        case .eciesPublic, nil: self
        case .eciesPrivate(let key):
            KeyEntry(id: id, status: status, prefix: prefix, material: .eciesPublic(key.publicKey))
        case .aesGCM, .streaming: throw .wrongKind(expected: .eciesPrivate)
        }
    }

    /// Room for the entry in JSON. Names, ids and punctuation take less than 300 bytes, base64 four thirds.
    var maximumByteCount: Int { 300 + (material?.maximumValueByteCount ?? 0) * 3 / 2 }

    init(id: UInt32, status: Status = .enabled, prefix: OutputPrefix = .tink, material: KeyMaterial?) {
        (self.id, self.status, self.prefix, self.material) = (id, status, prefix, material)
    }
}

/// The key itself, of one of the four types that we take (closer-keys-formats(7), TINK, Keysets).
package enum KeyMaterial: Sendable {
    /// AES-256-GCM: for fields and answers.
    case aesGCM(AESGCMKey)
    /// ECIES on P-256, the secret half: a device's identity, which opens keyboxes.
    case eciesPrivate(ECIESPrivateKey)
    /// Its public half, which seals them.
    case eciesPublic(ECIESPublicKey)
    /// AES-256-GCM-HKDF: for files.
    case streaming(StreamingKey)

    /// What this key can do.
    package var kind: Keyset.Kind {
        switch self {
        case .aesGCM: .aesGCM
        case .eciesPrivate: .eciesPrivate
        case .eciesPublic: .eciesPublic
        case .streaming: .streaming
        }
    }
}

extension Keyset {
    /// What a key can do. All keys of a keyset that is used are of one kind.
    public enum Kind: Equatable, Sendable {
        /// Seal and open short texts.
        case aesGCM
        /// Open keyboxes.
        case eciesPrivate
        /// Seal keyboxes.
        case eciesPublic
        /// Seal and open files.
        case streaming
    }
}

// MARK: - As Tink's KeyData

extension KeyMaterial {
    /// The numbers of Tink's KeyMaterialType.
    enum MaterialType: UInt32 {
        case symmetric = 1
        case asymmetricPrivate = 2
        case asymmetricPublic = 3
    }

    /// How Tink names the type in a keyset.
    var typeURL: String {
        switch self {
        case .aesGCM: AESGCMKey.typeURL
        case .eciesPrivate: ECIESPrivateKey.typeURL
        case .eciesPublic: ECIESPublicKey.typeURL
        case .streaming: StreamingKey.typeURL
        }
    }

    /// Tink's sort of the type, which a keyset also names.
    var materialType: MaterialType {
        switch self {
        case .aesGCM, .streaming: .symmetric
        case .eciesPrivate: .asymmetricPrivate
        case .eciesPublic: .asymmetricPublic
        }
    }

    /// Parses the value of a KeyData message by its type.
    init(
        of id: UInt32, typeURL: WireText, materialType: UInt32, value: Span<UInt8>
    ) throws(KeysetError) {
        switch typeURL {
        case WireText(AESGCMKey.typeURL): self = .aesGCM(try AESGCMKey(parsing: value))
        case WireText(ECIESPrivateKey.typeURL): self = .eciesPrivate(try ECIESPrivateKey(parsing: value))
        case WireText(ECIESPublicKey.typeURL): self = .eciesPublic(try ECIESPublicKey(parsing: value))
        case WireText(StreamingKey.typeURL): self = .streaming(try StreamingKey(parsing: value))
        default: throw .unsupportedKeyType(String(decoding: typeURL.bytes, as: UTF8.self), id: id)
        }
        guard self.materialType.rawValue == materialType else { throw .wrongMaterialType(materialType) }
    }

    /// Room for what ``appendValue(to:integers:)`` appends. Without its salt each type takes less than 300 bytes, and the shortest,
    /// with a key of 32 bytes, less than 64.
    var maximumValueByteCount: Int {
        switch self {
        case .aesGCM: 64
        case .streaming: 300
        case .eciesPrivate(let key): 300 + key.publicKey.parameters.salt.count
        case .eciesPublic(let key): 300 + key.parameters.salt.count
        }
    }

    /// Appends the value of a KeyData message.
    func appendValue(to output: inout OutputSpan<UInt8>, integers: IntegerWidth) {
        switch self {
        case .aesGCM(let key): key.append(to: &output)
        case .eciesPrivate(let key): key.append(to: &output, integers: integers)
        case .eciesPublic(let key): key.append(to: &output, integers: integers)
        case .streaming(let key): key.append(to: &output)
        }
    }
}

/// What a new key shall be.
public enum KeyTemplate: Equatable, Sendable {
    /// Tink's `AES256_GCM`.
    case aes256GCM
    /// A private ECIES key on P-256.
    case ecies(ECIESParameters)
    /// A key for streams.
    case streaming(StreamingParameters)

    /// Tink's `ECIES_P256_HKDF_HMAC_SHA256_AES128_GCM`.
    public static let eciesP256HKDFHMACSHA256AES128GCM = KeyTemplate.ecies(ECIESParameters())
    /// Tink's `ECIES_P256_COMPRESSED_HKDF_HMAC_SHA256_AES128_GCM`.
    public static let eciesP256CompressedHKDFHMACSHA256AES128GCM = KeyTemplate.ecies(
        ECIESParameters(pointFormat: .compressed))

    /// The prefix in Tink's templates: RAW for streams, which never carry one, and TINK for the rest.
    var prefix: OutputPrefix {
        guard case .streaming = self else { return .tink }
        return .raw
    }

    /// The prefix of a new key beside others: theirs, where the kind has prefixes.
    package func prefix(beside other: KeyEntry) -> OutputPrefix { prefix == .raw ? .raw : other.prefix }

    func newKey(from randomness: Randomness) -> KeyMaterial {
        switch self {
        case .aes256GCM: .aesGCM(AESGCMKey(from: randomness))
        case .streaming(let parameters): .streaming(StreamingKey(parameters: parameters, from: randomness))
        case .ecies(let parameters): .eciesPrivate(ECIESPrivateKey(parameters: parameters, from: randomness))
        }
    }
}

extension KeyEntry {
    /// The template that makes another key with the same parameters. Throws `.wrongKind` for a key that is public or gone.
    package var template: KeyTemplate {
        get throws(KeysetError) {
            switch material {
            case .aesGCM: .aes256GCM
            case .eciesPrivate(let key): .ecies(key.publicKey.parameters)
            case .streaming(let key): .streaming(key.parameters)
            case .eciesPublic, nil: throw .wrongKind(expected: .eciesPrivate)
            }
        }
    }
}

// MARK: - Names for people and scripts

extension KeyEntry {
    /// The name that `keyset new --type` takes, with what differs from its defaults.
    package var typeName: String {
        switch material {
        case .aesGCM: "aes256-gcm"
        case .eciesPrivate(let key): "ecies-p256" + key.publicKey.parameters.departures
        case .eciesPublic(let key): "ecies-p256-public" + key.parameters.departures
        case .streaming(let key): key.parameters.name
        case nil: "destroyed"
        }
    }
}

extension StreamingParameters {
    /// Tink's name of the template; a segment outside of the templates is given in bytes.
    fileprivate var name: String {
        switch self {
        case .oneMiB: "aes256-gcm-hkdf-1mb"
        case .fourKiB: "aes256-gcm-hkdf-4kb"
        default: "aes256-gcm-hkdf-\(segmentByteCount)b"
        }
    }
}

extension ECIESParameters {
    /// What differs from Tink's template.
    fileprivate var departures: String {
        (pointFormat == .compressed ? "+compressed" : "") + (dem == .aes256GCM ? "+aes256-gcm" : "")
            + (salt.isEmpty ? "" : "+salt")
    }
}
