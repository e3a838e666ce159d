import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("Answers, from seal to reveal")
struct AnswerStoryTests {
    private let scene: CoupleScene

    init() throws { scene = try CoupleScene() }

    private func json(_ command: String) throws -> JSONValue {
        let lines = try scene.lines("\(command) --json")
        try #require(lines.count == 1)
        return try JSONValue(parsing: lines[0].utf8)
    }

    @Test(
        "both reveal, and the status of a question says where it stands",
        .proves("W6: `answer status` shows who owes what, and a conflict"))
    func status() throws {
        func states() throws -> [String?] {
            try ["a", "b"].map { try json("answer status \($0) q_42 $D")["state"]?.string }
        }
        #expect(try json("answer status b q_43")["state"] == "unanswered")
        #expect(try states() == ["released", "sealed"])
        let shown = try json("reveal alice.json --release for-bob.json")
        #expect(shown.members?.map(\.name) == ["payload", "authenticity", "place", "commitmentHash"])
        #expect(shown["payload"]?["answer"] == "hunter2, says Alice")
        #expect(shown["authenticity"] == "serverForgeable" && shown["place"] == "daily:2026-11-20")
        #expect(try states() == ["released", "revealed"])
        try scene.lines("release b alice a alice.json > for-alice.json")
        let command =
            "answer reveal a q_42 --partner bob bob.json --release for-alice.json"
        #expect(try json(command)["payload"]?["answer"] == "hunter2, says Bob")
        #expect(try states() == ["revealed", "revealed"])
        let mine = try json("answer status b q_42")
        for name in ["released", "revealed", "pinned"] { #expect(mine[name] == true, "\(name)") }
        #expect(mine["conflict"] == false)
    }

    @Test(
        "who released and has not revealed is owed an answer, whatever came instead of a key",
        .proves("W6: `answer status` shows who owes what, and a conflict"))
    func owed() throws {
        func owed() throws -> [JSONValue?] {
            let status = try json("answer status a q_42")
            return ["released", "revealed", "conflict"].map { status[$0] }
        }
        #expect(try owed() == [true, false, false])
        let box = "closer-keys keybox seal --to-file a.pub --context 'couple_1|q_42|bob|alice' p.txt"
        let pack = #"jq -Rc '{encryptedAnswerKey: ., senderId: "bob", recipientId: "alice"}' > no-key.json"#
        let reveal = "answer reveal a q_42 --partner bob bob.json --release no-key.json"
        let run = try scene.run("\(box) | \(pack); \(reveal)")
        #expect(run.exit == 5 && run.text.isEmpty)
        #expect(try owed() == [true, false, false])
        #expect(try scene.program.files().contains("no-key.json"))
    }

    @Test("a thread's message lives as an answer does, without isRevealed")
    func thread() throws {
        try scene.lines(
            """
            T='--place thread:t_1.a'
            echo '{"text":"from Alice"}' | answer seal a m_1 $T > m-alice.json
            echo '{"text":"from Bob"}' | answer seal b m_1 $T > m-bob.json
            closer-keys check --kind answer m-alice.json
            answer release a m_1 $T --partner bob --partner-key $(cat b.pub) m-bob.json > m-key.json
            answer reveal b m_1 $T --partner alice m-alice.json --release m-key.json > m.json
            closer-keys answer verify --answer m-alice.json m.json
            """)
        let document = try JSONValue(parsing: scene.program.content("m-alice.json").dropLast())
        #expect(document["isRevealed"] == nil && document["answerKeyReleased"] == false)
        let payload = try JSONValue(parsing: scene.program.content("m.json"))
        #expect(payload["text"] == "from Alice" && payload["_c"] == "thread:t_1.a")
    }

    @Test("one place may be left out, two may not, and each is found by its name")
    func places() throws {
        #expect(try json("answer status b q_42")["place"] == "daily:2026-11-20")
        try scene.lines("answer seal b q_42 --place thread:t_1 <<< '{\"answer\":\"again\"}' > second.json")
        let run = try scene.run("answer status b q_42 --json")
        #expect(run.exit == 7)
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        #expect(error?["code"] == "inputRequired" && error?["hint"] == "say which with --place")
        for place in ["daily:2026-11-20", "thread:t_1"] {
            #expect(try json("answer status b q_42 --place \(place)")["place"]?.string == place)
        }
    }

    @Test("--replace makes another answer as long as it is sealed; the document can be had again")
    func replace() throws {
        let seal = "answer seal b q_42 $D --replace <<< '{\"answer\":\"changed my mind\"}'"
        let document = try scene.lines(seal)
        #expect(try scene.lines("answer status b q_42 --document") == document)
        #expect(try Data(document[0].utf8) != scene.program.content("bob.json").dropLast())
        let replaced = try JSONValue(parsing: document[0].utf8)["commitmentHash"]
        #expect(try json("answer status b q_42")["commitmentHash"] == replaced)
    }

    @Test("a release is the same bytes however often, and marks the document")
    func releaseTwice() throws {
        let again = try scene.run("release a bob b bob.json")
        #expect(try again.output == scene.program.content("for-bob.json"))
        let document = try json("answer status a q_42 --document")["answer"]
        #expect(document?["answerKeyReleased"] == true)
        let before = try json("closer-keys device show --vault a.db")["changes"]
        let first = try JSONValue(parsing: scene.program.content("alice.json").dropLast())
        #expect(document?["encryptedPayload"] == first["encryptedPayload"])
        #expect(try json("release a bob b bob.json")["partnerKeyVerified"] == false)
        #expect(
            try json("closer-keys device show --vault a.db")["changes"]?.number ?? 0 >= before?.number ?? 1)
    }

