import CloserWire
import Foundation
import Testing

/// What stands and what waits, and the command to type next (closer-keys-couple(1), status).
@Suite("The status of a couple")
struct StatusTests {
    private let program: ClosingProgram

    /// Alice invites and Bob has answered.
    private static let waiting = """
        for name in a:alice b:bob; do
            closer-keys device init --vault "${name%:*}.db" --user "${name#*:}" --key-file "${name%:*}.key" > log
        done
        closer-keys pair invite --vault a.db --couple us --phrase-file p1 --code-file code -o offer.json 2>> log
        closer-keys pair accept --vault b.db --code-file code -o reply.json offer.json 2>> log

        """

    init() throws { program = try ClosingProgram() }

    private func lines(_ script: String) throws -> [String] {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// The steps of the only couple.
    private func steps(_ vault: String) throws -> [JSONValue] {
        let status = try program("couple status --vault \(vault) --json")
        try #require(status.exit == 0, "\(status.errors)")
        let couples = try JSONValue(parsing: status.output.dropLast())["couples"]?.array
        return try #require(couples?.first?["steps"]?.array)
    }

    /// The first command of a status, with files in the place of the words in capitals.
    private func next(_ vault: String, _ files: [String: String] = [:]) throws -> String {
        let next = try #require(try steps(vault).first?["next"]?.string)
        return files.reduce(next) { $0.replacing($1.key, with: $1.value) }
    }

    @Test("a device that waits for its grant says so in each view, and for whom")
    func acceptor() throws {
        _ = try lines(Self.waiting)
        let list = try lines("closer-keys couple list --vault b.db")
        #expect(list.count == 1 && list[0].hasPrefix("us\twaiting\t-\twaits for a grant of alice, since "))
        // Also where nobody names the couple.
        let show = try lines("closer-keys couple show --vault b.db")
        #expect(show.prefix(2) == ["couple: us", "state: waiting (the grant brings the key)"])
        #expect(show.last?.hasPrefix("pairing: waits for a grant of alice, since ") == true)
        let json = try lines(
            "closer-keys couple list --vault b.db --json | jq -r '.couples[0] | .state, .fingerprint, .pairing.status, .pairing.inviter'"
        )
        #expect(json == ["waiting", "null", "waiting", "alice"])
        let status = try lines("closer-keys couple status --vault b.db")
        #expect(status.last == "next: closer-keys pair finish GRANT --vault b.db")
        let seal = try program.script("set +e; echo x | closer-keys field seal --vault b.db; exit $?")
        #expect(
            seal.exit == 8 && seal.errors.contains("hint: closer-keys pair finish GRANT"), "\(seal.errors)")
    }

