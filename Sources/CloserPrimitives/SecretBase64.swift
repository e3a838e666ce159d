internal import CCloserSodium

/// Base64 of secrets: RFC 4648, strict, in constant time.
///
/// CloserWire's codec is faster and looks letters up in tables, which is right for ciphertext only.
package enum SecretBase64: Sendable {
    /// RFC 4648 §4, padded.
    case standard
    /// RFC 4648 §5, without padding.
    case url

    /// The text is not base64 of this alphabet in its one spelling.
    package struct DecodingError: Error, Equatable, Sendable {}

    private var variant: CInt {
        switch self {
        case .standard: sodium_base64_VARIANT_ORIGINAL
        case .url: sodium_base64_VARIANT_URLSAFE_NO_PADDING
        }
    }

    /// How many characters `byteCount` bytes take.
    package func encodedCount(_ byteCount: Int) -> Int {
        self == .standard ? (byteCount + 2) / 3 * 4 : (byteCount * 4 + 2) / 3
    }

    /// Appends the text of `bytes` in ASCII. The C function is `sodium_bin2base64`.
    package func encode(_ bytes: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        Sodium.start()
        // One more byte for the NUL that C appends; it stays in guarded memory and is not handed on.
        let room = encodedCount(bytes.count) + 1
        let text = SecretBytes(capacity: room) { text in
            unsafe text.append(room) { target in
                unsafe bytes.withPointer { source, count in
                    unsafe target.withMemoryRebound(to: CChar.self, capacity: room) {
                        unsafe sodium_bin2base64($0, room, source, count, variant) != nil
                    }
                }
            }
        }
        text.withBytes { output.append(copying: $0.extracting(droppingLast: 1)) }
    }

    /// The bytes that `text` (ASCII) stands for. Any other spelling of the same bytes is refused.
    ///
    /// The C function is `sodium_base642bin`, which refuses wrong padding, stray bits and white space.
    package func decode(_ text: Span<UInt8>) throws(DecodingError) -> SecretBytes {
        Sodium.start()
        let room = max(1, text.count / 4 * 3 + 3)
        var written = 0
        let bytes = try SecretBytes(capacity: room) { (output) throws(DecodingError) in
            let isWhole = unsafe output.tryAppend(room) { target in
                unsafe text.withPointer { source, count in
                    unsafe source.withMemoryRebound(to: CChar.self, capacity: count) {
                        unsafe sodium_base642bin(target, room, $0, count, nil, &written, nil, variant) == 0
                    }
                }
            }
            guard isWhole else { throw DecodingError() }
            output.removeLast(room - written)
        }
        return bytes
    }
}
