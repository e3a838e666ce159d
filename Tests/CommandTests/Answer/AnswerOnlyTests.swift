import CloserWire
import Foundation
import Testing

/// closer-keys-answer(1), OPTIONS, `--answer-only`.
@Suite("An answer without what was added to it")
struct AnswerOnlyTests {
    private let scene: CoupleScene

    /// Alice's answer is written in another form than the canonical one.
    init() throws {
        scene = try CoupleScene()
        try scene.lines(
            """
            closer-keys keyset new --type ecies-p256 -o r.keyset
            closer-keys device init --vault w.db --user alice --key-file w.key
            couple create w --phrase-file w.txt -o w-invite.json
            echo '{ "stars": 5.0, "answer": "a\\/b" }' > written.json
            answer seal w q_1 $D < written.json > w.json
            jq -c '.userId = "bob" | .questionId = "q_1"' bob.json > theirs.json
            answer release w q_1 --partner bob --partner-key "$(closer-keys keyset public r.keyset)" theirs.json > w-key.json
            jq -nc --slurpfile a w.json --slurpfile k w-key.json '{answer: $a[0], releaseKey: $k[0]}' > w.jsonl
            """)
    }

    private static let own = #"{"answer":"a/b","stars":5}"#
    private static let open = "closer-keys answer open --couple couple_1 --keyset-file r.keyset"

    @Test("what was given to be sealed is printed in canonical form, and no newline is added")
    func open() throws {
        #expect(try scene.run("\(Self.open) --answer-only --release w-key.json w.json").text == Self.own)
        let json = try scene.run(
            "\(Self.open) --answer-only --release w-key.json w.json --json | jq -c .payload")
        #expect(json.text == Self.own + "\n")
        let line = try scene.run("\(Self.open) --answer-only --jsonl w.jsonl | jq -c .payload")
        #expect(line.text == Self.own + "\n")
        #expect(try scene.run("\(Self.open) --release w-key.json w.json").text.contains("\"_p\":\"000"))
    }

    @Test("a reveal prints the same, and all of it again")
    func reveal() throws {
        let own = #"{"answer":"hunter2, says Alice"}"#
        let reveal = "reveal alice.json --release for-bob.json"
        #expect(try scene.run("\(reveal) --answer-only").text == own)
        #expect(try scene.run("\(reveal) --answer-only --json | jq -c .payload").text == own + "\n")
        let line =
            "jq -nc --slurpfile a alice.json --slurpfile k for-bob.json '{question: \"q_42\", answer: $a[0], releaseKey: $k[0]}'"
        let many = "closer-keys answer reveal --vault b.db --partner alice --jsonl --answer-only"
        #expect(try scene.run("\(line) | \(many) | jq -c .payload").text == own + "\n")
        let whole = try scene.run(
            "\(reveal) > all.json; closer-keys answer verify --answer alice.json all.json")
        #expect(whole.text == "verified\n", "\(whole.errors)")
    }

    @Test("a release that a server stores without ids opens, and one of another user stays refused")
    func withoutIDs() throws {
        let bare = "jq -c 'del(.senderId, .recipientId)' for-bob.json > bare.json"
        let run = try scene.run("\(bare); reveal alice.json --release bare.json --answer-only")
        #expect(run.text == #"{"answer":"hunter2, says Alice"}"#, "\(run.errors)")
        let line =
            "jq -nc --slurpfile a alice.json --slurpfile k bare.json '{question: \"q_42\", answer: $a[0], releaseKey: $k[0]}'"
        let many = "closer-keys answer reveal --vault b.db --partner alice --jsonl --answer-only"
        #expect(try scene.run("\(bare); \(line) | \(many) | jq -r .payload.answer").text.contains("Alice"))
        let other = try scene.run(
            "jq -c '.recipientId = \"carol\"' for-bob.json > other.json; set +e; reveal alice.json --release other.json; exit $?"
        )
        #expect(other.exit == 4, "\(other.errors)")
    }

    @Test("an answer of the compat profile has nothing to be left out")
    func compat() throws {
        let run = try scene.run(
            """
            answer seal w q_2 $D --profile compat <<< '{"text": "an answer that is long enough"}' > w2.json
            jq -c '.userId = "bob" | .questionId = "q_2"' bob.json > theirs.json
            answer release w q_2 --partner bob theirs.json > w2-key.json
            \(Self.open) --release w2-key.json --answer-only w2.json
            """)
        #expect(run.text == #"{"text":"an answer that is long enough"}"#, "\(run.errors)")
    }
}
