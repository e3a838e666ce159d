import CloserWire
import Foundation
import Testing

/// closer-keys-answer(1), Many answers.
@Suite("Many answers in one vault")
struct AnswerVaultBatchTests {
    private let scene: CoupleScene

    /// Alice's and Bob's answers to three questions, to be sealed.
    init() throws {
        scene = try CoupleScene()
        try scene.lines(
            """
            for who in a b; do
                for i in 1 2 3; do
                    jq -nc --argjson i $i --arg who $who '{
                        id: $i, question: "q_\\($i)", place: "daily:2026-11-20",
                        payload: {answer: "hunter2, says \\($who)", stars: $i}, note: "kept"}'
                done > $who.in
            done
            """)
    }

    private static let seal = "closer-keys answer seal --jsonl --vault"
    private static let release = "closer-keys answer release --jsonl --vault"
    private static let reveal = "closer-keys answer reveal --partner alice --jsonl --vault"

    /// Both seal, Alice releases, and `reveal.in` is what Bob's device gets.
    private static let released = """
        \(seal) a.db a.in > a.out; \(seal) b.db b.in > b.out
        \(keys)
        """
    private static let keys = """
        \(release) a.db --partner bob b.out > keys.out 2> told
        jq -cs --slurpfile a a.out 'to_entries[] | .value.answer = $a[.key].answer
            | {id: .value.id, question: .value.question, place: .value.place, answer: .value.answer,
                releaseKey: .value.releaseKey, note: "kept"}' keys.out > reveal.in

        """

    private func run(_ text: String) throws -> (exit: Int32, lines: [JSONValue], errors: String) {
        let run = try scene.run("set +e; \(text)")
        let lines = try run.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        return (run.exit, lines, run.errors)
    }

    private static func codes(_ lines: [JSONValue]) -> [String?] {
        lines.map { $0["error"]?["code"]?.string }
    }

    @Test("each line is sealed as by one command, and its document takes the place of its answer")
    func seal() throws {
        let sealed = try run("\(Self.seal) a.db a.in")
        #expect((sealed.exit, sealed.errors) == (0, ""))
        try #require(sealed.lines.count == 3)
        for (index, line) in sealed.lines.enumerated() {
            #expect(line.members?.map(\.name) == ["id", "question", "place", "answer", "note"])
            #expect(line["id"]?.number == Double(index + 1) && line["note"] == "kept")
            let again = try run("answer status a q_\(index + 1) $D --document").lines
            #expect(again == [line["answer"]])
        }
    }

    @Test("a text is sealed as an object is, and the other options hold for every line")
    func options() throws {
        let sealed = try run(
            """
            jq -c '.plaintext = (.payload | tojson) | del(.payload)' a.in > text.in
            \(Self.seal) a.db --profile compat text.in | jq -c .answer.commitmentHash
            \(Self.seal) a.db --profile compat --replace a.in | jq -c .answer.commitmentHash
            """)
        #expect(sealed.exit == 0 && sealed.lines.count == 6, "\(sealed.errors)")
        #expect(sealed.lines.prefix(3).elementsEqual(sealed.lines.suffix(3)))
    }

