// How a JSON value is written: in canonical form, which commitments and MACs are made over, or in the order it has.

extension JSONValue {
    /// The canonical text of this value by RFC 8785 (JCS), in UTF-8: members sorted by UTF-16 code units, no white space,
    /// numbers as ECMAScript writes them, only the escapes that JSON demands.
    package var canonicalBytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output) { if !Self.isSorted($0) { $0.sort(by: Self.precedes) } }
        return output
    }

    private static func isSorted(_ members: [Member]) -> Bool {
        members.indices.dropFirst().allSatisfy { !precedes(members[$0], members[$0 - 1]) }
    }

    /// RFC 8785 §3.2.3: by UTF-16 code units. UTF-8 has another order only where one character is beyond U+FFFF, with a first
    /// byte from F0 on, and the other is U+E000 to U+FFFF, with a first byte EE or EF.
    private static func precedes(_ one: Member, _ other: Member) -> Bool {
        one.name.utf8.lexicographicallyPrecedes(other.name.utf8) { place($0) < place($1) }
    }

    private static func place(_ byte: UInt8) -> UInt8 { byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte }

    /// This text with the members in the order that they have, in UTF-8.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output) { _ in }
        return output
    }

    private func write(to output: inout [UInt8], ordering: (inout [Member]) -> Void) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let value): output += JSONNumber.text(value).utf8
        case .string(let text): Self.write(text, to: &output)
        case .array(let elements):
            Self.list(elements, "[", "]", to: &output) { $0.write(to: &$1, ordering: ordering) }
        case .unread(let text) where !text.isObject:
            Self.list(text, "[", "]", to: &output) { $0.write(to: &$1, ordering: ordering) }
        case .object, .unread:
            var members = members ?? []
            ordering(&members)
            Self.list(members, "{", "}", to: &output) { member, output in
                Self.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output, ordering: ordering)
            }
        }
    }

    private static func list<Item>(
        _ items: some Sequence<Item>, _ first: Unicode.Scalar, _ last: Unicode.Scalar,
        to output: inout [UInt8],
        _ body: (Item, inout [UInt8]) -> Void
    ) {
        output.append(UInt8(ascii: first))
        for (index, item) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            body(item, &output)
        }
        output.append(UInt8(ascii: last))
    }

    /// RFC 8785 §3.2.2.2: short escapes where JSON has them, `\u00xx` for other controls, everything else as it is.
    static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        let start = output.count
        output += text.utf8
        // To count them all in an array is several times faster than to look for the first in a text.
        if output[start...].count(where: needsEscape) > 0 { escape(from: start, in: &output) }
        output.append(UInt8(ascii: "\""))
    }

    private static func escape(from start: Int, in output: inout [UInt8]) {
        let bytes = Array(output[start...])
        output.removeSubrange(start...)
        var rest = 0
        for (index, byte) in bytes.enumerated() where needsEscape(byte) {
            output += bytes[rest..<index]
            output += escape(byte).utf8
            rest = index + 1
        }
        output += bytes[rest...]
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        default: "\\u00\(Hex.encode([byte]))"
        }
    }
}
