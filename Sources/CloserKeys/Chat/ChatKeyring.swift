package import CloserPrimitives
package import CloserWire

/// Our chat keys with a person, the oldest first, of which a message names one (closer-keys-formats(7), CHATS, Chat keys).
///
/// One owner has the bytes of all: a guarded page for each key would be more than a process gets.
package struct ChatKeyring: Sendable {
    /// `(u32be(index) ‖ private key)*`.
    private let secret: Secret
    /// The births, which rise.
    package let indices: [UInt32]

    private final class Secret: Sendable {
        let bytes: SecretBytes
        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }

    private static let entryByteCount = 4 + X25519.byteCount
    package static let maximumCount = 64
    package static let maximumByteCount = maximumCount * entryByteCount

    /// No key.
    package init() { (secret, indices) = (Secret(SecretBytes(copying: [])), []) }

    private init(_ secret: consuming SecretBytes, _ indices: [UInt32]) {
        (self.secret, self.indices) = (Secret(secret), indices)
    }

    /// Reads ``copy()``; nil for another form, or for births that do not rise.
    package init?(parsing secret: consuming SecretBytes) {
        let count = secret.count
        guard count.isMultiple(of: Self.entryByteCount), count <= Self.maximumByteCount else { return nil }
        let indices = secret.withBytes { bytes in
            stride(from: 0, to: count, by: Self.entryByteCount)
                .map { UInt32(bigEndian: bytes.extracting($0..<$0 + 4)) }
        }
        guard zip([0] + indices, indices).allSatisfy({ $0 < $1 }) else { return nil }
        self.init(secret, indices)
    }

    /// The birth of the newest key.
    package var newest: UInt32? { indices.last }

    /// The key of this birth; nil if it is not here.
    package func key(_ index: UInt32) -> ChatChannel.Key<X25519PrivateKey>? {
        guard let place = indices.firstIndex(of: index) else { return nil }
        let scalar = withEntry(place) { SecretBytes(copying: $0.extracting(droppingFirst: 4)) }
        return ChatChannel.Key(X25519PrivateKey(X25519.PrivateKey(adopting: scalar)), index: index)
    }

    /// The key to which the other person sealed a message.
    package func key(for token: ChatToken) throws(LookupError) -> ChatChannel.Key<X25519PrivateKey> {
        // Such a message opens: an attacker with our keys can agree with us alone.
        guard indices.allSatisfy({ key($0)?.key.publicKey != token.senderKey }) else { throw .reflected }
        guard let key = key(token.recipientIndex) else {
            throw .gone(isOlderCopy: token.recipientIndex > newest ?? 0)
        }
        return key
    }

    /// With a key that was born now or later. The oldest makes room.
    package func adding(_ key: ChatChannel.Key<X25519PrivateKey>) -> ChatKeyring {
        let kept = indices.count < Self.maximumCount ? self : keeping { $0 != indices[0] }
        let secret = SecretBytes(capacity: (kept.indices.count + 1) * Self.entryByteCount) { output in
            kept.secret.bytes.withBytes { output.append($0) }
            output.append(bigEndian: key.index)
            key.key.key.withScalar { output.append($0) }
        }
        return ChatKeyring(secret, kept.indices + [key.index])
    }

    /// The keys of these births alone.
    package func keeping(_ isKept: (UInt32) -> Bool) -> ChatKeyring {
        let kept = indices.indices.filter { isKept(indices[$0]) }
        guard kept.count < indices.count else { return self }
        let bytes = SecretBytes(capacity: kept.count * Self.entryByteCount) { output in
            for place in kept { withEntry(place) { output.append($0) } }
        }
        return ChatKeyring(bytes, kept.map { indices[$0] })
    }

    /// For a vault's record, and for an extension's item.
    package func copy() -> SecretBytes { secret.bytes.withBytes { SecretBytes(copying: $0) } }

    private func withEntry<Result: ~Copyable>(_ place: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        secret.bytes.withBytes { bytes in
            body(bytes.extracting(place * Self.entryByteCount..<(place + 1) * Self.entryByteCount))
        }
    }

    /// Why a message has no key.
    package enum LookupError: IdentifiedError, Equatable {
        /// The sender's key in it is one of ours.
        case reflected
        /// The message is sealed to a key that was deleted, or that a newer copy of the vault has.
        case gone(isOlderCopy: Bool)
        package var errorID: ErrorID { self == .reflected ? .authFailed : .noKey }
    }
}

extension ChatKeyring: Equatable {
    /// No two keys with a person are born in one second.
    package static func == (one: ChatKeyring, other: ChatKeyring) -> Bool { one.indices == other.indices }
}
