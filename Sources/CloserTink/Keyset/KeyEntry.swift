internal import CloserPrimitives

/// One key of a keyset, with what Tink keeps beside it.
public struct KeyEntry: Sendable {
    /// Whether a key may be used.
    public enum Status: UInt32, Equatable, Sendable {
        case enabled = 1
        /// Kept, and not used.
        case disabled = 2
        /// Only the entry is left.
        case destroyed = 3
    }

    /// Names the key in a ciphertext's prefix. 0 is read, never written.
    public let id: UInt32
    public internal(set) var status: Status
    public let prefix: OutputPrefix
    /// Nil only for a destroyed key.
    public let material: KeyMaterial?

    /// The key without its secret; `.wrongKind` for a key that has no public half.
    func publicEntry() throws(KeysetError) -> KeyEntry {
        switch material {
        case .eciesPublic, nil: self
        case .eciesPrivate(let key):
            KeyEntry(id: id, status: status, prefix: prefix, material: .eciesPublic(key.publicKey))
        case .aesGCM, .streaming: throw .wrongKind(expected: .eciesPrivate)
        }
    }

    /// Room for the entry in either form: names, ids and punctuation take below 300 bytes, base64 four thirds.
    var maximumByteCount: Int { 300 + (material?.maximumValueByteCount ?? 0) * 3 / 2 }

    init(id: UInt32, status: Status = .enabled, prefix: OutputPrefix = .tink, material: KeyMaterial?) {
        (self.id, self.status, self.prefix, self.material) = (id, status, prefix, material)
    }
}

/// The key itself, of one of the types of formats §2.2.
public enum KeyMaterial: Sendable {
    case aesGCM(AESGCMKey)
    case eciesPrivate(ECIESPrivateKey)
    case eciesPublic(ECIESPublicKey)
    case streaming(StreamingKey)

    /// What a key can do. All keys of a keyset that is used are of one kind.
    public enum Kind: Equatable, Sendable { case aesGCM, eciesPrivate, eciesPublic, streaming }

    public var kind: Kind {
        switch self {
        case .aesGCM: .aesGCM
        case .eciesPrivate: .eciesPrivate
        case .eciesPublic: .eciesPublic
        case .streaming: .streaming
        }
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

    var typeURL: String {
        switch self {
        case .aesGCM: AESGCMKey.typeURL
        case .eciesPrivate: ECIESPrivateKey.typeURL
        case .eciesPublic: ECIESPublicKey.typeURL
        case .streaming: StreamingKey.typeURL
        }
    }

    var materialType: MaterialType {
        switch self {
        case .aesGCM, .streaming: .symmetric
        case .eciesPrivate: .asymmetricPrivate
        case .eciesPublic: .asymmetricPublic
        }
    }

    /// Parses the value of a KeyData message by its type.
    init(typeURL: WireName, materialType: UInt32, value: Span<UInt8>) throws(KeysetError) {
        switch typeURL {
        case WireName(AESGCMKey.typeURL): self = .aesGCM(try AESGCMKey(parsing: value))
        case WireName(ECIESPrivateKey.typeURL): self = .eciesPrivate(try ECIESPrivateKey(parsing: value))
        case WireName(ECIESPublicKey.typeURL): self = .eciesPublic(try ECIESPublicKey(parsing: value))
        case WireName(StreamingKey.typeURL): self = .streaming(try StreamingKey(parsing: value))
        default: throw .unsupportedKeyType
        }
        guard self.materialType.rawValue == materialType else { throw .wrongMaterialType(materialType) }
    }

    /// At least as many bytes as ``appendValue(to:integers:)`` appends: a type without its salt takes below 300.
    var maximumValueByteCount: Int {
        switch self {
        case .aesGCM, .streaming: 300
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
    case aes256GCM
    case ecies(ECIESParameters)
    case streaming(StreamingParameters)

    /// What Tink's templates write. A stream carries no prefix, so that any but RAW would promise what is not there.
    var prefix: OutputPrefix {
        guard case .streaming = self else { return .tink }
        return .raw
    }

    func newKey(from randomness: Randomness) -> KeyMaterial {
        switch self {
        case .aes256GCM: .aesGCM(AESGCMKey(from: randomness))
        case .streaming(let parameters): .streaming(StreamingKey(parameters: parameters, from: randomness))
        case .ecies(let parameters): .eciesPrivate(ECIESPrivateKey(parameters: parameters, from: randomness))
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
    /// Tink's name of the template; a segment that no template has is given in bytes.
    fileprivate var name: String {
        switch self {
        case .oneMiB: "aes256-gcm-hkdf-1mb"
        case .fourKiB: "aes256-gcm-hkdf-4kb"
        default: "aes256-gcm-hkdf-\(segmentByteCount)b"
        }
    }
}

extension ECIESParameters {
    fileprivate var departures: String {
        (pointFormat == .compressed ? "+compressed" : "") + (dem == .aes256GCM ? "+aes256-gcm" : "")
            + (salt.isEmpty ? "" : "+salt")
    }
}
