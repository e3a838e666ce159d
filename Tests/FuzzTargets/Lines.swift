internal import CloserWire

@testable internal import CloserJudge

/// Lines that another program wrote: the answers of an implementation that is judged, and the objects of a batch.
enum Lines {
    static func read(_ bytes: [UInt8]) {
        if let line = try? ForeignLine(bytes, answering: 1) {
            _ = try? line.features()
            _ = try? line.answer()
        }
        batch(bytes)
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
}
