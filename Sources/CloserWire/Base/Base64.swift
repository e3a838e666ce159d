/// Base64 (RFC 4648), strict: right alphabet, right padding, zero trailing bits, no white space.
///
/// There is exactly one accepted spelling of some bytes, so what was decoded encodes to the same text. Lax readers let a
/// server write one token in many ways (docs/threat-model.md#w22).
///
/// - Important: Only for ciphertext and public keys. Letters are looked up in tables, so the time depends on them; the
///   base64 of a secret goes through `SecretBase64` in CloserPrimitives.
package enum Base64: Sendable {
    /// RFC 4648 §4, padded with `=`.
    case standard
    /// RFC 4648 §5, without padding.
    case url

    /// The text is something else than base64 of this alphabet in its only accepted spelling.
    package struct DecodingError: IdentifiedError, Equatable, Sendable {
        package var errorID: ErrorID { .malformed }
    }

    /// The text of `bytes`.
    package func encode(_ bytes: Span<UInt8>) -> String {
        String(decoding: encodedBytes(bytes), as: UTF8.self)
    }

    /// The text of `bytes`.
    package func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    /// The text of `bytes`, in ASCII.
    package func encodedBytes(_ bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: encodedCount(bytes.count)) { encode(bytes, into: &$0) }
    }

    /// How many characters the text of so many bytes has at most.
    package func encodedCount(_ byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// Appends the text of `bytes`, in ASCII.
    package func encode(_ bytes: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        let letters = letters.span
        var index = 0
        while index + 3 <= bytes.count {
            let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
            output.append(letters[Int(group >> 18)])
            output.append(letters[Int(group >> 12 & 63)])
            output.append(letters[Int(group >> 6 & 63)])
            output.append(letters[Int(group & 63)])
            index += 3
        }
        encodeTail(bytes.extracting(droppingFirst: index), into: &output)
    }

    /// The bytes that `text` (ASCII) stands for. Throws ``DecodingError`` for every other spelling of the same bytes.
    package func decode(_ text: Span<UInt8>) throws(DecodingError) -> [UInt8] {
        try [UInt8](capacity: decodedCount(text.count)) { (output) throws(DecodingError) in
            try decode(text, into: &output)
        }
    }

    /// How many bytes so many characters stand for at most.
    package func decodedCount(_ characterCount: Int) -> Int { (characterCount + 3) / 4 * 3 }

    /// Appends the bytes that `text` (ASCII) stands for. If it throws, some of them may be appended.
    package func decode(_ text: Span<UInt8>, into output: inout OutputSpan<UInt8>) throws(DecodingError) {
        let letters = text.extracting(first: try letterCount(text))
        guard letters.count % 4 != 1 else { throw DecodingError() }
        let values = values.span
        let whole = letters.count / 4 * 4
        for index in stride(from: 0, to: whole, by: 4) {
            let group =
                UInt32(values[Int(letters[index])]) << 24 | UInt32(values[Int(letters[index + 1])]) << 16
                | UInt32(values[Int(letters[index + 2])]) << 8 | UInt32(values[Int(letters[index + 3])])
            guard group & 0x8080_8080 == 0 else { throw DecodingError() }
            output.append(UInt8(truncatingIfNeeded: group >> 22 | group >> 20 & 3))
            output.append(UInt8(truncatingIfNeeded: group >> 12 & 0xF0 | group >> 10 & 15))
            output.append(UInt8(truncatingIfNeeded: group >> 2 & 0xC0 | group & 63))
        }
        try decodeTail(letters.extracting(droppingFirst: whole), into: &output)
    }

    /// The bytes that `text` stands for.
    package func decode(_ text: String) throws(DecodingError) -> [UInt8] {
        try decode(Array(text.utf8).span)
    }

    // MARK: - Ends

    private func encodeTail(_ tail: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        guard !tail.isEmpty else { return }
        let group = UInt32(tail[0]) << 16 | (tail.count == 2 ? UInt32(tail[1]) << 8 : 0)
        for shift in [18, 12, 6].prefix(tail.count + 1) { output.append(letters[Int(group >> shift & 63)]) }
        guard self == .standard else { return }
        for _ in tail.count..<3 { output.append(UInt8(ascii: "=")) }
    }

    /// Decodes the last two or three letters, which stand for one or two bytes. The bits that are left over must be 0.
    private func decodeTail(_ tail: Span<UInt8>, into output: inout OutputSpan<UInt8>) throws(DecodingError) {
        guard !tail.isEmpty else { return }
        var group: UInt32 = 0
        for index in tail.indices {
            let value = values[Int(tail[index])]
            guard value < 64 else { throw DecodingError() }
            group = group << 6 | UInt32(value)
        }
        let strayBitCount = tail.count == 2 ? 4 : 2
        guard group & (1 << strayBitCount - 1) == 0 else { throw DecodingError() }
        group >>= UInt32(strayBitCount)
        if tail.count == 3 { output.append(UInt8(truncatingIfNeeded: group >> 8)) }
        output.append(UInt8(truncatingIfNeeded: group))
    }

    /// How many letters stand before the padding. A padded text has a multiple of four characters, at most two of them
    /// padding; whether that was right for the letters, their count shows.
    private func letterCount(_ text: Span<UInt8>) throws(DecodingError) -> Int {
        guard self == .standard else { return text.count }
        guard text.count % 4 == 0 else { throw DecodingError() }
        var count = text.count
        while count > 0, count > text.count - 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        return count
    }

    // MARK: - Tables

    private var letters: [UInt8] { self == .standard ? Self.standardLetters : Self.urlLetters }
    private var values: [UInt8] { self == .standard ? Self.standardValues : Self.urlValues }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardLetters = Array("\(common)+/".utf8)
    private static let urlLetters = Array("\(common)-_".utf8)
    private static let standardValues = table(standardLetters)
    private static let urlValues = table(urlLetters)

    /// The value of each letter, and 0xFF for every byte that is none. One test of the high bits finds those in a whole
    /// group of four.
    private static func table(_ letters: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }
}