    @Test("an answer is revealed again, the same bytes")
    func revealTwice() throws {
        let reveals = try (0..<2).map { _ in
            try scene.run("reveal alice.json --release for-bob.json").output
        }
        #expect(reveals[0] == reveals[1] && !reveals[0].isEmpty)
    }

    @Test("what nothing proves is shown when it is asked for, with a warning, and says so")
    func unproven() throws {
        try scene.lines(
            """
            echo '{"answer":"nothing proves that I wrote it"}' | answer seal a q_c $D --profile compat > c.json
            echo '{"answer":"no"}' | answer seal b q_c $D > d.json
            answer release a q_c --partner bob --partner-key $(cat b.pub) d.json > k.json
            """)
        let run = try scene.run(
            "answer reveal b q_c --partner alice c.json --release k.json "
                + "--allow-unauthenticated --json")
        #expect(run.exit == 0)
        #expect(run.errors == "closer-keys: warning: nothing proves who wrote this answer\n")
        let shown = try JSONValue(parsing: run.output.dropLast())
        #expect(shown["authenticity"] == "unauthenticated" && shown["place"] == .null)
        #expect(shown["payload"] == ["answer": "nothing proves that I wrote it"])
    }

    @Test("a forgery that was refused costs nothing: the true answer is still shown")
    func afterForgery() throws {
        let forged = try scene.run("reveal forged.json --release forged-key.json")
        #expect(forged.exit == 3 && forged.output.isEmpty)
        let shown = try json("reveal alice.json --release for-bob.json")
        #expect(shown["payload"]?["answer"] == "hunter2, says Alice")
    }

    @Test("after the reveal a stranger's fake leaves no conflict, and a second answer of Alice's does")
    func conflict() throws {
        try scene.lines(
            """
            reveal alice.json --release for-bob.json > x.json
            couple recover c --phrase-file p.txt couple.json
            echo '{"answer":"no, I said"}' | answer seal c q_42 $D > second.json
            release c bob b bob.json > second-key.json
            """)
        #expect(try scene.run("reveal forged.json --release forged-key.json").exit == 1)
        #expect(try json("answer status b q_42")["conflict"] == false)
        #expect(try scene.run("reveal second.json --release second-key.json").exit == 1)
        #expect(try json("answer status b q_42")["conflict"] == true)
        #expect(try json("answer status b q_42")["state"] == "revealed")
        let again = try scene.run("reveal alice.json --release for-bob.json")
        #expect(try (again.exit, again.output) == (0, scene.program.content("x.json")))
    }
}
