import CloserWire
import Foundation
import TestSupport
import Testing

/// Alice and Bob after a rekey, and a server that kept their invite: it holds the old key, and writes fields under it.
///
/// `m.db` is the server's vault. `stored.jsonl` is what the couple had before the rekey, and `forged.jsonl` what the server
/// wrote since.
@Suite("Where a field comes from: what the server may have written stays told apart")
struct ProvenanceTests {
    private let program: ClosingProgram

    private static let names = """
        couple() { closer-keys couple "$1" --vault "$2.db" --couple couple_1 "${@:3}"; }
        field() { closer-keys field "$1" --vault "$2.db" --couple couple_1 "${@:3}"; }
        verify() { couple verify $1 --partner $2 --partner-key "$(cat $3.pub)" --digits "$(couple verify $1 --partner $2 --partner-key "$(cat $3.pub)")"; }

        """

    init() throws {
        program = try ClosingProgram()
        try lines(
            """
            for name in alice bob mallory; do
                closer-keys device init --vault $name.db --user $name --key-file $name.key
                closer-keys device show --vault $name.db --json | jq -r .publicKey > $name.pub
            done
            couple create alice --phrase-file p.txt -o invite.json
            couple join bob invite.json; couple join mallory invite.json
            jq -nc 'range(1; 4) | {id: ., plaintext: "field \\(.)"}' | field seal alice --jsonl > stored.jsonl
            verify alice bob bob; verify bob alice alice
            couple rekey alice --partner bob --phrase-file new.txt -o rekey.json
            couple rekey bob --partner alice --accept --phrase-file bob.txt rekey.json
            echo '{"plaintext":"send the money to Mallory"}' | field seal mallory --jsonl > forged.jsonl
            jq -r .token forged.jsonl > token.txt
            """)
    }

    private func script(_ text: String) throws -> ClosingProgram.Run { try program.script(Self.names + text) }

    @discardableResult
    private func lines(_ text: String) throws -> [String] {
        let run = try script(text)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// The lines of a script that fails, and its exit code.
    private func failed(_ text: String) throws -> (exit: Int32, lines: [JSONValue], errors: String) {
        let run = try script("set +e; \(text); exit $?")
        let lines = try run.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        return (run.exit, lines, run.errors)
    }

    /// The line of docs/legacy-invites.md that moves fields to the new key, as it is written there.
    private static let migration = Result {
        let page = try String(
            contentsOf: TestData.root.appending(path: "docs/legacy-invites.md"), encoding: .utf8)
        let rest = try #require(page.components(separatedBy: "# Old fields stay readable.").last)
        let block = try #require(rest.components(separatedBy: "```").first)
        let bob = page.split(separator: "\n").first { $0.hasPrefix("bob() {") }
        let lines = block.split(separator: "\n").drop { !$0.hasPrefix("bob ") }
        return try ([#require(bob)] + lines).joined(separator: "\n")
    }

    @Test(
        "the page's own line makes no trusted field of one that the server forged, unless the word is given",
        .proves("W11: a field that the server forged stays marked when it is sealed again")
    )
    func forged() throws {
        let line = try Self.migration.get()
        try #require(line.contains("--require-rekeyed --jsonl --trust-old > fields.jsonl"))
        let careless = line.replacing(" --trust-old", with: "")
        let run = try failed(careless)
        #expect(run.exit == 9)
        let made = try program.content("fields.jsonl")
        let error = try JSONValue(parsing: made.dropLast())["error"]
        #expect(error?["code"]?.string == "serverForgeable" && error?["exit"]?.number == 1)
        #expect(try failed("field open bob --require-rekeyed --jsonl fields.jsonl").exit == 9)
        // Whoever says so vouches for it.
        try lines("rm fields.jsonl; \(line)")
        #expect(
            try lines("field open bob --require-rekeyed --jsonl fields.jsonl") == [
                #"{"plaintext":"send the money to Mallory","origin":"rekey"}"#
            ])
    }

    @Test(
        "what was stored before is sealed anew in one line",
        .proves("W11: a field that the server forged stays marked when it is sealed again"))
    func resealed() throws {
        try lines(
            "field open bob --jsonl stored.jsonl | field seal bob --require-rekeyed --trust-old --jsonl -o new.jsonl"
        )
        #expect(
            try lines("field open alice --require-rekeyed --jsonl new.jsonl")
                == (1...3).map { #"{"id":\#($0),"plaintext":"field \#($0)","origin":"rekey"}"# })
    }

    @Test("opening says in one note what the server may have written, and nothing of another")
    func warned() throws {
        let one = try script("field open bob token.txt")
        #expect(one.text == "send the money to Mallory")
        #expect(one.errors.hasPrefix("closer-keys: the server may hold this field's key"))
        let many = try script("cat stored.jsonl forged.jsonl | field open bob --jsonl")
        #expect(
            many.errors.hasPrefix(
                "closer-keys: fields under keys that the server may hold: 4; the server may have written them, unless you stored"
            ))
        #expect(many.text.split(separator: "\n").allSatisfy { $0.contains(#","origin":"invite""#) })
        // Under the new key, and before a rekey, there is nothing to tell apart.
        let after = try script(
            "echo after | field seal alice > a.txt; field open bob a.txt; field open mallory token.txt")
        #expect((after.exit, after.errors) == (0, ""))
    }

    @Test("sealing without the requirement says what it makes of the server's texts")
    func unrequired() throws {
        let run = try script("field open bob --jsonl forged.jsonl 2> /dev/null | field seal bob --jsonl")
        #expect(run.exit == 0)
        #expect(
            run.errors.hasPrefix(
                "closer-keys: warning: fields under keys that the server may hold: 1; the server may have written them, and sealing"
            ))
        #expect(!run.text.contains("origin"))
    }

    @Test("the origin is ours to tell: no line brings its own, and none is invented")
    func ours() throws {
        let brought = try failed(
            "jq -c '.origin = \"rekey\"' forged.jsonl | field open bob --jsonl")
        #expect(brought.exit == 9)
        #expect(brought.lines.first?["error"]?["code"]?.string == "malformed")
        #expect(brought.lines.first?["plaintext"] == nil)
        for value in ["\"Invite\"", "\"\"", "null", "1"] {
            let run = try failed("echo '{\"plaintext\":\"x\",\"origin\":\(value)}' | field seal bob --jsonl")
            #expect(run.lines.first?["error"]?["code"]?.string == "malformed", "\(value)")
        }
        // A new text has none, and one of a rekeyed key is as good.
        let sealed = try lines(
            #"""
            printf '%s\n' '{"plaintext":"new"}' '{"origin":"rekey","plaintext":"as good"}' |
                field seal bob --require-rekeyed --jsonl | field open alice --require-rekeyed --jsonl
            """#)
        #expect(
            sealed == [
                #"{"plaintext":"new","origin":"rekey"}"#, #"{"plaintext":"as good","origin":"rekey"}"#,
            ])
    }

    @Test(
        "--trust-old without what it loosens is a mistake", arguments: ["", "--require-rekeyed"])
    func alone(_ options: String) throws {
        #expect(try script("field seal bob --trust-old \(options) stored.jsonl").exit == 64)
    }
}
