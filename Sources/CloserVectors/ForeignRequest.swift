internal import CloserWire

/// A line for a foreign program.
///
/// It has no raw U+2028 or U+2029: JSON allows them, but some readers end a line there, as that of Node does since 24.
struct ForeignRequest {
    let bytes: [UInt8]

    init(_ value: JSONValue) { bytes = Self.escaped(value.bytes) }

    /// E2 80 A8 and E2 80 A9; in JSON they stand in strings alone.
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for byte in bytes {
            output.append(byte)
            guard byte == 0xA8 || byte == 0xA9, output.suffix(3).starts(with: [0xE2, 0x80]) else { continue }
            output.removeLast(3)
            output += "\\u20\(byte == 0xA8 ? "28" : "29")".utf8
        }
        return output
    }
}
