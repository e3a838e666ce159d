/// One escape of a JSON string, `\n` or `\u00e9` or a pair of surrogates (RFC 8259 §7).
struct JSONEscape {
    let scalar: Unicode.Scalar
    /// The index after the escape.
    let end: Int

    /// Reads the escape whose backslash is at `start`.
    init(in bytes: Span<UInt8>, at start: Int) throws(JSONScanner.SyntaxError) {
        guard start + 1 < bytes.count else { throw .unexpectedEnd }
        switch bytes[start + 1] {
        case UInt8(ascii: "u"): self = try Self.unicode(in: bytes, at: start)
        case let letter:
            guard let scalar = Self.scalar(letter) else { throw .unexpectedByte(at: start + 1) }
            self.init(scalar: scalar, end: start + 2)
        }
    }

    private init(scalar: Unicode.Scalar, end: Int) {
        (self.scalar, self.end) = (scalar, end)
    }

    private static func scalar(_ letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }

    private static func unicode(
        in bytes: Span<UInt8>, at start: Int
    ) throws(JSONScanner.SyntaxError) -> JSONEscape {
        let first = try unit(in: bytes, at: start)
        if let scalar = Unicode.Scalar(first) { return JSONEscape(scalar: scalar, end: start + 6) }
        // A high surrogate must be followed by an escaped low one; alone, neither is a character.
        guard UTF16.isLeadSurrogate(first), start + 7 < bytes.count,
            bytes[start + 6] == UInt8(ascii: "\\"), bytes[start + 7] == UInt8(ascii: "u")
        else { throw .loneSurrogate(at: start) }
        let second = try unit(in: bytes, at: start + 6)
        guard UTF16.isTrailSurrogate(second) else { throw .loneSurrogate(at: start) }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw .loneSurrogate(at: start) }
        return JSONEscape(scalar: scalar, end: start + 12)
    }

    /// The UTF-16 code unit of the four digits after `\u`.
    private static func unit(in bytes: Span<UInt8>, at start: Int) throws(JSONScanner.SyntaxError) -> UInt16 {
        guard start + 6 <= bytes.count else { throw .unexpectedEnd }
        var unit: UInt16 = 0
        for index in start + 2..<start + 6 {
            do { unit = unit << 4 | UInt16(try Hex.value(bytes[index])) } catch {
                throw .unexpectedByte(at: index)
            }
        }
        return unit
    }
}