    @Test("an open invite is seen with the first half of its code and its end")
    func inviter() throws {
        _ = try lines(Self.waiting)
        let half = try #require(try lines("jq -r .lookup offer.json").first)
        let words = "open offer, code \(half)-…, until "
        let list = try lines("closer-keys couple list --vault a.db")
        #expect(list.count == 1 && list[0].contains("\t\(words)"))
        #expect(
            try lines("closer-keys couple show --vault a.db").last?.hasPrefix("pairing: \(words)") == true)
        let status = try lines("closer-keys couple status --vault a.db")
        #expect(status.suffix(2).first?.hasPrefix("waits: a reply to the offer, until ") == true)
        #expect(status.last == "next: closer-keys pair confirm REPLY --vault a.db")
    }

    @Test("the commands run as they are printed: from the first invite to a couple that waits for nothing")
    func walk() throws {
        _ = try lines(Self.waiting)
        let confirm = try next("a.db", ["REPLY": "reply.json"])
        let finish = try next("b.db", ["GRANT": "grant.json"])
        let end = try program.script(
            """
            \(confirm) -o grant.json && \(finish) --phrase-file p2 > log
            closer-keys pair invite --vault a.db --couple us --code-file again -o offer2 && closer-keys pair invite --vault a.db --couple us --cancel
            """)
        try #require(end.exit == 0, "\(end.errors)")
        #expect(try steps("a.db").isEmpty && steps("b.db").isEmpty)
        #expect(try lines("closer-keys couple status --vault a.db").last == "waits: nothing")
    }

    @Test("a couple of an invite is told to pair, with the command, and one that is alone to invite")
    func unpaired() throws {
        _ = try lines(
            """
            mkdir 'my vaults'
            closer-keys device init --vault 'my vaults/a.db' --user alice --key-file a.key > log
            closer-keys couple create --vault 'my vaults/a.db' --couple us --phrase-file p -o invite
            """)
        let status = try lines("closer-keys couple status --vault 'my vaults/a.db'")
        #expect(status.last == "next: closer-keys pair invite --couple us --vault 'my vaults/a.db'")
        let command = try #require(status.last?.dropFirst(6))
        let run = try program.script("\(command) --code-file code -o offer")
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test("keys that others may hold, and those that were given up")
    func keys() throws {
        _ = try lines(
            """
            \(Self.waiting)
            closer-keys pair confirm --vault a.db reply.json -o grant.json
            closer-keys pair finish --vault b.db --phrase-file p2 grant.json > log
            printf hello | closer-keys field seal --vault a.db > token; jq -Rc '{token: .}' token > fields.jsonl
            closer-keys pair invite --vault a.db --couple us --code-file again -o offer2
            closer-keys pair accept --vault b.db --couple us --yes --code-file again -o reply2 offer2
            closer-keys pair confirm --vault a.db --phrase-file p3 -o grant2 reply2
            """)
        let anew = try next("a.db", ["FIELDS": "fields.jsonl"])
        #expect(try lines("\(anew) | jq -r 'keys[]'") == ["token"])
        let old = try #require(
            try lines("closer-keys couple show --vault a.db --json | jq '.keys[0].keyId'").first)
        #expect(try steps("a.db").first?["waits"]?.string?.contains(" \(old), which others may hold") == true)
        _ = try lines("closer-keys couple retire --vault a.db --couple us --key-id \(old) --yes")
        #expect(try lines("closer-keys couple show --vault a.db").contains("retired: \(old)"))
        #expect(try steps("a.db").isEmpty)
    }

    @Test("answers that are owed, and those that wait for the partner")
    func answers() throws {
        let scene = try CoupleScene()
        let script = """
            steps() { closer-keys couple status --vault $1.db --couple couple_1 --json | jq -r '.couples[0].steps[1:][] | .waits, .next'; }
            named='--couple couple_1 --question q_42 --place daily:2026-11-20'

            """
        let sealed = try scene.lines("\(script) steps b")
        #expect(
            sealed == [
                "your partner's answer, for q_42",
                "closer-keys answer release --couple couple_1 --question q_42 --place daily:2026-11-20 --partner USER --partner-key KEY ANSWER --vault b.db",
            ])
        #expect(try scene.lines("\(script) steps a").first == "your partner's release, for q_42")
        let owed = try scene.lines("reveal alice.json --release for-bob.json > log; \(script) steps b")
        #expect(owed.first == "your release, which you owe, for q_42")
        #expect(owed.last?.contains(" --partner alice ") == true)
        let release = try #require(owed.last).replacing("ANSWER", with: "alice.json")
            .replacing("KEY", with: "$(cat a.pub)")
        let released = try scene.run("\(release) -o for-alice.json; \(script) steps b")
        #expect((released.exit, released.text) == (0, ""), "\(released.errors)")
    }

    @Test(
        "a vault without a couple says so, and how to begin",
        arguments: [
            "echo x | closer-keys field seal --couple us --vault v", "closer-keys couple show --vault v",
            "closer-keys couple list --vault v", "closer-keys couple status --vault v",
        ])
    func empty(_ command: String) throws {
        let run = try program.script(
            "closer-keys device init --vault v --user alice --key-file k > log; set +e; \(command)")
        #expect(run.errors.contains("no couple"), "\(run.errors)")
        #expect(
            run.errors.contains("closer-keys pair invite --couple ID --vault v makes one"), "\(run.errors)")
    }

    @Test("a couple that is not among the others is looked for in the status")
    func unknown() throws {
        _ = try lines(Self.waiting)
        let run = try program("couple show --vault a.db --couple them")
        #expect(run.exit == 4 && run.errors.contains("hint: closer-keys couple status --vault a.db "))
    }
}
