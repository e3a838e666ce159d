import CloserWire
import Testing

extension KillScene {
    private static let new = "--couple c --question q_new \(KilledCouple.place)"
    private static let release =
        "answer release --vault a.db --couple c --question q --partner bob b-q --partner-key"
    private static let reveal =
        "answer reveal --vault a.db --couple c --question q --partner bob b-q --release from-b"

    static let answers = [
        KillScene("answer seal", "answer seal --vault a.db \(new)", vault: "a.db", weight: 3, check: sealed),
        KillScene(
            "answer release", "\(release) BOBS_KEY", vault: "a.db", weight: 3, check: released),
        KillScene("answer reveal", reveal, vault: "a.db", weight: 2) { killed in
            let before = try status(killed, "q")
            let again = try killed.run(reveal)
            #expect(again.contains("\"answer\":\"of b\""))
            if killed.hasPrinted { #expect(again == killed.output) }
            switch (before["revealed"], before["pinned"], killed.hasPrinted) {
            case (.bool(false), .bool(false), false): return "old"
            case (.bool(true), .bool(true), _): return "new"
            default: return nil
            }
        },
    ]

    private static func status(_ killed: Killed, _ question: String) throws -> JSONValue {
        let text = try killed.run("answer status --vault a.db --couple c --question \(question) --json")
        return try JSONValue(parsing: text.utf8.dropLast())
    }

    /// An answer that was printed can be released, and opens for the partner.
    @Sendable private static func sealed(_ killed: Killed) throws -> String? {
        let before = try killed.program("answer status --vault a.db \(new) --document")
        let again = try killed.program("answer seal --vault a.db \(new)", input: "{\"answer\":\"of a\"}")
        let document = try killed.run("answer status --vault a.db \(new) --document -o a-q_new --force")
        #expect(document.isEmpty)
        let released = try killed.run(
            "answer release --vault a.db \(new) --partner bob b-q_new --partner-key "
                + killed.base.bobsKey)
        let shown = try killed.run(
            "answer reveal --vault b.db \(new) --partner alice a-q_new --release -",
            released)
        #expect(shown.contains("\"answer\":\"of a\""))
        switch (before.exit, again.exit, killed.hasPrinted) {
        case (8, 0, false): return "old"
        case (0, 7, false): return "new"
        case (0, 7, true): return before.text == killed.output ? "new" : nil
        default: return nil
        }
    }

    /// A second release is the same as the first.
    @Sendable private static func released(_ killed: Killed) throws -> String? {
        let before = try status(killed, "q")
        let again = try killed.run("\(release) \(killed.base.bobsKey)")
        #expect(try killed.run("\(release) \(killed.base.bobsKey)") == again)
        let shown = try killed.run(
            "answer reveal --vault b.db --couple c --question q --partner alice a-q "
                + "--release -", again)
        #expect(shown.contains("\"answer\":\"of a\""))
        switch (before["released"], before["pinned"], killed.hasPrinted) {
        case (.bool(false), .bool(false), false): return "old"
        case (.bool(true), .bool(true), false): return "new"
        case (.bool(true), .bool(true), true): return again == killed.output ? "new" : nil
        default: return nil
        }
    }
}
