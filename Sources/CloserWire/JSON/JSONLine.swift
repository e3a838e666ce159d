/// An object on one line, of which some members are taken out and others put in; the rest stays as it is written.
///
/// A number beyond 2^53 that a caller only passes through keeps its digits.
public struct JSONLine: Sendable {
    private let bytes: [UInt8]
    private let members: [Member]

    private struct Member {
        let name: String
        /// Its value as it stands there.
        let range: Range<Int>
        /// Nil for what is no string.
        let text: JSONScanner.Text?
    }

    /// Takes one object in UTF-8, strict but for its numbers.
    public init(parsing bytes: [UInt8]) throws(JSONScanner.SyntaxError) {
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
    public func has(_ name: String) -> Bool { members.contains { Self.isSame($0.name, name) } }

    /// The characters of a string, in UTF-8; nil if there is no such member or it is no string.
    public func text(_ name: String) -> [UInt8]? {
        guard let text = members.first(where: { Self.isSame($0.name, name) })?.text else { return nil }
        return [UInt8](capacity: text.range.count) { JSONScanner().copy(text, in: bytes.span, into: &$0) }
    }

    /// The line without `names`, and with `new` where the first of them was, or in front.
    public func replacing(
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

    /// As bytes: `String ==` would call two spellings of an accent equal.
    private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
