internal import CloserWire

/// A line for a foreign program.
///
/// It has no raw U+0085, U+2028 or U+2029: JSON allows them, but some readers end a line there, such as Java's Scanner,
/// Python's splitlines and, since 24, Node's readline.
struct ForeignRequest {
    let bytes: [UInt8]

    init(_ value: JSONValue) { bytes = Self.escaped(value.bytes) }

    /// In JSON they stand in strings alone.
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for byte in bytes {
            output.append(byte)
            // The last byte of each: the others are looked at only behind one of these.
            guard byte == 0x85 || byte == 0xA8 || byte == 0xA9 else { continue }
            for (utf8, escape) in lineEnds where output.suffix(utf8.count).elementsEqual(utf8) {
                output.removeLast(utf8.count)
                output += escape
            }
        }
        return output
    }

    private static let lineEnds = ["\u{85}", "\u{2028}", "\u{2029}"].map { end in
        let digits = String(end.unicodeScalars.first?.value ?? 0, radix: 16)
        return (Array(end.utf8), Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8))
    }
}
