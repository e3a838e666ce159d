import CloserWire
import Foundation
import Testing

@Suite("Answers, all of them")
struct AnswerListTests {
    private let scene: CoupleScene

    init() throws { scene = try CoupleScene() }

    @Test("each answer is one line, with its state, the step that is left, and no word of it")
    func lines() throws {
        try scene.lines(
            """
            answer seal a q_1 --place thread:t_1 <<< '{"answer":"hunter2"}' > second.json
            couple join a invite.json --json > /dev/null || true
            closer-keys couple create --vault a.db --couple a_couple --phrase-file p2.txt -o invite2.json
            closer-keys answer seal --vault a.db --couple a_couple --question q_42 $D <<< '{"answer":"hunter2"}' > third.json
            """)
        let ours = [
            "couple_1\tdaily:2026-11-20\tq_42\treleased\treveal",
            "couple_1\tthread:t_1\tq_1\tsealed\trelease",
        ]
        #expect(
            try scene.lines("closer-keys answer list --vault a.db")
                == ["a_couple\tdaily:2026-11-20\tq_42\tsealed\trelease"] + ours)
        #expect(try scene.lines("closer-keys answer list --vault a.db --couple couple_1") == ours)
        let run = try scene.run("closer-keys answer list --vault a.db --json")
        let answers = try JSONValue(parsing: run.output.dropLast())["answers"]?.array ?? []
        #expect(answers.map { $0["state"]?.string } == ["sealed", "released", "sealed"])
        #expect(!run.text.contains("hunter2"))
        // Each is what status says of it.
        let status = try scene.run("answer status a q_42 $D --json")
        let members = try #require(try JSONValue(parsing: status.output.dropLast()).members)
        try #require(answers.count == 3)
        #expect(answers[1] == .object([.init("coupleId", "couple_1")] + members))
    }

    @Test("who has revealed owes the release, until it is done")
    func owed() throws {
        let list = "closer-keys answer list --vault b.db | cut -f 4-"
        #expect(
            try scene.lines(
                """
                \(list); reveal alice.json --release for-bob.json > payload.json; \(list)
                release b alice a alice.json > for-alice.json; \(list)
                """)
                == ["sealed\trelease", "revealed\trelease", "revealed\t-"])
    }

    @Test("no answer is no error, and an unknown couple is one")
    func empty() throws {
        let none = try scene.run("closer-keys answer list --vault c.db")
        #expect((none.exit, none.text, none.errors) == (0, "", "closer-keys: no answers yet\n"))
        let json = try scene.run("closer-keys answer list --vault c.db --json")
        #expect((json.exit, json.text, json.errors) == (0, "{\"answers\":[]}\n", ""))
        #expect(try scene.run("closer-keys answer list --vault c.db --couple couple_1").exit == 4)
    }
}
