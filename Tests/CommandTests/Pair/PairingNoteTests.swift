import Foundation
import Testing

/// What each step says of the next one.
@Suite("A step of a pairing ends with one line that names the next")
struct PairingNoteTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        _ = try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys device init --vault b.db --user bob --key-file b.key
            """)
    }

    private func lines(_ script: String) throws -> [String] {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.errors.split(separator: "\n").map(String.init)
    }

    /// One line that has all of `words`.
    private func expect(_ script: String, notes words: [String]) throws {
        let said = try lines(script)
        #expect(said.count == 1 && words.allSatisfy { said[0].contains($0) }, "\(said)")
        #expect(!said.contains { $0.contains("warning: ") }, "\(said)")
    }

    private let invite = "closer-keys pair invite --vault a.db --couple us --code-file code"
    private let accept = "closer-keys pair accept --vault b.db --code-file code offer.json"

    @Test("in a file or on standard output, with the couple and the partner")
    func steps() throws {
        try expect(
            "\(invite) --phrase-file p1 -o offer.json",
            notes: [
                "closer-keys: send offer.json of us to your partner, and tell them the code by voice",
                "; then: closer-keys pair confirm REPLY --vault a.db",
            ])
        try expect("\(invite) > offer.json", notes: ["send the offer of us to your partner"])
        try expect(
            "\(accept) -o reply.json",
            notes: ["send reply.json of us to alice; then: closer-keys pair finish GRANT --vault b.db"])
        try expect(
            "closer-keys pair confirm --vault a.db reply.json -o grant.json",
            notes: [
                "bob knew the code: send them grant.json, and they run: closer-keys pair finish GRANT; ",
                "for the server: closer-keys couple show --couple us --document --vault a.db",
            ])
        try expect(
            "closer-keys pair finish --vault b.db --phrase-file p2 --couple-out couple.json grant.json",
            notes: ["us is paired with alice; for the server: couple.json"])
        _ = try lines("closer-keys couple show --couple us --document --vault a.db")
    }

    @Test("and so do the steps of a couple that cannot pair")
    func invited() throws {
        try expect(
            "closer-keys couple create --vault a.db --couple us --phrase-file p1 -o invite.json",
            notes: [
                "a reader of invite.json can read us until you rekey; ", "couple join --couple us INVITE",
            ])
        try expect(
            "closer-keys couple join --vault b.db --couple us invite.json",
            notes: ["same fingerprint of us", "; then: closer-keys pair invite --couple us --vault b.db"])
        _ = try lines(
            """
            key() { closer-keys device show --vault $1 --json | jq -r .publicKey; }
            DIGITS=$(closer-keys couple verify --vault b.db --partner alice --partner-key "$(key a.db)")
            closer-keys couple verify --vault a.db --partner bob --partner-key "$(key b.db)" --digits "$DIGITS"
            closer-keys couple verify --vault b.db --partner alice --partner-key "$(key a.db)" --digits "$DIGITS"
            """)
        try expect(
            "closer-keys couple rekey --vault a.db --phrase-file p2 -o rekey.json",
            notes: ["send rekey.json to bob, ", "couple rekey --couple us --accept REKEY; for the server: "])
        try expect(
            "closer-keys couple rekey --vault b.db --accept --phrase-file p3 --couple-out c.json rekey.json",
            notes: ["us has the new key of alice", "; for the server: c.json"])
        try expect(
            "closer-keys couple rewrap --vault b.db --phrase-file p4 -o couple.json",
            notes: [
                "the old phrase with any old document of us still opens today's key",
                "the server couple.json",
            ])
        try expect(
            """
            closer-keys device init --vault n.db --user bob --key-file n.key
            closer-keys couple recover --vault n.db --couple us --phrase-file p4 couple.json
            """,
            notes: [
                "only the couple key is back", "; then: closer-keys pair invite --couple us --vault n.db",
            ])
        let shown = try program("couple show --vault n.db")
        #expect(shown.text.contains(", by invite or recovery, primary\n"))
    }

    @Test("--quiet says none of them")
    func quiet() throws {
        let said = try lines("\(invite) --phrase-file p1 -o offer.json --quiet; \(accept) --quiet")
        #expect(said.isEmpty)
    }

    @Test("a couple that pairs anew is warned of the answers that wait, and of nothing where none does")
    func openQuestions() throws {
        _ = try lines(
            """
            \(invite) --phrase-file p1 -o offer.json; \(accept) -o reply.json
            closer-keys pair confirm --vault a.db reply.json -o grant.json
            closer-keys pair finish --vault b.db --phrase-file p2 grant.json
            rm code
            """)
        let again = """
            \(invite) --new -o anew --force --quiet
            closer-keys pair accept --vault b.db --couple us --yes --code-file code -o again --force anew; rm code
            """
        try expect(again, notes: ["send again of us to alice"])
        let said = try lines(
            """
            closer-keys pair accept --vault b.db --couple us --cancel > log
            echo '{"a":1}' | closer-keys answer seal --vault b.db --question q_7 --place daily:2026-11-20 > log
            \(again)
            """)
        #expect(said.count == 2 && said[0].contains("warning: release your answers to q_7 before"), "\(said)")
    }
}
