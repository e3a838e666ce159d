import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("closer-keys check: who writes, and where")
struct CheckWriteTests {
    private let scene: CoupleScene

    init() async throws {
        scene = try await CoupleScene()
        try scene.lines("jq -c '.userIds = [\"alice\", \"bob\"]' couple.json > old.json")
    }

    @Test(
        "the rule that a write breaks",
        .proves("`check` says who may create a document, and what of it each writer may change"),
        arguments: [
            ("--previous old.json --as-server", ".streakCount = 2", ""),
            ("--previous old.json --as alice", ".streakCount = 2", ""),
            ("--previous old.json --as carol", ".streakCount = 2", "userIds.notAMember"),
            ("--previous old.json --as alice", ".currentQuestionId = \"q\"", "currentQuestionId.notAnUpdate"),
            ("--previous old.json --as-server", ".currentQuestionId = \"q\"", ""),
            ("--previous old.json --as-server", ".userIds = [\"alice\", \"carol\"]", "userIds.notAnUpdate"),
            ("--previous old.json --patch --as bob", "{streakCount: 2}", ""),
            ("--previous old.json --patch --as bob", "{kdfSalt: null}", "kdfSalt.wholeWrap"),
            ("--path couples/c_1", ".coupleId = \"c_2\"", "coupleId.samePath"),
            ("--path couples/c_1 --as-server", ".", ""),
            ("--path couples/c_1 --as alice", ".", "userIds.notTheServer"),
            ("--as carol", ".", "userIds.notTheServer"),
        ])
    func write(_ options: String, _ filter: String, _ rule: String) throws {
        try scene.lines("jq -c '\(filter)' old.json > x.json")
        let run = try scene.program("check \(options) x.json --json")
        let result = try JSONValue(parsing: run.output.dropLast())
        #expect(result["document"]?.string == "couple" && run.exit == (rule.isEmpty ? 0 : 1), "\(run.errors)")
        #expect((result["broken"]?.array?.first?["rule"]?.string ?? "") == rule)
    }

    @Test("the path tells the kind, and gives the ids that a document leaves out")
    func paths() throws {
        try scene.lines("jq -c '{encryptedAnswerKey}' release-key.json > x.json")
        let path = "couples/c/daily_question/2026-11-20/answers/alice/releaseKeys/bob"
        #expect(try scene.program("check --path \(path) --as alice x.json").text == "ok\n")
        let bob = try scene.program("check --path \(path) --as bob x.json")
        #expect(bob.exit == 1 && bob.text.hasPrefix("senderId.notTheOwner: "))
        #expect(try scene.program("check x.json").text.hasPrefix("senderId.present: "))
        #expect(try scene.program("check --path users/alice/devices/d --as alice device.json").text == "ok\n")
        try scene.lines("echo '{}' > empty.json")
        #expect(try scene.program("check --path couples/c empty.json").text == "ok\n")
        #expect(try scene.program("check --path users/alice empty.json").exit == 5)
        #expect(try scene.program("check --path couples/c --kind answer empty.json").exit == 64)
        #expect(try scene.program("check --path \(path.replacing("11-20", with: "02-30")) x.json").exit == 64)
        for bad in ["couples", "/couples/c", "couples/c/", "couples/a%7Cb"] {
            #expect(try scene.program("check --path \(bad) empty.json").exit == 64)
        }
    }

    @Test("a legacy answer may be in the clear in a couple of version 0, which --couple shows")
    func clear() throws {
        try scene.lines("jq -c '.text = \"yes\"' legacy-answer.json > x.json; echo '{}' > zero.json")
        #expect(try scene.program("check --kind legacy-answer x.json").exit == 1)
        #expect(try scene.program("check --kind legacy-answer --couple couple.json x.json").exit == 1)
        #expect(try scene.program("check --kind legacy-answer --couple zero.json x.json").text == "ok\n")
    }

    @Test("with --couple, or the couple of a line, an answer is one of its users'")
    func strangers() throws {
        try scene.lines("jq -c '.userId = \"carol\"' answer.json > x.json")
        for (options, rule) in [
            ("--as carol x.json", ""), ("--as carol --couple old.json x.json", "userIds.notAMember"),
            ("--as alice --couple old.json answer.json", ""),
            ("--as bob --couple old.json answer.json", "userId.notTheOwner"),
            ("--couple old.json x.json", ""),
        ] {
            let run = try scene.program("check --json \(options)")
            let rules = try JSONValue(parsing: run.output.dropLast())["broken"]?.array
            #expect((rules?.first?["rule"]?.string ?? "") == rule, "\(options)")
        }
        try scene.lines(
            """
            jq -c --slurpfile old old.json '{as: "carol", document: ., couple: $old[0]}' x.json > lines
            jq -c '{as: "carol", document: .}' x.json >> lines
            jq -c '{as: "carol", document: ., couple: {userIds: ["carol"]}}' x.json >> lines
            """)
        let lines = try scene.program("check --jsonl lines")
        let results = try lines.text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
        #expect(results.map { $0["valid"] } == [false, true, nil] && lines.exit == 9)
        #expect(results[2]["error"]?["exit"]?.number == 5 && results[0]["couple"] == nil)
        let both = try scene.program("check --jsonl --couple old.json lines").text
        #expect(both.split(separator: "\n").count { $0.contains("userIds.notAMember") } == 2)
    }

