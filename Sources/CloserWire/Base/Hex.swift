/// Hexadecimal (RFC 4648 §8), two digits a byte. Written in lower case; read in either.
package enum Hex {
    /// The text has an odd count of digits, or a foreign character.
    package struct DecodingError: Error, Equatable, Sendable {}

    /// The digits of `bytes`, in lower case.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = [UInt8](capacity: bytes.count * 2) { output in
            for index in bytes.indices {
                output.append(digits[Int(bytes[index] >> 4)])
                output.append(digits[Int(bytes[index] & 15)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    /// The bytes that `text` stands for. Throws ``DecodingError``.
    package static func decode(_ text: String) throws(DecodingError) -> [UInt8] {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { throw DecodingError() }
        return try stride(from: 0, to: digits.count, by: 2).map { (index) throws(DecodingError) in
            try value(digits[index]) << 4 | value(digits[index + 1])
        }
    }

    /// Appends the bytes that `digits` (ASCII) stand for. Throws ``DecodingError``.
    package static func decode(
        _ digits: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(DecodingError) {
        guard digits.count % 2 == 0 else { throw DecodingError() }
        for index in stride(from: 0, to: digits.count, by: 2) {
            output.append(try value(digits[index]) << 4 | value(digits[index + 1]))
        }
    }

    /// The value of one digit, for a parser that has it in hand.
    static func value(_ digit: UInt8) throws(DecodingError) -> UInt8 {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: throw DecodingError()
        }
    }
}
