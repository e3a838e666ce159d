package import CloserPrimitives
public import CloserTink

/// The key that encrypts what both partners may read: a Tink AES-256-GCM keyset.
///
/// After a rotation it holds several keys: the primary seals, the older ones still open (formats §3).
///
/// - Important: There is no copy on our servers. Lose every device and the phrase, and the data is gone.
public struct CoupleKey: Sendable {
    public let keyset: Keyset
    private let aead: KeysetAEAD

    /// Takes a keyset of AES-256-GCM keys and nothing else; any other is `.wrongKind`.
    public init(_ keyset: Keyset) throws(KeysetError) {
        aead = try KeysetAEAD(keyset)
        self.keyset = keyset
    }
}

extension CoupleKey {
    /// Whether every enabled key of `other` is in it with the same bytes: taking it in place of `other` loses nothing.
    public func hasAllKeys(of other: CoupleKey) -> Bool {
        other.enabledEntries.allSatisfy { theirs in
            enabledEntries.contains { ours in
                ours.id == theirs.id && ours.key.withBytes { a in theirs.key.withBytes { a.isEqual(to: $0) } }
            }
        }
    }
}

/// Why a field was not sealed.
public enum FieldSealError: Error, Equatable, Sendable {
    /// More than ``CoupleKey/maximumFieldByteCount`` bytes.
    case plaintextTooLarge
}

// MARK: - Fields (formats §4)

extension CoupleKey {
    /// The most that one field holds: 1 MiB.
    public static let maximumFieldByteCount = 1 << 20

    /// Seals `plaintext` verbatim; empty is legal. The token opens for this couple only.
    public func seal(
        field plaintext: some Collection<UInt8>, couple: Identifier
    ) throws(FieldSealError) -> FieldToken {
        try seal(field: Array(plaintext).span, couple: couple, from: .system)
    }

    /// Opens a field of this couple.
    public func open(_ token: FieldToken, couple: Identifier) throws(OpenError) -> Opened {
        try aead.open(token.ciphertext.span, associatedData: couple.bytes.span)
    }

    package func seal(
        field plaintext: Span<UInt8>, couple: Identifier, from randomness: Randomness
    ) throws(FieldSealError) -> FieldToken {
        guard plaintext.count <= Self.maximumFieldByteCount else { throw .plaintextTooLarge }
        let ciphertext = aead.seal(plaintext, associatedData: couple.bytes.span, from: randomness)
        do { return try FieldToken(ciphertext) } catch {
            preconditionFailure("a ciphertext was too short for a token")
        }
    }
}
