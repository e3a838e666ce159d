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
        guard String(utf8: bytes) != nil else { throw .malformedUTF8(at: 0) }
        let span = bytes.span
        var members: [Member] = []
        var scanner = JSONScanner()
        try scanner.object(in: span) { (scanner, name) throws(JSONScanner.SyntaxError) in
            guard try scanner.kind(in: span) == .string else {
                return members.append(Member(name: name, range: try scanner.skip(in: span), text: nil))
            }
            let start = scanner.position
            let text = try scanner.string(in: span)
            members.append(Member(name: name, range: start..<scanner.position, text: text))
        }
        try scanner.finish(in: span)
        (self.bytes, self.members) = (bytes, members)
    }

    /// Whether there is a member of this name.
    package func has(_ name: String) -> Bool { members.contains { $0.name.isSpelled(name) } }

    /// A member's value as it is written; nil if there is none.
    package func value(_ name: String) -> [UInt8]? {
        members.first { $0.name.isSpelled(name) }.map { Array(bytes[$0.range]) }
    }

    /// The characters of a string, in UTF-8; nil if there is no such member or it is no string.
    package func text(_ name: String) -> [UInt8]? {
        guard let text = members.first(where: { $0.name.isSpelled(name) })?.text else { return nil }
        return [UInt8](capacity: text.range.count) { JSONScanner().copy(text, in: bytes.span, into: &$0) }
    }

    /// The line without the members called `names`. `new` takes the place of the first of them, or stands in front if
    /// there was none or `inFront` is true.
    package func replacing(
        _ names: [String], with new: [JSONValue.Member], inFront: Bool = false
    ) -> [UInt8] {
        let isNamed = { (member: Member) in names.contains { member.name.isSpelled($0) } }
        let place = inFront ? 0 : members.firstIndex(where: isNamed) ?? 0
        var line = Line(capacity: bytes.count)
        for member in members[..<place] { line.append(member.name, bytes[member.range]) }
        for member in new { line.append(member.name, member.value.printableBytes[...]) }
        for member in members[place...] where !isNamed(member) {
            line.append(member.name, bytes[member.range])
        }
        return line.finished
    }

    /// An object, written member by member.
    private struct Line {
        private var bytes: [UInt8] = []

        /// Room for so many bytes to begin with.
        init(capacity: Int) { bytes.reserveCapacity(capacity) }

        mutating func append(_ name: String, _ value: ArraySlice<UInt8>) {
            bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
            JSONValue.write(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            bytes += value
        }

        var finished: [UInt8] { (bytes.isEmpty ? [UInt8(ascii: "{")] : bytes) + [UInt8(ascii: "}")] }
    }
}
