public import CloserPrimitives
package import CloserWire

/// Tink's ECIES over a keyset: sealed to a public key, for one context (closer-keys-formats(7), KEYBOXES).
///
/// `prefix(5) ‖ kem(65 or 33) ‖ iv(12) ‖ ciphertext ‖ tag(16)`: 98 bytes more than the plaintext, 66 with
/// compressed points.
///
/// - Important: A box has no sender. Everyone with the public key can make one (docs/threat-model.md#w5).
public enum HybridBox {
    /// 61: a compressed point, an IV and a tag, for a raw key and an empty plaintext.
    public static let minimumByteCount = 33 + AESGCM.overheadByteCount

    /// Seals to the primary of a public keyset, with a new ephemeral key.
    ///
    /// - Throws: `.notAPublicKeyset`, or `.contextTooLong` above 32 KiB.
    public static func seal(
        _ plaintext: borrowing SecretBytes, to keyset: Keyset, context: some Collection<UInt8>
    ) throws(HybridSealError) -> [UInt8] {
        try plaintext.withBytes { (plaintext) throws(HybridSealError) in
            try seal(plaintext, to: keyset, context: Array(context).span)
        }
    }

    /// Seals public bytes or a text, as ``seal(_:to:context:)-(SecretBytes,_,_)`` does.
    ///
    /// - Throws: `.notAPublicKeyset`, or `.contextTooLong` above 32 KiB.
    public static func seal(
        _ plaintext: some Collection<UInt8>, to keyset: Keyset, context: some Collection<UInt8>
    ) throws(HybridSealError) -> [UInt8] {
        try seal(Array(plaintext).span, to: keyset, context: Array(context).span)
    }

    /// Opens with the private key that fits. A box mostly holds a key, so the plaintext stays in locked memory.
    ///
    /// - Throws: ``OpenError``: `.tooShort`, `.noMatchingKey`, `.authenticationFailed`, or `.contextTooLong` above 32 KiB.
    public static func open(
        _ box: some Collection<UInt8>, with keyset: Keyset, context: some Collection<UInt8>
    ) throws(OpenError) -> OpenedSecret {
        try open(Array(box).span, with: keyset, context: Array(context).span)
    }

    /// Seals spans, with the caller's randomness.
    package static func seal(
        _ plaintext: Span<UInt8>, to keyset: Keyset, context: Span<UInt8>,
        from randomness: Randomness = .system
    ) throws(HybridSealError) -> [UInt8] {
        let primary = keyset.primary
        guard case .eciesPublic(let key)? = primary.material else { throw .notAPublicKeyset }
        guard context.count <= HKDF.maximumInfoByteCount else { throw .contextTooLong }
        let overhead = OutputPrefix.byteCount + key.kemByteCount + AESGCM.overheadByteCount
        return [UInt8](capacity: plaintext.count + overhead) { output in
            primary.prefix.append(keyID: primary.id, to: &output)
            key.seal(plaintext, context: context, from: randomness, into: &output)
        }
    }

    package static func open(
        _ box: Span<UInt8>, with keyset: Keyset, context: Span<UInt8>
    ) throws(OpenError) -> OpenedSecret {
        guard context.count <= HKDF.maximumInfoByteCount else { throw .contextTooLong }
        guard box.count >= minimumByteCount else { throw .tooShort }
        var keyID: UInt32 = 0
        // A box mostly holds a key that is read at once. Pages of its own would cost a sixth of the time to open it.
        let plaintext = try SecretBytes(shortLived: box.count) { (output) throws(OpenError) in
            keyID = try keyset.firstToOpen(box) { (material, body) throws(OpenError) in
                guard case .eciesPrivate(let key) = material else { throw .noMatchingKey }
                try key.open(body, context: context, into: &output)
            }
        }
        return OpenedSecret(plaintext: plaintext, keyID: keyID)
    }
}

/// What a keybox held, and the key that opened it.
@frozen public struct OpenedSecret: ~Copyable, Sendable {
    /// What was sealed.
    public let plaintext: SecretBytes
    /// The id of the private key that opened it.
    public let keyID: UInt32

    /// Hands the plaintext to a new owner, also where the result is unnamed: `open(…).takePlaintext()`.
    public consuming func takePlaintext() -> SecretBytes { plaintext }
}

/// Why sealing failed.
public enum HybridSealError: Error, Equatable, Sendable {
    /// The primary is not an ECIES public key.
    case notAPublicKeyset
    /// The context is longer than HKDF's 32 KiB.
    case contextTooLong
}

extension ECIESPublicKey {
    fileprivate var kemByteCount: Int { parameters.pointFormat.encoding.byteCount }

    fileprivate func seal(
        _ plaintext: Span<UInt8>, context: Span<UInt8>, from randomness: Randomness,
        into output: inout OutputSpan<UInt8>
    ) {
        let ephemeral = P256.PrivateKey.ephemeral(from: randomness)
        let kem = ephemeral.publicKey.encoded(parameters.pointFormat.encoding)
        output.append(kem)
        let cipher = parameters.cipher(
            kem: kem.span, secret: ephemeral.sharedSecret(with: point), context: context)
        cipher.seal(plaintext, nonceFrom: randomness, authenticating: Span(), into: &output)
    }
}

extension ECIESPrivateKey {
    fileprivate func open(
        _ body: Span<UInt8>, context: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) {
        let parameters = publicKey.parameters
        let format = parameters.pointFormat.encoding
        let kemByteCount = format.byteCount
        guard body.count >= kemByteCount + AESGCM.overheadByteCount else { throw .tooShort }
        let kem = body.extracting(first: kemByteCount)
        // An invalid point counts as changed bytes, and gets the same answer. A sender of boxes must
        // not learn from the error how far one came.
        guard let theirs = try? P256.PublicKey(kem, format: format) else {
            throw .authenticationFailed
        }
        let cipher = parameters.cipher(kem: kem, secret: scalar.sharedSecret(with: theirs), context: context)
        let sealed = body.extracting(droppingFirst: kemByteCount)
        do { try cipher.openCombined(sealed, authenticating: Span(), into: &output) } catch {
            throw .authenticationFailed
        }
    }
}

extension ECIESParameters {
    /// The cipher of one box, under `HKDF-SHA256(ikm = kem ‖ Z, salt, info = context)`, Z being the shared secret.
    fileprivate func cipher(kem: Span<UInt8>, secret: borrowing SecretBytes, context: Span<UInt8>) -> AESGCM {
        let keyMaterial = SecretBytes(shortLived: kem.count + secret.count) { output in
            output.append(kem)
            secret.withBytes { output.append($0) }
        }
        return AESGCM(
            key: HKDF.derive(from: keyMaterial, salt: salt.span, info: context, count: dem.keyByteCount))
    }
}

extension HybridSealError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .notAPublicKeyset:
            ErrorWords(
                .malformed, "this is not a public key", "take the public half of the keyset",
                typing: "closer-keys keyset public")
        case .contextTooLong: ErrorWords(.limit, "a context has at most 32768 bytes")
        }
    }
}
