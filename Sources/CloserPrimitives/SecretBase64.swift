/// Base64 of secrets (RFC 4648): strict, and in constant time.
///
/// `Base64` in CloserWire is faster, but looks letters up in tables: which cache lines it touches depends on the
/// bytes. That is right for ciphertext and public keys alone.
package enum SecretBase64: Sendable {
    /// RFC 4648 §4, padded.
    case standard
    /// RFC 4648 §5, without padding.
    case url

    /// The text is not base64 of this alphabet in its only accepted spelling.
    package struct DecodingError: Error, Equatable, Sendable {}

    /// How many characters `byteCount` bytes take.
    package func encodedCount(_ byteCount: Int) -> Int {
        self == .standard ? (byteCount + 2) / 3 * 4 : (byteCount * 4 + 2) / 3
    }

    /// Appends the text of `bytes` in ASCII. The C function is `sodium_bin2base64`.
    package func encode(_ bytes: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        // The NUL that C appends stays in guarded memory.
        textForC(bytes).withBytes { output.append(copying: $0.extracting(droppingLast: 1)) }
    }

    /// The bytes that `text` (ASCII) stands for. The C function is `sodium_base642bin`.
    ///
    /// - Throws: ``DecodingError`` for any other spelling of the same bytes: wrong padding, stray bits, white space.
    package func decode(_ text: Span<UInt8>) throws(DecodingError) -> SecretBytes {
        // One group more than the text has, so that C never runs out of room.
        let room = max(1, text.count / 4 * 3 + 3)
        return try SecretBytes(capacity: room) { (output) throws(DecodingError) in
            guard appendDecoded(text, room: room, to: &output) else { throw DecodingError() }
        }
    }
}