    @Test("one document a line: each line gets its verdict, and the exit code is 1 or 9")
    func lines() throws {
        let couple = "couples/c"
        try scene.lines(
            """
            jq -c --slurpfile old old.json '{n: 1, path: "\(couple)", as: "alice", document: (. + {streakCount: 9}), previous: $old[0]}' old.json > lines
            jq -c '{path: "\(couple)", as: "carol", document: ., previous: null}' old.json >> lines
            jq -c '{document: .}' answer.json >> lines
            """)
        let run = try scene.program("check --jsonl lines")
        let results = try run.text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
        #expect(run.exit == 1 && results.count == 3)
        #expect(results.map { $0["document"]?.string } == ["couple", "couple", "answer"])
        #expect(
            results.map { $0["broken"]?.array?.first?["rule"]?.string } == [nil, "userIds.notTheServer", nil])
        #expect(results[0]["n"]?.number == 1 && results[0]["previous"] == nil)
        try scene.lines("echo '{\"path\": \"couples\", \"document\": {}}' >> lines; echo '{}' >> lines")
        let failed = try scene.program("check --jsonl lines")
        #expect(failed.exit == 9 && failed.text.split(separator: "\n").count == 5)
        for option in ["--path couples/c", "--as alice", "--as-server", "--previous old.json"] {
            #expect(try scene.program("check --jsonl \(option) lines").exit == 64)
        }
        #expect(try scene.program("check --patch old.json").exit == 64)
        let line = try scene.run(
            #"set +e; echo '{"document":{"streakCount":1},"as":"bob"}' | closer-keys check --jsonl --patch; exit $?"#
        )
        #expect(line.exit == 9 && line.text.contains("needs"), "\(line.text)")
    }

    @Test(
        "a writer who is missing is nobody, and the server says that it is one",
        .proves("`check` says who may create a document, and what of it each writer may change"))
    func nobody() throws {
        try scene.lines(
            """
            jq -c '{document: .}' old.json > lines
            for as in '"$server"' null '"alice"'; do
                jq -c "{as: $as, document: (. + {currentQuestionId: \\"q\\"}), previous: .}" old.json >> lines
                jq -c "{as: $as, document: .}" pair-grant.json >> lines
            done
            jq -c '{document: ., previous: .}, {document: ., previous: null}, {As: "alice", document: ., previous: .}' old.json >> lines
            """)
        let results = try scene.program("check --jsonl lines").text.split(separator: "\n")
            .map { try JSONValue(parsing: $0.utf8) }
        let rules = results.map {
            $0["broken"]?.array.map { $0.first?["rule"]?.string ?? "ok" } ?? "malformed"
        }
        #expect(
            rules == [
                "ok", "ok", "ok", "userIds.notAMember", "ok", "currentQuestionId.notAnUpdate", "malformed",
                "malformed", "malformed", "malformed",
            ])
        #expect(results.suffix(4).allSatisfy { $0["error"]?["exit"]?.number == 5 })
        for options in [
            "--previous old.json old.json", "--as alice --as-server old.json",
            "--kind pair-grant --as alice pair-grant.json",
        ] {
            #expect(try scene.program("check \(options)").exit == 64, "\(options)")
        }
        #expect(try scene.program("check --as-server pair-grant.json").text == "ok\n")
    }

    @Test(
        "1 MiB of hostile JSON takes at most 16 MiB",
        arguments: [
            ("couple", "{", "\"%05x\":0", "}"), ("couple", "{", "\"%016x\":{}", "}"),
            ("couple", "{\"x\":[", "{\"\":0}", "]}"), ("couple", "{\"userIds\":[", "[]", "]}"),
            ("couple", "{\"userIds\":[", "\"a\"", "]}"),
            ("couple", "{\"encryptionMigrationUsers\":{", "\"%06x\":true", "}}"),
            ("game-slot", "{\"answers\":{", "\"%016x\":\"\"", "}}"),
            ("legacy-answer", "{", "\"%05x\":\"\"", "}"), ("answer", "{", "\"%05x\":\"\"", "}"),
            ("answer", "{\"x\":[", "\"\"", "]}"),
        ])
    func memory(_ kind: String, _ first: String, _ item: String, _ last: String) throws {
        let run = try scene.run(
            """
            awk -v a='\(first)' -v f='\(item)' -v z='\(last)' 'BEGIN {
                printf "{\"document\":%s", a
                for (i = 0; n < 1048000; i++) { s = (i ? "," : "") sprintf(f, i); printf "%s", s; n += length(s) }
                print z "}" }' > hostile
            mkfifo in out
            closer-keys check --jsonl --kind \(kind) < in > out 2> errors & pid=$!
            exec 3> in 4< out
            peak() { read -r line <&4; awk '/VmHWM/ { print $2 }' /proc/$pid/status; }
            echo '{"document":{}}' >&3; peak
            cat hostile >&3; peak
            exec 3>&-; wait $pid || true
            """)
        let peaks = run.text.split(separator: "\n").compactMap { Int($0) }
        try #require(peaks.count == 2, "\(run.errors)")
        #expect(peaks[1] - peaks[0] <= 16 * 1024, "\(item): \(peaks) KiB")
    }
}
