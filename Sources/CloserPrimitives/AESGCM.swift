internal import Synchronization

/// AES-128-GCM or AES-256-GCM under one key: 96-bit nonce, 128-bit tag (NIST SP 800-38D; RFC 5116 §5).
///
/// It keeps the key schedule, so that the second message costs less than half of the first. It may be used from
/// several threads; they take turns.
///
/// Two shapes occur. Where a format has the nonce elsewhere, a box is `ciphertext ‖ tag`. Everywhere else a box is
/// *combined*: `nonce ‖ ciphertext ‖ tag`, as CryptoKit calls it and as Tink, the wraps and the vault write it.
///
/// - Important: A nonce must never be used twice with a key. The combined functions draw one for each message.
package final class AESGCM: Sendable {
    /// 12 bytes.
    package static let nonceByteCount = 12
    /// 16 bytes.
    package static let tagByteCount = 16
    /// 28: how many bytes a combined box has more than its plaintext.
    package static let overheadByteCount = nonceByteCount + tagByteCount

    /// The key does not fit or a byte changed. Nobody can tell which, and we do not guess.
    package struct AuthenticationFailure: Error, Equatable, Sendable {}

    private let context: Mutex<CipherContext>

    /// Takes a key of 16 or 32 bytes; any other length is a mistake of the caller and stops the process.
    package init(key: borrowing SecretBytes) {
        precondition([16, 32].contains(key.count), "an AES key has 16 or 32 bytes, not \(key.count)")
        context = Mutex(key.withBytes(CipherContext.init))
    }

    // MARK: - With a nonce of the caller's

    /// Appends `ciphertext ‖ tag`, 16 bytes longer than `plaintext`.
    package func seal(
        _ plaintext: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) {
        precondition(nonce.count == Self.nonceByteCount, "a GCM nonce has 12 bytes")
        context.withLock { context in
            context.start(.seal, nonce: nonce, authenticating: data)
            context.seal(plaintext, tagByteCount: Self.tagByteCount, into: &output)
        }
    }

    /// Appends the plaintext of `box`, which is `ciphertext ‖ tag`.
    ///
    /// - Throws: ``AuthenticationFailure``. What was decrypted by then is wiped, and nothing is appended.
    package func open(
        _ box: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(AuthenticationFailure) {
        precondition(nonce.count == Self.nonceByteCount, "a GCM nonce has 12 bytes")
        guard box.count >= Self.tagByteCount else { throw AuthenticationFailure() }
        let ciphertext = box.extracting(droppingLast: Self.tagByteCount)
        let tag = box.extracting(last: Self.tagByteCount)
        let isAuthentic = context.withLock { context in
            context.start(.open, nonce: nonce, authenticating: data)
            return context.open(ciphertext, tag: tag, into: &output)
        }
        guard isAuthentic else {
            output.wipeLast(ciphertext.count)
            throw AuthenticationFailure()
        }
    }

    // MARK: - Combined: `nonce ‖ ciphertext ‖ tag`

    /// Appends a combined box, 28 bytes longer than `plaintext`, under a nonce that it draws.
    package func seal(
        _ plaintext: Span<UInt8>, nonceFrom randomness: Randomness, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) {
        randomness.append(Self.nonceByteCount, to: &output)
        context.withLock { context in
            context.start(
                .seal, nonce: output.span.extracting(last: Self.nonceByteCount), authenticating: data)
            context.seal(plaintext, tagByteCount: Self.tagByteCount, into: &output)
        }
    }

    /// A combined box, 28 bytes longer than `plaintext`, under a nonce that it draws.
    package func sealCombined(
        _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, nonceFrom randomness: Randomness = .system
    ) -> [UInt8] {
        [UInt8](capacity: plaintext.count + Self.overheadByteCount) {
            seal(plaintext, nonceFrom: randomness, authenticating: data, into: &$0)
        }
    }

    /// Appends the plaintext of a combined box.
    ///
    /// - Throws: ``AuthenticationFailure``, also for a box that is shorter than 28 bytes.
    package func openCombined(
        _ box: Span<UInt8>, authenticating data: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(AuthenticationFailure) {
        guard box.count >= Self.overheadByteCount else { throw AuthenticationFailure() }
        try open(
            box.extracting(droppingFirst: Self.nonceByteCount),
            nonce: box.extracting(first: Self.nonceByteCount), authenticating: data, into: &output)
    }

    /// The plaintext of a combined box, in locked memory: for boxes that hold a key or a phrase.
    ///
    /// - Throws: ``AuthenticationFailure``, also for a box that is shorter than 28 bytes.
    package func openCombined(
        _ box: Span<UInt8>, authenticating data: Span<UInt8>
    ) throws(AuthenticationFailure) -> SecretBytes {
        guard box.count >= Self.overheadByteCount else { throw AuthenticationFailure() }
        return try SecretBytes(capacity: box.count - Self.overheadByteCount) {
            (output) throws(AuthenticationFailure) in
            try openCombined(box, authenticating: data, into: &output)
        }
    }
}
