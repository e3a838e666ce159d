import CloserWire
import Foundation
import TestSupport
import Testing

/// The main flow of the program, line by line, as a script would have it.
@Suite("The story of a couple works as written")
struct StoryTests {
    private static let couple = """
        closer-keys device init --vault a.db --user alice --key-file a.key
        closer-keys device init --vault b.db --user bob   --key-file b.key
        closer-keys couple create --vault a.db --couple couple_1 --phrase-file p.txt > invite.json
        closer-keys couple join   --vault b.db --couple couple_1 < invite.json
        closer-keys couple show   --vault a.db --couple couple_1 --document > couple.json
        echo hello | closer-keys field seal --vault a.db --couple couple_1 > token.txt
        closer-keys field open --vault b.db --couple couple_1 < token.txt > field.txt
        ALICE=$(closer-keys device show --vault a.db --json | jq -r .publicKey)
        BOB=$(closer-keys device show --vault b.db --json | jq -r .publicKey)

        """

    private static let answers = """
        echo '{"answer":"yes"}' | closer-keys answer seal --vault a.db --couple couple_1 --question q_42 --place daily:2026-11-20 > alice-answer.json
        echo '{"answer":"no"}'  | closer-keys answer seal --vault b.db --couple couple_1 --question q_42 --place daily:2026-11-20 > bob-answer.json
        closer-keys answer release --vault a.db --couple couple_1 --question q_42 --partner bob --partner-key "$BOB" bob-answer.json > for-bob.json
        closer-keys answer reveal  --vault b.db --couple couple_1 --question q_42 --partner alice alice-answer.json --release for-bob.json > revealed.json
        closer-keys answer verify  --answer alice-answer.json < revealed.json > verdict.txt

        """

    private static let recovery = """
        closer-keys device init --vault c.db --user alice --key-file c.key
        closer-keys couple recover --vault c.db --couple couple_1 --phrase-file p.txt < couple.json

        """

    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let jq = try program.script("jq --version")
        try #require(jq.exit == 0, "these lines need jq: scripts/install-deps installs it")
        let run = try program.script(Self.couple + Self.answers + Self.recovery)
        try #require(run.exit == 0, "\(run.errors)")
    }

    private func member(_ name: String, of command: String) throws -> JSONValue {
        let run = try program("\(command) --json")
        try #require(run.exit == 0, "\(run.errors)")
        return try #require(try JSONValue(parsing: run.output.dropLast())[name])
    }

    @Test("Bob reads Alice's field, no byte more or less")
    func field() throws {
        #expect(try program.content("field.txt") == Data("hello\n".utf8))
        #expect(try program.content("token.txt").starts(with: Data("enc:v1:".utf8)))
    }

    @Test(
        "what is revealed is Alice's answer and our four members, canonical, padded, without a newline",
        .proves("W21: `hardened` answers are padded"))
    func revealed() throws {
        let payload = try program.content("revealed.json")
        let members = try #require(try JSONValue(parsing: payload).members)
        #expect(members.map(\.name) == ["_b", "_c", "_m", "_p", "answer"])
        #expect(members.last?.value == "yes" && members[1].value == "daily:2026-11-20")
        #expect(payload.count % 256 == 0 && payload.last == UInt8(ascii: "}"))
        #expect(try program("answer canonical revealed.json").output == payload)
        #expect(try program.content("verdict.txt") == Data("verified\n".utf8))
    }

    @Test("a changed payload is not what Alice committed to")
    func changedPayload() throws {
        let run = try program.script(
            "set +e; sed 's/yes/yep/' revealed.json | closer-keys answer verify --answer alice-answer.json; exit $?"
        )
        #expect(run.exit == 1)
        #expect(run.text.isEmpty && run.errors.contains("not what the author committed to"))
    }

    @Test(
        "all three devices show one fingerprint; who recovered it has only the key",
        .proves("A recovery brings the couple key back, and keeps what the vault knows"))
    func fingerprint() throws {
        let shown = try ["a", "b", "c"].map {
            try member("fingerprint", of: "couple show --vault \($0).db --couple couple_1")
        }
        #expect(shown[0].string?.count == 24 && shown[1] == shown[0] && shown[2] == shown[0])
        let field = try program("field open --vault c.db --couple couple_1 token.txt")
        #expect(field.text == "hello\n")
        let status = try member(
            "state", of: "answer status --vault c.db --couple couple_1 --question q_42")
        #expect(status == "unanswered")
        #expect(try member("state", of: "couple show --vault c.db --couple couple_1") == "serverKnown")
    }

    @Test("the phrase has ten words, and nobody else reads it, a vault or its key")
    func modes() throws {
        let phrase = String(decoding: try program.content("p.txt"), as: UTF8.self)
        #expect(phrase.split(separator: " ").count == 10 && phrase.filter { $0 == "\n" }.count == 1)
        for name in ["p.txt", "a.db", "a.key", "c.db"] {
            let path = program.folder.appending(path: name).path()
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test(
        "each document on the way satisfies the server's rules",
        .proves("W9: the document of a new couple has version 2"))
    func documents() throws {
        for (noun, file) in [
            ("couple", "couple.json"), ("invite", "invite.json"), ("answer", "alice-answer.json"),
            ("answer", "bob-answer.json"), ("release-key", "for-bob.json"),
        ] {
            let run = try program("check --kind \(noun) \(file)")
            #expect((run.exit, run.text) == (0, "ok\n"), "\(file)")
        }
    }
}
