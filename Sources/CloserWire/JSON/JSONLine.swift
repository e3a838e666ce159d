/// An object on one line. Some of its members are taken out and others put in; the rest stays as it was written.
///
/// For batches, in which a caller's own members pass through untouched: a number beyond 2^53 keeps its digits. One value reads
/// line after line, and keeps its memory: nothing is copied out of a line but what ``text(_:)`` must unescape.
package struct JSONLine: ~Copyable {
    /// What the line is a part of.
    private var bytes: [UInt8] = []
    private var members: [Member] = []
    private var names = SeenNames()

    /// Where a member stands. All indices are those of ``bytes``.
    private struct Member {
        let name: JSONScanner.Text
        let value: Range<Int>
        /// The value's characters; nil unless it is a string.
        let text: JSONScanner.Text?
        /// Whether the member is written as we would write it.
        let isPlain: Bool

        /// The member as it is written.
        var whole: Range<Int> { name.range.lowerBound - 1..<value.upperBound }
    }

    package init() {}

    /// Reads the object that stands in `range`, in UTF-8. It is read strictly, but its numbers may be of any size.
    package mutating func read(_ range: Range<Int>, of bytes: [UInt8]) throws(JSONScanner.SyntaxError) {
        self.bytes = bytes
        members.removeAll(keepingCapacity: true)
        names.removeAll()
        var reader = LineScanner(position: range.lowerBound, end: range.upperBound)
        try readMembers(&reader, bytes.span)
        guard !reader.hasOtherThanASCII || String(utf8: Array(bytes[range])) != nil else {
            throw .malformedUTF8(in: bytes.span.extracting(range), at: range.lowerBound)
        }
    }

    /// Lets go of the line's bytes, so that their owner can change them in place.
    package mutating func forget() {
        bytes = []
        members.removeAll(keepingCapacity: true)
    }

    private mutating func readMembers(
        _ reader: inout LineScanner, _ span: Span<UInt8>
    ) throws(JSONScanner.SyntaxError) {
        try reader.expect("{", in: span)
        if try reader.take("}", in: span) { return try reader.finish(in: span) }
        repeat { try readMember(&reader, span) } while try reader.take(",", in: span)
        try reader.expect("}", in: span)
        try reader.finish(in: span)
    }

    private mutating func readMember(
        _ reader: inout LineScanner, _ span: Span<UInt8>
    ) throws(JSONScanner.SyntaxError) {
        let name = try reader.string(in: span)
        guard names.insert(name, in: span) else { throw .duplicateName(at: name.range.lowerBound - 1) }
        try reader.expect(":", in: span)
        let isText = try reader.peek(span) == UInt8(ascii: "\"")
        let start = reader.position
        let text = isText ? try reader.string(in: span) : nil
        if !isText { try reader.skipValue(in: span) }
        let isPlain = !name.hasEscapes && start == name.range.upperBound + 2
        members.append(
            Member(name: name, value: start..<reader.position, text: text, isPlain: isPlain))
    }
}

// MARK: - What a line has

extension JSONLine {
    /// A member's name, ready to be looked for.
    package struct Name: Sendable {
        package let bytes: [UInt8]

        /// Takes a name of ours: ASCII that JSON writes as it is.
        package init(_ name: String) { bytes = Array(name.utf8) }
    }

    package borrowing func has(_ name: Name) -> Bool { index(name) != nil }

    /// A member's value as it is written; nil if there is none.
    package borrowing func value(_ name: Name) -> Range<Int>? { index(name).map { members[$0].value } }

    /// The characters of a string; nil if there is no such member or it is no string.
    package borrowing func text(_ name: Name) -> JSONScanner.Text? {
        index(name).flatMap { members[$0].text }
    }

    /// Where the characters of a text stand; nil if some of them are escaped.
    package borrowing func range(_ text: JSONScanner.Text) -> Range<Int>? {
        text.hasEscapes ? nil : text.range
    }

    /// The characters of a text, without its escapes.
    package borrowing func characters(_ text: JSONScanner.Text) -> [UInt8] {
        text.characters(in: bytes.span)
    }

    private borrowing func index(_ name: Name) -> Int? {
        for index in members.indices where isNamed(members[index], name) { return index }
        return nil
    }

    /// Most names differ in their length.
    private borrowing func isNamed(_ member: Member, _ name: Name) -> Bool {
        guard !member.name.hasEscapes else { return characters(member.name) == name.bytes }
        guard member.name.range.count == name.bytes.count else { return false }
        return bytes.span.extracting(member.name.range).isSame(as: name.bytes.span)
    }
}

// MARK: - What becomes of it

extension JSONLine {
    /// Appends the line without the members called `names`. `new` takes the place of the first of them, or stands in front if there
    /// was none or `inFront` is true.
    package borrowing func append(
        to output: inout [UInt8], replacing names: [Name], with new: borrowing JSONMembers,
        inFront: Bool = false
    ) {
        output.append(UInt8(ascii: "{"))
        let start = output.count
        var isPut = inFront || !members.contains { isNamed($0, oneOf: names) }
        if isPut { new.append(to: &output) }
        for member in members {
            guard isNamed(member, oneOf: names) else {
                append(member, to: &output, isFirst: output.count == start)
                continue
            }
            guard !isPut else { continue }
            if output.count > start, !new.isEmpty { output.append(UInt8(ascii: ",")) }
            new.append(to: &output)
            isPut = true
        }
        output.append(UInt8(ascii: "}"))
    }

    private borrowing func isNamed(_ member: Member, oneOf names: [Name]) -> Bool {
        for name in names where isNamed(member, name) { return true }
        return false
    }

    private borrowing func append(_ member: Member, to output: inout [UInt8], isFirst: Bool) {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        guard !member.isPlain else { return output += bytes[member.whole] }
        JSONValue.write(String(decoding: characters(member.name), as: UTF8.self), to: &output)
        output.append(UInt8(ascii: ":"))
        output += bytes[member.value]
    }
}
