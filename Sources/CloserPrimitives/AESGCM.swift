internal import Synchronization

/// AES-128-GCM or AES-256-GCM under one key: 96-bit nonce, 128-bit tag (NIST SP 800-38D; RFC 5116 §5).
///
/// Keeps the key schedule, so that the second message costs less than half of the first. May be used from
/// several threads; they take turns.
///
/// - Important: A nonce must never be used twice with a key. ``seal(_:nonceFrom:authenticating:into:)`` draws one.
package final class AESGCM: Sendable {
    /// 12 bytes.
    package static let nonceByteCount = 12
    /// 16 bytes.
    package static let tagByteCount = 16

    /// The key does not fit or a byte changed. Nobody can tell which, and we do not guess.
    package struct AuthenticationFailure: Error, Equatable, Sendable {}

    private let context: Mutex<CipherContext>

    /// Takes a key of 16 or 32 bytes; any other length is a mistake of the caller.
    package init(key: borrowing SecretBytes) {
        context = Mutex(key.withBytes(Self.context))
    }

    /// Appends `ciphertext ‖ tag`, 16 bytes longer than `plaintext`.
    package func seal(
        _ plaintext: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) {
        precondition(nonce.count == Self.nonceByteCount, "a GCM nonce has 12 bytes")
        context.withLock { context in
            context.start(.seal, nonce: nonce, authenticating: data)
            context.update(plaintext, into: &output)
            context.appendTag(Self.tagByteCount, to: &output)
        }
    }

    /// Appends `nonce ‖ ciphertext ‖ tag`, 28 bytes longer than `plaintext`, under a nonce that it draws.
    package func seal(
        _ plaintext: Span<UInt8>, nonceFrom randomness: Randomness, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) {
        randomness.append(Self.nonceByteCount, to: &output)
        context.withLock { context in
            context.start(
                .seal, nonce: output.span.extracting(last: Self.nonceByteCount), authenticating: data)
            context.update(plaintext, into: &output)
            context.appendTag(Self.tagByteCount, to: &output)
        }
    }

    /// Appends the plaintext of `box` (`ciphertext ‖ tag`), or wipes it and throws.
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
            context.update(ciphertext, into: &output)
            return context.accepts(tag: tag)
        }
        guard isAuthentic else {
            output.wipeLast(ciphertext.count)
            throw AuthenticationFailure()
        }
    }

    private static func context(key: Span<UInt8>) -> CipherContext {
        switch key.count {
        case 16: unsafe CipherContext(Libcrypto.aes128GCM, key: key)
        case 32: unsafe CipherContext(Libcrypto.aes256GCM, key: key)
        default: preconditionFailure("an AES key has 16 or 32 bytes, not \(key.count)")
        }
    }
}
