public import CloserPrimitives
internal import CloserWire

/// Tink's ECIES over a keyset (formats §2.3): sealed to a public key, for one context.
///
/// `prefix(5) ‖ kem(65 or 33) ‖ iv(12) ‖ ciphertext ‖ tag(16)`: 98 bytes more than the plaintext, 66 with
/// compressed points.
///
/// - Important: There is no sender in it. Whoever has the public key can make one.
public enum HybridBox {
    /// 61: a compressed point, an IV and a tag, under a key without a prefix and around no plaintext.
    public static let minimumByteCount = 33 + AESGCM.overheadByteCount

    /// Seals to the primary of a public keyset.
    public static func seal(
        _ plaintext: borrowing SecretBytes, to keyset: Keyset, context: some Collection<UInt8>
    ) throws(HybridSealError) -> [UInt8] {
        try plaintext.withBytes { (plaintext) throws(HybridSealError) in
            try seal(plaintext, to: keyset, context: Array(context).span)
        }
    }

    /// Opens with the private key that fits. What a keybox holds is often a key: it stays in locked memory.
    public static func open(
        _ box: some Collection<UInt8>, with keyset: Keyset, context: some Collection<UInt8>
    ) throws(OpenError) -> OpenedSecret {
        try open(Array(box).span, with: keyset, context: Array(context).span)
    }

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
        // What it holds is mostly a key that is read and done with: pages of its own would take a sixth of the time.
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
public struct OpenedSecret: ~Copyable, Sendable {
    public let plaintext: SecretBytes
    public let keyID: UInt32

    /// Hands the plaintext on. From another package it cannot be moved out of the property.
    public consuming func takePlaintext() -> SecretBytes { plaintext }
}

/// Why nothing was sealed.
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
        // A point that is none is a changed byte like any other: it gets the same answer.
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
    /// The cipher of one message: `K_dem = HKDF-SHA256(ikm = kem ‖ Z, salt, info = context)` (formats §2.3).
    fileprivate func cipher(
        kem: Span<UInt8>, secret: borrowing SecretBytes, context: Span<UInt8>
    ) -> AESGCM {
        let keyMaterial = SecretBytes(shortLived: kem.count + secret.count) { output in
            output.append(kem)
            secret.withBytes { output.append($0) }
        }
        return AESGCM(
            key: HKDF.derive(from: keyMaterial, salt: salt.span, info: context, count: dem.keyByteCount))
    }
}
