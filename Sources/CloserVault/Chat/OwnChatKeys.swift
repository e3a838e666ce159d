internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// Our chat keys with a person, the oldest first: one owner of all their bytes.
struct OwnChatKeys: Sendable {
    /// `(u32be(index) ‖ private key)*`.
    private let secret: StoredSecret?
    /// The births, which rise.
    let indices: [UInt32]

    private static let entryByteCount = 4 + X25519.byteCount
    static let maximumCount = 64
    static let maximumByteCount = maximumCount * entryByteCount

    init() { (secret, indices) = (nil, []) }

    private init(_ secret: StoredSecret?, _ indices: [UInt32]) {
        (self.secret, self.indices) = (secret, indices)
    }

    /// What the vault or an extension's item holds.
    init(_ secret: StoredSecret?) throws(VaultError) {
        let count = secret?.bytes.count ?? 0
        guard count.isMultiple(of: Self.entryByteCount), count <= Self.maximumByteCount else {
            throw .damaged
        }
        let indices =
            secret?.bytes.withBytes { bytes in
                stride(from: 0, to: count, by: Self.entryByteCount).map {
                    UInt32(bigEndian: [UInt8](copying: bytes.extracting($0..<$0 + 4)))
                }
            } ?? []
        guard zip([0] + indices, indices).allSatisfy({ $0 < $1 }) else { throw .damaged }
        self.init(secret, indices)
    }

    var newest: UInt32? { indices.last }

    /// The key of this birth; nil if it is not here.
    func key(_ index: UInt32) -> ChatChannel.Key<X25519PrivateKey>? {
        guard let secret, let place = indices.firstIndex(of: index) else { return nil }
        let start = place * Self.entryByteCount
        let scalar = secret.bytes.withBytes {
            SecretBytes(copying: $0.extracting(start + 4..<start + Self.entryByteCount))
        }
        return ChatChannel.Key(X25519PrivateKey(X25519.PrivateKey(adopting: scalar)), index: index)
    }

    /// With a new one. The oldest makes room.
    func adding(_ index: UInt32) -> OwnChatKeys {
        let kept = suffix(Self.maximumCount - 1)
        let secret = SecretBytes(capacity: (kept.indices.count + 1) * Self.entryByteCount) { output in
            kept.secret?.bytes.withBytes { output.append($0) }
            output.append([UInt8](bigEndian: index).span)
            X25519.PrivateKey().withScalar { output.append($0) }
        }
        return OwnChatKeys(StoredSecret(secret), kept.indices + [index])
    }

    /// Those of these births, and no other.
    func keeping(_ isKept: (UInt32) -> Bool) -> OwnChatKeys {
        let kept = indices.indices.filter { isKept(indices[$0]) }
        guard kept.count < indices.count else { return self }
        guard let secret, !kept.isEmpty else { return OwnChatKeys() }
        let bytes = SecretBytes(capacity: kept.count * Self.entryByteCount) { output in
            secret.bytes.withBytes { bytes in
                for place in kept {
                    let start = place * Self.entryByteCount
                    output.append(bytes.extracting(start..<start + Self.entryByteCount))
                }
            }
        }
        return OwnChatKeys(StoredSecret(bytes), kept.map { indices[$0] })
    }

    private func suffix(_ count: Int) -> OwnChatKeys {
        let kept = Set(indices.suffix(count))
        return keeping { kept.contains($0) }
    }

    func write(to output: inout OutputSpan<UInt8>) { output.append(field: secret) }

    /// For an extension's item.
    func copy() -> SecretBytes { secret?.copy() ?? SecretBytes(copying: []) }
}

extension OwnChatKeys: Equatable {
    /// No two keys with a person are born in one second.
    static func == (one: OwnChatKeys, other: OwnChatKeys) -> Bool { one.indices == other.indices }
}
