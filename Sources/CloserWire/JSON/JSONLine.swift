/// An object on one line. Some of its members are taken out and others put in; the rest stays as it was written.
///
/// For batches, in which a caller's own members pass through untouched: a number beyond 2^53 keeps its digits.
package struct JSONLine: Sendable {
    private let bytes: [UInt8]
    private let members: [Member]

    private struct Member {
        let name: String
        /// Where its value stands in the line.
        let range: Range<Int>
        /// The value's characters; nil unless it is a string.
        let text: JSONScanner.Text?
    }

    /// Takes one object in UTF-8. It is read strictly, but its numbers may be of any size.
    package init(parsing bytes: [UInt8]) throws(JSONScanner.SyntaxError) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .malformedUTF8(at: 0) }
        let span = bytes.span
        var members: [Member] = []
        var scanner = JSONScanner()
        try scanner.object(in: span) { (scanner, name) throws(JSONScanner.SyntaxError) in
            let isString = try scanner.kind(in: span) == .string
            var probe = scanner
            let text = isString ? try probe.string(in: span) : nil
            members.append(Member(name: name, range: try scanner.skip(in: span), text: text))
        }
        try scanner.finish(in: span)
        (self.bytes, self.members) = (bytes, members)
    }

    /// Whether there is a member of this name.
    package func has(_ name: String) -> Bool { members.contains { Self.isSame($0.name, name) } }

    /// A member's value as it is written; nil if there is none.
    package func value(_ name: String) -> [UInt8]? {
        members.first { Self.isSame($0.name, name) }.map { Array(bytes[$0.range]) }
    }

    /// The characters of a string, in UTF-8; nil if there is no such member or it is no string.
    package func text(_ name: String) -> [UInt8]? {
        guard let text = members.first(where: { Self.isSame($0.name, name) })?.text else { return nil }
        return [UInt8](capacity: text.range.count) { JSONScanner().copy(text, in: bytes.span, into: &$0) }
    }

    /// The line without the members called `names`. `new` takes the place of the first of them, or stands in front if
    /// there was none or `inFront` is true.
    package func replacing(
        _ names: [String], with new: [JSONValue.Member], inFront: Bool = false
    ) -> [UInt8] {
        let isNamed = { (member: Member) in names.contains { Self.isSame(member.name, $0) } }
        let place = inFront ? 0 : members.firstIndex(where: isNamed) ?? 0
        let parts =
            members[..<place].map(written) + new.map(Self.part)
            + members[place...].filter { !isNamed($0) }.map(written)
        return [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    private func written(_ member: Member) -> [UInt8] {
        Self.quoted(member.name) + [UInt8(ascii: ":")] + bytes[member.range]
    }

    private static func part(_ member: JSONValue.Member) -> [UInt8] {
        quoted(member.name) + [UInt8(ascii: ":")] + member.value.printableBytes
    }

    private static func quoted(_ name: String) -> [UInt8] { JSONValue.string(name).bytes }

    /// Compared as bytes: `String ==` takes two encodings of an accent for the same.
    private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
