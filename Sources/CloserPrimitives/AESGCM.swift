/// AES-128-GCM or AES-256-GCM under one key: 96-bit nonce, 128-bit tag (NIST SP 800-38D; RFC 5116 §5).
///
/// It may be used from several threads.
///
/// Two shapes occur. Where a format has the nonce elsewhere, a box is `ciphertext ‖ tag`. Everywhere else a box is
/// *combined*: `nonce ‖ ciphertext ‖ tag`, as CryptoKit calls it and as Tink, the wraps and the vault write it.
///
/// - Important: A key must see each nonce once. The combined functions draw one for each message.
package final class AESGCM: Sendable {
    package static let nonceByteCount = 12
    package static let tagByteCount = 16
    /// 28: how many bytes a combined box has more than its plaintext.
    package static let overheadByteCount = nonceByteCount + tagByteCount

    /// The key does not fit or a byte changed. The two look alike.
    package struct AuthenticationFailure: Error, Equatable, Sendable {}

    /// 96 bits, copied out of wherever they are, so that the output that holds them can be written meanwhile.
    struct Nonce {
        private let head: UInt64
        private let tail: UInt32

        init(_ bytes: Span<UInt8>) {
            precondition(bytes.count == nonceByteCount, "a GCM nonce has 12 bytes")
            unsafe head = bytes.bytes.unsafeLoadUnaligned(as: UInt64.self)
            unsafe tail = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt32.self)
        }

        /// Lends the 12 bytes, in their order.
        @unsafe func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            // The fields follow each other without a gap; behind them the struct has no bytes, since its size is 12.
            unsafe withUnsafeBytes(of: self, body)
        }
    }

    private let cipher: Cipher

    /// Takes a key of 16 or 32 bytes; any other length is a mistake of the caller and stops the process.
    package init(key: borrowing SecretBytes) {
        precondition([16, 32].contains(key.count), "an AES key has 16 or 32 bytes, not \(key.count)")
        cipher = key.withBytes(Cipher.init)
    }

    // MARK: - With a nonce of the caller's

    /// Appends `ciphertext ‖ tag`, 16 bytes longer than `plaintext`.
    package func seal(
        _ plaintext: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) {
        cipher.seal(plaintext, nonce: Nonce(nonce), authenticating: data, into: &output)
    }

    /// Appends the plaintext of `box`, which is `ciphertext ‖ tag`.
    ///
    /// - Throws: ``AuthenticationFailure``. What was decrypted by then is wiped, and the output stays as it was.
    package func open(
        _ box: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(AuthenticationFailure) {
        guard box.count >= Self.tagByteCount else { throw AuthenticationFailure() }
        let isAuthentic = cipher.open(
            box.extracting(droppingLast: Self.tagByteCount), tag: box.extracting(last: Self.tagByteCount),
            nonce: Nonce(nonce), authenticating: data, into: &output)
        guard isAuthentic else { throw AuthenticationFailure() }
    }

    // MARK: - Combined: `nonce ‖ ciphertext ‖ tag`

    /// Appends a combined box, 28 bytes longer than `plaintext`, under a nonce that it draws.
    package func seal(
        _ plaintext: Span<UInt8>, nonceFrom randomness: Randomness, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) {
        randomness.appendNonce(Self.nonceByteCount, to: &output)
        let nonce = Nonce(output.span.extracting(last: Self.nonceByteCount))
        cipher.seal(plaintext, nonce: nonce, authenticating: data, into: &output)
    }

    /// A combined box, 28 bytes longer than `plaintext`, under a nonce that it draws.
    package func sealCombined(
        _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, nonceFrom randomness: Randomness = .system
    ) -> [UInt8] {
        var box: [UInt8] = []
        box.append(addingCapacity: plaintext.count + Self.overheadByteCount) {
            seal(plaintext, nonceFrom: randomness, authenticating: data, into: &$0)
        }
        return box
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

    /// Opens a box into memory that dies with the call that opened it.
    ///
    /// - Throws: ``AuthenticationFailure``, also for a box that is shorter than 28 bytes.
    package func openShortLived(
        _ box: Span<UInt8>, authenticating data: Span<UInt8>
    ) throws(AuthenticationFailure) -> SecretBytes {
        guard box.count >= Self.overheadByteCount else { throw AuthenticationFailure() }
        return try SecretBytes(shortLived: box.count - Self.overheadByteCount) {
            (output) throws(AuthenticationFailure) in
            try openCombined(box, authenticating: data, into: &output)
        }
    }
}
