import CloserSystem
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserConformance
@testable import CloserVectors

/// Programs that somebody else wrote, and did not get right.
@Suite("Foreign programs")
struct AdapterTests {
    @Test("one with the right answers passes, and gets the case without what is expected")
    func right() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let command = AdapterScript.child(
            """
            read one; echo "$one" >> \(file); echo '{"seq":1,"output":{"bytes":"666f6f62"}}'
            read two; echo "$two" >> \(file); echo '{"seq":2,"error":"malformed"}'
            read three; echo "$three" >> \(file)
            """)
        #expect(try AdapterScript.report(command).counts == Counts(passed: 2))
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(
            lines == [
                #"{"seq":1,"cmd":"run","op":"base64.decode","case":{"variant":"standard","text":"Zm9vYg=="}}"#,
                #"{"seq":2,"cmd":"run","op":"base64.decode","case":{"variant":"standard","text":"Zm9vYg"}}"#,
                #"{"cmd":"stop"}"#,
            ])
    }

    @Test("one that passes over everything has answered nothing")
    func skips() throws {
        let report = try AdapterScript.report(AdapterScript.answering(#"{"seq":$n,"skip":"not today"}"#))
        #expect(report.counts == Counts(skipped: 2))
        #expect(report.counts.covered == 0)
        #expect(report.files[0].obstacles.map(\.reason) == ["not today"])
    }

    @Test("it is not asked for what it does not have")
    func features() throws {
        let report = try AdapterScript.report(AdapterScript.child("exit 3", features: #"["field.open"]"#))
        #expect(report.counts == Counts(skipped: 2))
        #expect(report.files[0].obstacles.map(\.reason) == ["no operation base64.decode"])
    }

    @Test(
        "a wrong answer is a failure, with the first value on the way that differs",
        .proves("`vectors run` names the case, its fault, and the first value that differs"))
    func wrong() throws {
        let traced = FrameFile.changing(
            #""output": {"bytes": "666f6f62"}"#,
            to: #""output": {"bytes": "666f6f62"}, "trace": {"sharedSecret": "01", "derivedKey": "02"}"#)
        let answer = #"{"seq":$n,"error":"authFailed","trace":{"derivedKey":"03","sharedSecret":"01"}}"#
        let report = try AdapterScript.report(AdapterScript.answering(answer), of: traced)
        #expect(report.failures.map(\.outcome.words) == ["error authFailed", "error authFailed"])
        #expect(
            report.failures.map(\.difference) == [.init(name: "derivedKey", expected: "02", got: "03"), nil])
        #expect(report.text(.text).contains("first difference: derivedKey is 03, expected 02"))
    }

    @Test("one that hangs fails the case, is killed with what it started, and is started again")
    func hangs() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pids-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let command = AdapterScript.child(
            "sleep 60 & echo $! >> \(file); echo $$ >> \(file); read one; sleep 60")
        #expect(
            try AdapterScript.outcomes(command, limit: .milliseconds(300))
                == [
                    "no answer within 0.3 s (does it flush each line?)",
                    "no answer within 0.3 s (does it flush each line?)",
                ])
        let processes = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap {
            Int32($0)
        }
        #expect(processes.count == 4)
        // Killed is not yet gone: whoever inherits an orphan takes it away a moment later.
        for _ in 0..<200 where processes.contains(where: Self.isRunning) { usleep(10_000) }
        #expect(!processes.contains(where: Self.isRunning))
    }

    /// Alive, and no zombie that waits to be taken away.
    private static func isRunning(_ process: Int32) -> Bool {
        guard kill(process, 0) == 0 else { return false }
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state.map { !$0.contains(") Z ") } ?? true
    }

    @Test("one that dies fails the case, and says how")
    func dies() throws {
        #expect(
            try AdapterScript.outcomes(AdapterScript.child("read one; exit 3"))
                == Array(repeating: "it ended with exit code 3 instead of answering", count: 2))
        #expect(
            try AdapterScript.outcomes(AdapterScript.child("exit 0")).allSatisfy { $0.hasPrefix("it ended ") }
        )
        #expect(
            try AdapterScript.outcomes(AdapterScript.child("read one; kill -9 $$"))
                == Array(repeating: "it ended by signal 9 instead of answering", count: 2))
    }

    @Test("one that closes its output is not said to have ended")
    func closes() throws {
        #expect(
            try AdapterScript.outcomes(AdapterScript.child("read one; exec >&-; sleep 60"))
                == Array(repeating: "it closed its standard output instead of answering", count: 2))
    }

    @Test("one that ends and leaves something running on its output fails the case, and says how it ended")
    func leaves() throws {
        #expect(
            try AdapterScript.outcomes(
                AdapterScript.child("read one; sleep 60 & exit 3"), limit: .milliseconds(500))
                == Array(repeating: "it ended with exit code 3 instead of answering", count: 2))
    }

    @Test("one that dies between two cases is started again, and the other case counts")
    func restarts() throws {
        let report = try AdapterScript.report(
            AdapterScript.child(#"read one; echo '{"seq":1,"output":{"bytes":"666f6f62"}}'; exit 3"#))
        #expect(report.counts == Counts(passed: 1, failed: 1))
        #expect(report.failures.map(\.outcome.words) == ["it ended with exit code 3 instead of answering"])
    }

    @Test("after three faults in a row it is given up, and the rest is not covered")
    func givenUp() throws {
        let program = try Adapter(AdapterScript.child("exit 3"), timeLimit: .seconds(5))
        let test = try FrameFile.parsed().cases[0]
        let outcomes = (0..<5).map { _ in program.answer(test).outcome.words }
        #expect(outcomes.prefix(3).allSatisfy { $0.hasPrefix("it ended ") })
        #expect(
            outcomes.suffix(2) == [
                "skipped: given up after 3 faults in a row", "skipped: given up after 3 faults in a row",
            ])
    }

    @Test(
        "one that does not begin as it should is an error, and no run",
        arguments: [
            (["/bin/sh", "-c", "exit 4"], "it ended with exit code 4 instead of answering"),
            (["/bin/sh", "-c", "sleep 60"], "no answer within 0.5 s (does it flush each line?)"),
            (["/bin/echo", "hello"], #"no answer: the line is not strict JSON: "hello""#),
            (["/bin/echo", #"{"seq":0}"#], ##"no answer: its features are no list of texts: "{"seq":0}""##),
            (
                ["/bin/echo", #"{"seq":0,"features":[1]}"#],
                ##"no answer: its features are no list of texts: "{"seq":0,"features":[1]}""##
            ),
            (
                ["/bin/echo", #"{"seq":1,"features":[]}"#],
                ##"no answer: its seq is not 0: "{"seq":1,"features":[]}""##
            ),
            (["/no/such/program"], "it cannot be started: no such file or directory"),
        ])
    func start(_ command: [String], _ words: String) {
        do {
            _ = try Adapter(command, timeLimit: .milliseconds(500))
            Issue.record("it began")
        } catch { #expect(error.words == words) }
    }
}
