import CloserSystem
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserConformance
@testable import CloserVectors

/// Lines that are no answer, or too much of one.
@Suite("Lines of foreign programs")
struct AdapterLineTests {
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
        #expect(
            try AdapterScript.outcomes(AdapterScript.child("read one; echo '\(line)'; read two")) == [
                expected, expected,
            ])
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
        let fault = AdapterSession.Fault.garbage("the line is not strict JSON: \"\(shown)\"")
        #expect(throws: fault) { try AdapterLine(line, answering: 1) }
    }

    @Test("no request has a character at which a reader may end a line, but for its end")
    func lineSeparators() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let text = FrameFile.changing(
            "\"Zm9vYg\"", to: "\"\u{2028}\u{2027}\u{20A8}\u{2029}A\u{2029}\u{85}\u{105}\"")
        let command = AdapterScript.child("while read -r line; do printf '%s\\n' \"$line\" >> \(file); done")
        _ = try AdapterScript.report(command, limit: .milliseconds(300), of: text)
        let lines = try String(contentsOfFile: file, encoding: .utf8)
        #expect(lines.contains("\"text\":\"\\u2028\u{2027}\u{20A8}\\u2029A\\u2029\\u0085\u{105}\"}}\n"))
        #expect(!lines.contains { $0 == "\u{2028}" || $0 == "\u{2029}" || $0 == "\u{85}" })
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
            try AdapterScript.outcomes(AdapterScript.child("read one; \(script)"), limit: .seconds(1)) == [
                words, words,
            ])
    }

    @Test("a line without an end is not read for ever")
    func endlessLine() throws {
        let command = AdapterScript.child("cat /dev/zero | tr '\\0' 'a'")
        #expect(
            try AdapterScript.outcomes(command, limit: .seconds(60))
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
        let report = try AdapterScript.report(
            AdapterScript.child("read one; cat \(file); read two"), limit: .seconds(60))
        #expect(report.counts == Counts(failed: 1, skipped: 1))
    }

    @Test("a case of a megabyte reaches a program that writes before it reads all")
    func large() throws {
        let text = FrameFile.changing("Zm9vYg==", to: String(repeating: "Zm9v", count: 300_000))
        let command = AdapterScript.child(
            "n=1; while read line; do head -c 200000 /dev/zero | tr '\\0' ' '; echo \"{\\\"seq\\\":$n,\\\"error\\\":\\\"malformed\\\"}\"; n=$((n+1)); done"
        )
        #expect(
            try AdapterScript.report(command, limit: .seconds(60), of: text).counts
                == Counts(passed: 1, failed: 1))
    }
}
