// How texts of strangers reach a terminal: characters that would steer it are replaced in a line and escaped in JSON.

extension Unicode.Scalar {
    /// Whether it does more to a terminal than to appear there: a control character, or one that turns the direction of
    /// what follows.
    package var steersTerminal: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The line ends that are no control characters.
    fileprivate var endsLine: Bool { value == 0x2028 || value == 0x2029 }
}

extension String {
    /// The text as one line that steers no terminal: U+FFFD takes the place of every character that would, or that would
    /// end the line.
    package var plainLine: String {
        let isReplaced = { (scalar: Unicode.Scalar) in scalar.steersTerminal || scalar.endsLine }
        guard unicodeScalars.contains(where: isReplaced) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { isReplaced($0) ? "\u{FFFD}" : $0 }))
    }
}

extension JSONValue {
    /// ``bytes`` with U+007F to U+009F, U+2028 to U+202E and U+2066 to U+2069 escaped. It is the same JSON value, since such
    /// characters can only stand in strings.
    ///
    /// Written as they are, they would steer a terminal or turn what it shows, and some readers end a line at U+0085,
    /// U+2028 and U+2029.
    package var printableBytes: [UInt8] { Self.printable(bytes) }

    /// JSON that was written before, with the same characters escaped.
    package static func printable(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for byte in bytes {
            guard byte >= 0x7F, let found = unprintable(endingIn: byte, behind: output) else {
                output.append(byte)
                continue
            }
            output.removeLast(found.precedingCount)
            output += "\\u\(Hex.encode([UInt8(found.scalar >> 8), UInt8(found.scalar & 0xFF)]))".utf8
        }
        return output
    }

    /// The character that `byte` completes, if it is one of those, and how many bytes of it stand in `output` already.
    private static func unprintable(
        endingIn byte: UInt8, behind output: [UInt8]
    ) -> (scalar: UInt16, precedingCount: Int)? {
        let (last, lastButOne) = (output.last ?? 0, output.dropLast().last ?? 0)
        switch (lastButOne, last, byte) {
        case (_, _, 0x7F): return (0x7F, 0)
        case (_, 0xC2, 0x80...0x9F): return (UInt16(byte), 1)
        case (0xE2, 0x80, 0xA8...0xAE): return (0x2028 + UInt16(byte - 0xA8), 2)
        case (0xE2, 0x81, 0xA6...0xA9): return (0x2066 + UInt16(byte - 0xA6), 2)
        default: return nil
        }
    }
}
