import CloserSystem
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserJudge
@testable import CloserVectors

/// Programs that somebody else wrote, and did not get right.
@Suite("Foreign programs")
struct ForeignTests {
    /// A program that reads one line, says what it has, and then does what `script` says.
    private static func child(_ script: String, features: String = #"["base64.decode"]"#) -> [String] {
        ["/bin/sh", "-c", "read start; echo '{\"seq\":0,\"features\":\(features)}'; \(script)"]
    }

    /// One that answers each of the lines with `answer`, in which `$n` is the number.
    private static func answering(_ answer: String) -> [String] {
        child("n=1; while read line; do echo \"\(answer.replacing("\"", with: "\\\""))\"; n=$((n+1)); done")
    }

    private static func report(
        _ command: [String], limit: Duration = .seconds(5), of text: String = FrameFile.text
    ) throws -> Report {
        var program = try ForeignImplementation(command, timeLimit: limit)
        defer { program.stop() }
        return Report(files: [Runner.run(try FrameFile.parsed(text), with: &program)])
    }

    private static func outcomes(_ command: [String], limit: Duration = .seconds(5)) throws -> [String] {
        try report(command, limit: limit).failures.map(\.outcome.words)
    }

    @Test("one with the right answers passes, and gets the case without what is expected")
    func right() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let command = Self.child(
            """
            read one; echo "$one" >> \(file); echo '{"seq":1,"output":{"bytes":"666f6f62"}}'
            read two; echo "$two" >> \(file); echo '{"seq":2,"error":"malformed"}'
            read three; echo "$three" >> \(file)
            """)
        #expect(try Self.report(command).counts == Counts(passed: 2))
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
        let report = try Self.report(Self.answering(#"{"seq":$n,"skip":"not today"}"#))
        #expect(report.counts == Counts(skipped: 2))
        #expect(report.counts.covered == 0)
        #expect(report.files[0].obstacles.map(\.reason) == ["not today"])
    }

    @Test("it is not asked for what it does not have")
    func features() throws {
        let report = try Self.report(Self.child("exit 3", features: #"["field.open"]"#))
        #expect(report.counts == Counts(skipped: 2))
        #expect(report.files[0].obstacles.map(\.reason) == ["no operation base64.decode"])
    }

    @Test("a wrong answer is a failure, with the first value on the way that differs")
    func wrong() throws {
        let traced = FrameFile.changing(
            #""output": {"bytes": "666f6f62"}"#,
            to: #""output": {"bytes": "666f6f62"}, "trace": {"sharedSecret": "01", "derivedKey": "02"}"#)
        let answer = #"{"seq":$n,"error":"authFailed","trace":{"derivedKey":"03","sharedSecret":"01"}}"#
        let report = try Self.report(Self.answering(answer), of: traced)
        #expect(report.failures.map(\.outcome.words) == ["error authFailed", "error authFailed"])
        #expect(
            report.failures.map(\.difference) == [.init(name: "derivedKey", expected: "02", got: "03"), nil])
        #expect(report.text(.text).contains("first difference: derivedKey is 03, expected 02"))
    }

    @Test("one that hangs fails the case, is killed with what it started, and is started again")
    func hangs() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pids-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let command = Self.child("sleep 60 & echo $! >> \(file); echo $$ >> \(file); read one; sleep 60")
        #expect(
            try Self.outcomes(command, limit: .milliseconds(300))
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

    @Test(
        "what is no answer fails the case, and says why",
        arguments: [
            ("debug: opening", "the line is not strict JSON"), ("", "the line is not strict JSON"),
            ("[1]", "the line is no object"), (#"{"error":"malformed"}"#, "it has no seq"),
            (#"{"seq":7,"error":"malformed"}"#, "its seq is not 1"),
            (#"{"seq":1}"#, "it has 0 of output, error and skip"),
            (#"{"seq":1,"error":"malformed","output":{}}"#, "it has 2 of output, error and skip"),
            (#"{"seq":1,"error":1}"#, "its error is of the wrong type"),
            (#"{"seq":1,"output":"666f"}"#, "its output is of the wrong type"),
            (#"{"seq":1,"error":"malformed","note":""}"#, "it has an unknown member 'note'"),
            (
                #"{"seq":1,"error":"malformed","trace":{"x":""}}"#,
                "its trace has other members than those known"
            ),
            (
                #"{"seq":1,"error":"malformed","trace":""}"#,
                "its trace has other members than those known"
            ),
        ])
    func garbage(_ line: String, _ words: String) throws {
        // Each of the two cases has a program of its own, and so the number 1.
        let expected = "no answer: \(words): \"\(line)\""
        #expect(try Self.outcomes(Self.child("read one; echo '\(line)'; read two")) == [expected, expected])
    }

    @Test(
        "of a line that is no answer its beginning is shown, and steers no terminal",
        arguments: [
            (Array(repeating: UInt8(ascii: "a"), count: 60), String(repeating: "a", count: 60)),
            (Array(repeating: UInt8(ascii: "a"), count: 61), String(repeating: "a", count: 60) + "…"),
            (Array(String(repeating: "😀", count: 60).utf8), String(repeating: "😀", count: 60)),
            (Array(String(repeating: "😀", count: 61).utf8), String(repeating: "😀", count: 60) + "…"),
            (Array(repeating: 0xFF, count: 300), String(repeating: "\u{FFFD}", count: 60) + "…"),
            (Array("\u{1B}[31mred\u{202E}\r".utf8), "\u{FFFD}[31mred\u{FFFD}\u{FFFD}"),
        ] as [([UInt8], String)])
    func beginning(_ line: [UInt8], _ shown: String) {
        let fault = ForeignSession.Fault.garbage("the line is not strict JSON: \"\(shown)\"")
        #expect(throws: fault) { try ForeignLine(line, answering: 1) }
    }

    @Test("no request has a character at which a reader may end a line, but for its end")
    func lineSeparators() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let text = FrameFile.changing(
            "\"Zm9vYg\"", to: "\"\u{2028}\u{2027}\u{20A8}\u{2029}A\u{2029}\u{85}\u{105}\"")
        let command = Self.child("while read -r line; do printf '%s\\n' \"$line\" >> \(file); done")
        _ = try Self.report(command, limit: .milliseconds(300), of: text)
        let lines = try String(contentsOfFile: file, encoding: .utf8)
        #expect(lines.contains("\"text\":\"\\u2028\u{2027}\u{20A8}\\u2029A\\u2029\\u0085\u{105}\"}}\n"))
        #expect(!lines.contains { $0 == "\u{2028}" || $0 == "\u{2029}" || $0 == "\u{85}" })
    }

    @Test("one that dies fails the case, and says how")
    func dies() throws {
        #expect(
            try Self.outcomes(Self.child("read one; exit 3"))
                == Array(repeating: "it ended with exit code 3 instead of answering", count: 2))
        #expect(try Self.outcomes(Self.child("exit 0")).allSatisfy { $0.hasPrefix("it ended ") })
        #expect(
            try Self.outcomes(Self.child("read one; kill -9 $$"))
                == Array(repeating: "it ended by signal 9 instead of answering", count: 2))
    }

    @Test("one that closes its output is not said to have ended")
    func closes() throws {
        #expect(
            try Self.outcomes(Self.child("read one; exec >&-; sleep 60"))
                == Array(repeating: "it closed its standard output instead of answering", count: 2))
    }

    @Test("one that ends and leaves something running on its output fails the case, and says how it ended")
    func leaves() throws {
        #expect(
            try Self.outcomes(Self.child("read one; sleep 60 & exit 3"), limit: .milliseconds(500))
                == Array(repeating: "it ended with exit code 3 instead of answering", count: 2))
    }

    @Test(
        "an answer without its newline fails the case, and says so",
        arguments: [
            (
                #"printf '{"seq":1}'; sleep 60"#,
                "no answer within 1 s: it wrote 9 bytes without a newline at their end"
            ),
            ("printf x; sleep 60", "no answer within 1 s: it wrote 1 byte without a newline at its end"),
            (
                #"printf '{"seq":1}'"#,
                "it ended with exit code 0 instead of answering: it wrote 9 bytes without a newline at their end"
            ),
            (
                "printf abc; exit 3",
                "it ended with exit code 3 instead of answering: it wrote 3 bytes without a newline at their end"
            ),
            (
                "printf abc; exec >&-; sleep 60",
                "it closed its standard output instead of answering: it wrote 3 bytes without a newline at their end"
            ),
        ])
    func unfinished(_ script: String, _ words: String) throws {
        #expect(
            try Self.outcomes(Self.child("read one; \(script)"), limit: .seconds(1)) == [words, words])
    }

    @Test("one that dies between two cases is started again, and the other case counts")
    func restarts() throws {
        let report = try Self.report(
            Self.child(#"read one; echo '{"seq":1,"output":{"bytes":"666f6f62"}}'; exit 3"#))
        #expect(report.counts == Counts(passed: 1, failed: 1))
        #expect(report.failures.map(\.outcome.words) == ["it ended with exit code 3 instead of answering"])
    }

    @Test("a line without an end is not read for ever")
    func endlessLine() throws {
        let command = Self.child("cat /dev/zero | tr '\\0' 'a'")
        #expect(
            try Self.outcomes(command, limit: .seconds(60))
                == Array(repeating: "a line of more than 4194304 bytes", count: 2))
    }

    @Test(
        "the largest answer has room, also with the plaintext in its trace, and with an escape for every character"
    )
    func longestLine() throws {
        let outputs = try EmbeddedVectors().entries.flatMap(\.file.cases).compactMap { test -> Int? in
            guard case .output(let output) = test.expectation else { return nil }
            return output.printableBytes.count
        }
        let largest = try #require(outputs.max())
        #expect(largest > 2 << 16)
        let text = String(repeating: "\\u0061", count: 2 * largest)
        let file = FileManager.default.temporaryDirectory.appending(path: "line-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        try #"{"seq":1,"skip":"\#(text)"}"#.appending("\n").write(
            toFile: file, atomically: true, encoding: .utf8)
        let report = try Self.report(Self.child("read one; cat \(file); read two"), limit: .seconds(60))
        #expect(report.counts == Counts(failed: 1, skipped: 1))
    }

    @Test("after three faults in a row it is given up, and the rest is not covered")
    func givenUp() throws {
        let program = try ForeignImplementation(Self.child("exit 3"), timeLimit: .seconds(5))
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
            _ = try ForeignImplementation(command, timeLimit: .milliseconds(500))
            Issue.record("it began")
        } catch { #expect(error.words == words) }
    }

    @Test("a case of a megabyte reaches a program that writes before it reads all")
    func large() throws {
        let text = FrameFile.changing("Zm9vYg==", to: String(repeating: "Zm9v", count: 300_000))
        let command = Self.child(
            "n=1; while read line; do head -c 200000 /dev/zero | tr '\\0' ' '; echo \"{\\\"seq\\\":$n,\\\"error\\\":\\\"malformed\\\"}\"; n=$((n+1)); done"
        )
        #expect(
            try Self.report(command, limit: .seconds(60), of: text).counts == Counts(passed: 1, failed: 1))
    }
}

extension FrameFile {
    fileprivate static func parsed(_ text: String = text) throws(VectorFileError) -> VectorFile {
        try VectorFile(name: "small.json", parsing: Array(text.utf8))
    }
}
