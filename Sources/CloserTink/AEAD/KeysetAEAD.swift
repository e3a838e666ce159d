public import CloserPrimitives
internal import CloserWire

/// Tink's AEAD over a keyset of AES-256-GCM keys (closer-keys-formats(7), TINK, AEAD ciphertexts).
///
/// `prefix ‖ iv(12) ‖ ciphertext ‖ tag(16)`: 33 bytes more than the plaintext, 28 under a RAW key.
///
/// - Important: The prefix is unauthenticated. Only the associated data ties a ciphertext to its place.
public struct KeysetAEAD: Sendable {
    /// 28: an IV and a tag, for a raw key and an empty plaintext.
    public static let minimumByteCount = AESGCM.overheadByteCount

    private let keyset: Keyset
    private let primaryKey: AESGCMKey
    private let primaryPrefix: OutputPrefix

    /// Takes a keyset whose keys are all AES-GCM.
    ///
    /// - Throws: `.wrongKind` for any other.
    public init(_ keyset: Keyset) throws(KeysetError) {
        let primary = keyset.primary
        guard keyset.kind == .aesGCM, case .aesGCM(let key)? = primary.material else {
            throw .wrongKind(expected: .aesGCM)
        }
        (self.keyset, primaryKey, primaryPrefix) = (keyset, key, primary.prefix)
    }

    /// Seals under the primary, with a new random IV. Pass `Randomness.pooledForNonces()` to seal many texts faster.
    public func seal(
        _ plaintext: some Collection<UInt8>, associatedData: some Collection<UInt8>,
        from randomness: Randomness = .system
    ) -> [UInt8] {
        seal(Array(plaintext).span, associatedData: Array(associatedData).span, from: randomness)
    }

    /// Opens with the key that fits, which the result names.
    ///
    /// - Throws: ``OpenError``: `.tooShort`, `.noMatchingKey` or `.authenticationFailed`.
    public func open(
        _ ciphertext: some Collection<UInt8>, associatedData: some Collection<UInt8>
    ) throws(OpenError) -> Opened {
        try open(Array(ciphertext).span, associatedData: Array(associatedData).span)
    }

    /// Seals spans, with the caller's randomness.
    package func seal(
        _ plaintext: Span<UInt8>, associatedData: Span<UInt8>, from randomness: Randomness = .system
    ) -> [UInt8] {
        var ciphertext: [UInt8] = []
        // `init(capacity:)` looks up the type of array each time, a tenth of what it takes to seal a short text.
        ciphertext.append(addingCapacity: plaintext.count + overheadByteCount) { output in
            seal(plaintext, associatedData: associatedData, from: randomness, into: &output)
        }
        return ciphertext
    }

    /// How many bytes a ciphertext has more than its plaintext: 33, or 28 under a RAW key.
    package var overheadByteCount: Int { primaryPrefix.byteCount + AESGCM.overheadByteCount }

    /// Appends what the others return.
    package func seal(
        _ plaintext: Span<UInt8>, associatedData: Span<UInt8>, from randomness: Randomness,
        into output: inout OutputSpan<UInt8>
    ) {
        primaryPrefix.append(keyID: keyset.primaryID, to: &output)
        primaryKey.seal(plaintext, associatedData: associatedData, from: randomness, into: &output)
    }

    package func open(_ ciphertext: Span<UInt8>, associatedData: Span<UInt8>) throws(OpenError) -> Opened {
        var (keyID, plaintext): (UInt32, [UInt8]) = (0, [])
        // Not 0, which writes into what all empty arrays share.
        try plaintext.append(addingCapacity: max(1, ciphertext.count)) { (output) throws(OpenError) in
            keyID = try open(ciphertext, associatedData: associatedData, into: &output)
        }
        return Opened(plaintext: plaintext, keyID: keyID)
    }

    /// Appends the plaintext, and returns the id of the key that opened it. `output` must have room for the ciphertext.
    package func open(
        _ ciphertext: Span<UInt8>, associatedData: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) -> UInt32 {
        guard ciphertext.count >= Self.minimumByteCount else { throw .tooShort }
        return try keyset.firstToOpen(ciphertext) { (material, body) throws(OpenError) in
            guard case .aesGCM(let key) = material else { throw .noMatchingKey }
            try key.open(body, associatedData: associatedData, into: &output)
        }
    }

    package func forThread() -> KeysetAEAD {
        do { return try KeysetAEAD(keyset.forThread()) } catch {
            preconditionFailure("a copy has other keys")
        }
    }
}
