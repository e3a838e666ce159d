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

    /// Why a text is something else than base64 of this alphabet in its only accepted spelling.
    package enum DecodingError: IdentifiedError, Equatable, Sendable {
        /// A byte that is neither a letter nor padding, the first such.
        case foreignByte(at: Int)
        /// The padding is missing or too long, or this alphabet has none.
        case padding
        /// Letters are missing: those that are there end within a byte.
        case tooShort
        /// The bits that are left over behind the last byte are not 0.
        case strayBits

        package var errorID: ErrorID { .malformed }
    }

    package func encode(_ bytes: Span<UInt8>) -> String {
        String(decoding: encodedBytes(bytes), as: UTF8.self)
    }

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
        guard appendDecoded(text, to: &output) else { throw fault(of: text) }
    }

    /// False if the text is refused.
    private func appendDecoded(_ text: Span<UInt8>, to output: inout OutputSpan<UInt8>) -> Bool {
        guard let letterCount = letterCount(text), letterCount % 4 != 1 else { return false }
        let letters = text.extracting(first: letterCount)
        let values = values.span
        let whole = letters.count / 4 * 4
        for index in stride(from: 0, to: whole, by: 4) {
            let group =
                UInt32(values[Int(letters[index])]) << 24 | UInt32(values[Int(letters[index + 1])]) << 16
                | UInt32(values[Int(letters[index + 2])]) << 8 | UInt32(values[Int(letters[index + 3])])
            guard group & 0x8080_8080 == 0 else { return false }
            output.append(UInt8(truncatingIfNeeded: group >> 22 | group >> 20 & 3))
            output.append(UInt8(truncatingIfNeeded: group >> 12 & 0xF0 | group >> 10 & 15))
            output.append(UInt8(truncatingIfNeeded: group >> 2 & 0xC0 | group & 63))
        }
        return appendTail(letters.extracting(droppingFirst: whole), to: &output)
    }

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
    private func appendTail(_ tail: Span<UInt8>, to output: inout OutputSpan<UInt8>) -> Bool {
        guard !tail.isEmpty else { return true }
        var group: UInt32 = 0
        for index in tail.indices {
            let value = values[Int(tail[index])]
            guard value < 64 else { return false }
            group = group << 6 | UInt32(value)
        }
        let strayBitCount = tail.count == 2 ? 4 : 2
        guard group & (1 << strayBitCount - 1) == 0 else { return false }
        group >>= UInt32(strayBitCount)
        if tail.count == 3 { output.append(UInt8(truncatingIfNeeded: group >> 8)) }
        output.append(UInt8(truncatingIfNeeded: group))
        return true
    }

    /// How many letters stand before the padding. A padded text has a multiple of four characters, at most two of them
    /// padding; whether that was right for the letters, their count shows. Nil for another count.
    private func letterCount(_ text: Span<UInt8>) -> Int? {
        guard self == .standard else { return text.count }
        guard text.count % 4 == 0 else { return nil }
        var count = text.count
        while count > 0, count > text.count - 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        return count
    }

    private func fault(of text: Span<UInt8>) -> DecodingError {
        let padding = UInt8(ascii: "=")
        let foreign = text.indices.first { values[Int(text[$0])] == 0xFF && text[$0] != padding }
        if let foreign { return .foreignByte(at: foreign) }
        let letterCount = text.indices.first { text[$0] == padding } ?? text.count
        guard letterCount == text.count || self == .standard else { return .padding }
        if letterCount % 4 == 1 { return .tooShort }
        return self == .standard && text.count != (letterCount + 3) / 4 * 4 ? .padding : .strayBits
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