    @Test("a line that cannot be sealed is that line's error, and no other's")
    func faults() throws {
        let sealed = try run(
            """
            (cat a.in; jq -c 'select(.id == 1)' a.in
            for change in 'del(.place)' 'del(.question)' 'del(.payload)' '.plaintext = "{}"' '.payload._m = "x"' \\
                '.payload = "text"' '.answer = 1' '.question = "ck.x"' '.place = "daily:2026-02-30"'
            do jq -c "select(.id == 1) | .question = \\"q_9\\" | $change" a.in; done
            jq -c 'select(.id == 2) | .question = "q_9"' a.in) | \(Self.seal) a.db
            """)
        #expect(
            sealed.exit == 9 && sealed.errors.hasSuffix("error: 10 of 14 lines failed\n"), "\(sealed.errors)")
        let malformed = Array(repeating: "malformed" as String?, count: 9)
        #expect(Self.codes(sealed.lines) == [nil, nil, nil, "inputRequired"] + malformed + [nil])
        #expect(
            sealed.lines.allSatisfy { $0["payload"] == nil && $0["plaintext"] == nil && $0["note"] == "kept" }
        )
        #expect(try scene.lines("closer-keys answer list --vault a.db").count == 5)
    }

    @Test("what is released and revealed is what one command gives, line by line")
    func story() throws {
        let revealed = try run("\(Self.released)\(Self.reveal) b.db reveal.in")
        #expect(revealed.exit == 0, "\(revealed.errors)")
        try #require(revealed.lines.count == 3)
        for (index, line) in revealed.lines.enumerated() {
            let one = try run(
                """
                sed -n \(index + 1)p reveal.in > line.json
                jq -c .answer line.json > one.json; jq -c .releaseKey line.json > one-key.json
                closer-keys answer reveal --vault b.db --partner alice --question q_\(index + 1) one.json --release one-key.json --json
                """)
            let members = try #require(one.lines.first?.members)
            let before: [JSONValue.Member] = [
                .init("id", .number(Double(index + 1))), .init("question", .string("q_\(index + 1)")),
            ]
            #expect(line == .object(before + members + [.init("note", "kept")]))
            #expect(line["place"] == "daily:2026-11-20" && line["payload"]?["_m"] != nil)
        }
        let told = try scene.program.content("told")
        #expect(
            String(decoding: told, as: UTF8.self)
                == "closer-keys: warning: the key of bob is unverified: compare it, or pair\n")
        let keys = try run("cat keys.out").lines
        let names = ["id", "question", "place", "releaseKey", "partnerKeyVerified", "note"]
        #expect(keys.map { $0.members?.map(\.name) } == Array(repeating: names, count: 3))
    }

    @Test("a line names the question, and its document must answer it")
    func releaseFaults() throws {
        let released = try run(
            """
            \(Self.seal) a.db a.in > a.out; \(Self.seal) b.db b.in > b.out
            (jq -c 'select(.id == 1) | del(.question)' b.out
            jq -c 'select(.id == 1) | .question = "q_2"' b.out
            jq -c 'select(.id == 1) | .question = "q_7"' b.out
            jq -c 'select(.id == 1) | .place = "thread:t_1"' b.out
            jq -c 'select(.id == 1) | .answer.userId = "mallory"' b.out
            jq -c 'select(.id == 1) | .releaseKey = 1' b.out
            jq -c 'select(.id == 2)' b.out
            jq -c 'select(.id == 2) | .answer.commitmentHash = "sha256:" + ("A" * 43)' b.out
            jq -c 'select(.id == 3)' b.out) | \(Self.release) a.db
            """)
        #expect(released.exit == 9)
        #expect(
            Self.codes(released.lines) == [
                "malformed", "authFailed", "notYet", "notYet", "otherPartner", "malformed", nil,
                "pinMismatch",
                nil,
            ])
        #expect(
            released.errors.contains("closer-keys: answers of yours that are released to bob: 2\n"),
            "\(released.errors)")
        #expect(released.lines.allSatisfy { $0["answer"] == nil })
        let status = try run("for i in 1 2 3; do answer status a q_$i --json; done").lines
        #expect(status.map { $0["released"] } == [false, true, true])
        #expect(status.map { $0["conflict"] } == [false, true, false])
    }

    @Test("no payload of a line that fails a check, nor what somebody put in its place, comes out")
    func revealFaults() throws {
        let revealed = try run(
            """
            \(Self.released)(jq -c 'select(.id == 1) | .place = "daily:2026-11-21"' reveal.in
            jq -c 'select(.id == 1) | del(.releaseKey)' reveal.in
            jq -cs '.[0] * {releaseKey: .[1].releaseKey}' reveal.in
            jq -c 'select(.id == 1) | .payload = {answer: "forged"}' reveal.in
            jq -c 'select(.id == 1) | .plaintext = "forged"' reveal.in
            jq -c 'select(.id == 3) | del(.place)' reveal.in) | \(Self.reveal) b.db
            """)
        #expect(revealed.exit == 9)
        #expect(
            Self.codes(revealed.lines)
                == ["notYet", "malformed", "authFailed", "malformed", "malformed", nil])
        for line in revealed.lines.dropLast() {
            #expect(line["payload"] == nil && line["plaintext"] == nil && line["question"] == "q_1")
        }
        #expect(revealed.lines.last?["place"] == "daily:2026-11-20")
        let states = try run("for i in 1 2 3; do answer status b q_$i --json; done").lines
        #expect(states.map { $0["revealed"] } == [false, false, true])
    }

    @Test("the lines that were read together change the vault once")
    func changes() throws {
        let count = "closer-keys device show --vault a.db --json | jq -c .changes"
        let run = try run(
            """
            \(count); seq 400 | jq -c '{question: "n_\\(.)", place: "daily:2026-11-20", payload: {answer: "hunter2"}}' > n.in
            \(Self.seal) a.db n.in | jq -c .answer.questionId | sort -u | wc -l; \(count)
            """)
        let numbers = run.lines.compactMap(\.number)
        try #require(numbers.count == 3, "\(run.errors)")
        #expect(numbers[1] == 400 && numbers[2] - numbers[0] < 10)
    }

    @Test("a line is answered when it is in the vault: its document is there after a kill")
    func durable() throws {
        let run = try run(
            """
            mkfifo to from
            \(Self.seal) a.db < to > from & child=$!
            exec 3> to 4< from
            for i in 1 2; do
                sed -n ${i}p a.in >&3; read -r -u 4 line; jq -c .answer <<< "$line"
            done
            kill -9 $child; wait $child 2> /dev/null
            for i in 1 2; do answer status a q_$i $D --document; done
            """)
        #expect(run.exit == 0 && run.lines.count == 4, "\(run.errors)")
        #expect(run.lines.prefix(2).elementsEqual(run.lines.suffix(2)))
    }

    @Test("no release is told if the vault cannot be written")
    func unreleased() throws {
        let run = try run(
            """
            \(Self.seal) a.db a.in > a.out; \(Self.seal) b.db b.in > b.out
            (ulimit -f 1; exec \(Self.release) a.db b.out); echo $?
            """)
        #expect(run.lines.last == .number(74) && !run.errors.contains("released to"), "\(run.errors)")
        #expect(!run.errors.contains("unverified"), "\(run.errors)")
    }

    @Test("no reveal is told if the vault cannot be written")
    func unrevealed() throws {
        let run = try run(
            """
            \(Self.seal) a.db --profile compat a.in > a.out; \(Self.seal) b.db b.in > b.out
            \(Self.keys)
            (ulimit -f 1; exec \(Self.reveal) b.db --allow-unauthenticated reveal.in); echo $?
            \(Self.reveal) b.db --allow-unauthenticated reveal.in | jq -c .authenticity
            """)
        #expect(run.lines == [.number(74)] + Array(repeating: "unauthenticated", count: 3), "\(run.errors)")
        let warnings = run.errors.split(separator: "\n").filter { $0.contains("warning: ") }
        #expect(warnings == ["closer-keys: warning: answers whose author is unproven: 3"], "\(run.errors)")
    }

    @Test("no line is answered if the vault cannot be written")
    func unwritten() throws {
        let run = try run(
            "cp a.db before; rm -f a.db.lock; mkdir a.db.lock; \(Self.seal) a.db a.in; echo $?; cmp a.db before"
        )
        #expect(run.lines == [.number(74)], "\(run.errors)")
    }

    @Test(
        "what belongs to one answer does not go with many",
        arguments: [
            "seal --question q_1", "seal --place daily:2026-11-20", "seal --json",
            "release --question q_1", "release --place daily:2026-11-20",
            "reveal --question q_1", "reveal --place daily:2026-11-20",
            "reveal --release for-bob.json",
        ])
    func refusals(_ arguments: String) throws {
        let refused = try run("closer-keys answer \(arguments) --jsonl --vault a.db < a.in; echo $?")
        #expect(refused.lines.last == .number(64) && refused.errors.contains("error: "), "\(refused.errors)")
    }

    @Test("without --jsonl one answer needs its question and its place")
    func missing() throws {
        let none = try scene.run("closer-keys answer seal --vault a.db < a.in")
        #expect(
            none.exit == 64 && none.errors.contains("'--question <id>', '--place <place>'"), "\(none.errors)")
        let place = try scene.run("closer-keys answer seal --vault a.db --question q < a.in")
        #expect(place.exit == 64 && place.errors.contains("missing expected argument '--place <place>'"))
    }
}
