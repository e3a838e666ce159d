public import CloserPrimitives

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

// Rotation: add a key, let every reader learn it, then make it the primary. Each step gives a new keyset.
extension Keyset {
    /// The keyset with one more key, enabled and not primary; with its template's prefix, if none is given.
    public func adding(
        _ template: KeyTemplate, prefix: OutputPrefix? = nil, from randomness: Randomness = .system
    ) throws(KeysetError) -> Keyset {
        let id = Self.newID(besides: entries.map(\.id), from: randomness)
        let entry = KeyEntry(
            id: id, prefix: prefix ?? template.prefix, material: template.newKey(from: randomness))
        guard let added = entry.material?.kind, kind == added else {
            throw .wrongKind(expected: kind ?? .aesGCM)
        }
        return try Keyset(entries: entries + [entry], primaryID: primaryID)
    }

    /// The keyset with another primary, which must be enabled.
    public func promoting(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard entries.contains(where: { $0.id == id && $0.status == .enabled }) else { throw .notEnabled(id) }
        return try Keyset(entries: entries, primaryID: id)
    }

    /// The keyset with a key that opens nothing any more. It can be read again by nobody but who enables it.
    public func disabling(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard id != primaryID else { throw .isPrimary(id) }
        let entries = entries.map { entry in
            guard entry.id == id, entry.status == .enabled else { return entry }
            var disabled = entry
            disabled.status = .disabled
            return disabled
        }
        return try Keyset(entries: entries, primaryID: primaryID)
    }

    /// The keyset without a key. What that key alone opens cannot be read any more.
    public func removing(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard id != primaryID else { throw .isPrimary(id) }
        return try Keyset(entries: entries.filter { $0.id != id }, primaryID: primaryID)
    }

    /// A random id that is not 0 and not taken.
    static func newID(besides taken: [UInt32], from randomness: Randomness) -> UInt32 {
        while true {
            let id = randomness.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if id != 0, !taken.contains(id) { return id }
        }
    }
}
