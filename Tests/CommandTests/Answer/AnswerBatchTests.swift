import CloserWire
import Foundation
import Testing

@Suite("Many answers in one run")
struct AnswerBatchTests {
    private let scene: CoupleScene

    /// Bob's keys are in a vault; here is a reader who has theirs in files.
    init() throws {
        scene = try CoupleScene()
        try scene.lines(
            """
            closer-keys keyset new --type ecies-p256 -o r.keyset
            closer-keys device init --vault w.db --user alice --key-file w.key
            couple create w --phrase-file w.txt -o w-invite.json
            for i in 1 2 3; do
                echo "{\\"answer\\":$i,\\"text\\":\\"a\\/b\\"}" | answer seal w q_$i $D > w-$i.json
                jq -c --arg q q_$i '.userId = "bob" | .questionId = $q' bob.json > theirs.json
                answer release w q_$i --partner bob --partner-key "$(closer-keys keyset public r.keyset)" \\
                    theirs.json > w-key-$i.json
                jq -nc --argjson id $i --slurpfile a w-$i.json --slurpfile k w-key-$i.json \\
                    '{id: $id, answer: $a[0], releaseKey: $k[0], note: "kept"}'
            done > lines.jsonl
            """)
    }

    private func run(_ command: String) throws -> (exit: Int32, lines: [JSONValue], errors: String) {
        let run = try scene.run("set +e; \(command); exit $?")
        let lines = try run.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        return (run.exit, lines, run.errors)
    }

    private static let opening = "closer-keys answer open --couple couple_1 --keyset-file r.keyset --jsonl"

    @Test("each line is opened with its own release, and is what one command gives")
    func open() throws {
        let opened = try run("\(Self.opening) lines.jsonl")
        #expect((opened.exit, opened.errors) == (0, ""))
        try #require(opened.lines.count == 3)
        for (index, line) in opened.lines.enumerated() {
            let one = try run(
                "closer-keys answer open --couple couple_1 --keyset-file r.keyset --release w-key-\(index + 1).json w-\(index + 1).json --json"
            )
            let members = try #require(one.lines.first?.members)
            #expect(members.map(\.name) == ["payload", "authenticity", "place", "commitmentHash"])
            #expect(
                line
                    == .object(
                        [.init("id", .number(Double(index + 1)))] + members + [.init("note", "kept")]))
        }
    }

    @Test("a line that does not open is that line's error, and no other's")
    func faults() throws {
        let opened = try run(
            """
            (jq -c 'select(.id == 1) | .answer.commitmentHash = "sha256:" + ("A" * 43)' lines.jsonl
            jq -c 'select(.id == 2) | del(.releaseKey)' lines.jsonl
            jq -cs '.[0] * {releaseKey: .[1].releaseKey}' lines.jsonl
            jq -c 'select(.id == 2) | .answer.schemaVersion = 2' lines.jsonl
            jq -c 'select(.id == 2) | .payload = 1' lines.jsonl
            jq -c 'select(.id == 3)' lines.jsonl) | \(Self.opening)
            """)
        #expect(opened.exit == 9)
        let codes = opened.lines.map { $0["error"]?["code"]?.string }
        #expect(codes == ["commitmentMismatch", "malformed", "authFailed", "malformed", "malformed", nil])
        #expect(opened.lines.last?["payload"]?["answer"]?.number == 3)
        #expect(opened.lines.allSatisfy { $0["note"] == "kept" && $0["answer"] == nil })
    }

    @Test(
        "what somebody put beside an answer is not sealed as if it had been opened",
        arguments: [".", ".answer.schemaVersion = 2", "del(.answer)"])
    func forgery(_ change: String) throws {
        let sealed = try run(
            """
            closer-keys keyset new --type aes256-gcm -o k
            jq -c 'select(.id == 1) | \(change) | .plaintext = "forged"' lines.jsonl | \(Self.opening) > opened
            closer-keys field seal --keyset-file k --couple couple_1 --jsonl opened
            """)
        #expect(sealed.exit == 9, "\(sealed.errors)")
        let line = try #require(sealed.lines.first)
        #expect(line["token"] == nil && line["plaintext"] == nil && line["error"]?["code"] == "malformed")
    }

    @Test("payloads are verified against their answers, line by line, however they are spelt")
    func verify() throws {
        let verified = try run(
            """
            \(Self.opening) lines.jsonl > opened.jsonl
            jq -cs '.[0] as $a | .[1] | {id, answer: $a.answer, payload}' lines.jsonl opened.jsonl > /dev/null
            paste -d '' <(jq -c '{answer}' lines.jsonl | sed 's/}$/,/') <(jq -c '{payload, id}' opened.jsonl | sed 's/^{//') > both.jsonl
            (cat both.jsonl; jq -c '.payload |= tojson' both.jsonl; jq -c '{id, answer, payloadBase64: (.payload | tojson | @base64)}' both.jsonl
            sed -n '1s/a\\/b/a\\\\\\/b/p' both.jsonl; jq -c '.payload.answer = 9' both.jsonl) | closer-keys answer verify --jsonl
            """)
        #expect(verified.exit == 9, "\(verified.errors)")
        try #require(verified.lines.count == 13)
        for line in verified.lines.prefix(10) {
            #expect(line["verified"] == true && line["payload"] == nil && line["answer"] == nil)
        }
        for line in verified.lines.suffix(3) {
            #expect(line["error"]?["code"]?.string == "commitmentMismatch")
        }
        #expect(verified.lines[0].members?.map(\.name) == ["verified", "commitmentHash", "id"])
    }

    @Test(
        "what belongs to one answer does not go with many",
        arguments: [
            "\(opening) --release w-key-1.json", "closer-keys answer verify --jsonl --answer w-1.json",
            "closer-keys answer verify w-1.json", "\(opening) --json",
        ])
    func options(_ command: String) throws {
        #expect(try run("\(command) < lines.jsonl").exit == 64)
    }
}
