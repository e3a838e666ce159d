internal import CloserWire

@testable internal import CloserConformance

/// Lines that another program wrote: the answers of an implementation that is judged, and the objects of a batch.
enum Lines {
    static func read(_ bytes: [UInt8]) {
        if let line = try? AdapterLine(bytes, answering: 1) {
            _ = try? line.features()
            _ = try? line.answer()
        }
        batch(bytes)
        if let written = written(bytes) { check(written, bytes) }
    }

    private static let plaintext = JSONLine.Name("plaintext")

    /// What a batch leaves of a line is an object again, without the member that was taken out, and written the same a second time. It takes
    /// what strict JSON is, but numbers of any size.
    private static func batch(_ bytes: [UInt8]) {
        guard let rest = rest(of: bytes) else { return }
        let hasNumbers = bytes.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        precondition(hasNumbers || (try? JSONValue(parsing: bytes))?.members != nil)
        guard let again = self.rest(of: rest) else { preconditionFailure("our own line is refused") }
        precondition(again == rest)
    }

    private static func rest(of bytes: [UInt8]) -> [UInt8]? {
        var line = JSONLine()
        guard (try? line.read(bytes.indices, of: bytes)) != nil else { return nil }
        if let text = line.text(plaintext) { _ = line.characters(text) }
        var rest: [UInt8] = []
        line.append(to: &rest, replacing: [plaintext], with: JSONMembers())
        return rest
    }

    // MARK: - What a batch puts in

    private static let new = ["plaintext", "text", "value"].map { JSONLine.Name($0) }

    /// The line with members of ours in place of its own of these names. One of them has the bytes themselves, if they are a text.
    private static func written(_ bytes: [UInt8]) -> [UInt8]? {
        var line = JSONLine()
        guard (try? line.read(bytes.indices, of: bytes)) != nil else { return nil }
        var members = JSONMembers()
        members.append([JSONValue.Member("value", (try? JSONValue(parsing: bytes)) ?? .null)])
        members.append(new[0], plain: 4) { $0.append(Array("YWJj".utf8)) }
        let isText = members.append(new[1], text: bytes.span)
        precondition(isText && !members.isEmpty)
        var written: [UInt8] = []
        line.append(to: &written, replacing: new, with: members, inFront: bytes.count % 2 == 0)
        line.forget()
        members.removeAll()
        precondition(members.isEmpty && !members.append(new[1], text: ([0xFF] + bytes).span))
        return written
    }

    /// They are found there again, each once, and with the same characters.
    private static func check(_ written: [UInt8], _ bytes: [UInt8]) {
        var line = JSONLine()
        guard (try? line.read(written.indices, of: written)) != nil else {
            // The value of ours is one level deeper than the line, which may be as deep as a line may be.
            return precondition(bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } >= 16)
        }
        precondition(new.allSatisfy { line.has($0) && line.value($0) != nil })
        guard let plain = line.text(new[0]), let text = line.text(new[1]) else {
            preconditionFailure("a text is none")
        }
        precondition(line.range(plain).map { Array(written[$0]) } == Array("YWJj".utf8))
        precondition(line.characters(text) == bytes)
    }
}
