import CloserWire
import TestSupport
import Testing

@testable import CloserVectors

/// What a report says beside the counts, and what it lets nobody smuggle in.
@Suite("A report")
struct ReportTests {
    /// What an implementation that refuses every case makes of a file.
    private func refused(_ text: String = FrameFile.text, as error: String = "authFailed") throws -> Report {
        var theirs = Stubborn(answer: { _ in .error(error) })
        return Report(files: [Runner.run(try FrameFile.parsed(text), with: &theirs)])
    }

    @Test("what a failed case is about is in every format", arguments: Report.Format.allCases)
    func about(_ format: Report.Format) throws {
        let words = format == .markdown ? "; Normal\\: as it should be |" : "Normal: as it should be"
        #expect(try refused().text(format).contains(words))
        #expect(!(try FrameFile.report().text(format)).contains("as it should be"))
    }

    @Test("what a combining mark hides is written otherwise all the same")
    func combining() throws {
        let marked = "<\u{301}\\\"\u{301}&\u{301}#\u{301} SKIP \u{600}>"
        let report = try refused(FrameFile.changing("foob", to: marked))
        let junit = Array(report.text(.junit).utf8)
        #expect(junit.contains(Array("&lt;\u{301}&quot;\u{301}&amp;\u{301}#\u{301} SKIP \u{600}&gt;".utf8)))
        for sign in ["<", "\"", "&"] { #expect(!junit.contains(Array("\(sign)\u{301}".utf8))) }
        let tap = Array(report.text(.tap).utf8)
        #expect(tap.contains(Array("\\#\u{301} SKIP".utf8)))
        #expect(!tap.contains(Array("&\u{301}#\u{301}".utf8)))
    }

    @Test("of many failures people are shown the first of each kind, and how many there are; JSON has all")
    func many() throws {
        let tests = (1...30).map {
            #"{"tcId": \#($0), "comment": "", "flags": ["\#($0 % 3 == 0 ? "A" : "B")"], "text": "=", "result": "invalid", "error": "malformed"}"#
        }
        let text = """
            {"algorithm": "Base64", "schema": "base64.json", "numberOfTests": 30, "notes": {"A": "a", "B": "b"}, "testGroups": [
             {"type": "base64.decode", "source": {"name": "RFC 4648", "version": "2006"}, "variant": "url", "tests": [
              \(tests.joined(separator: ","))]}]}
            """
        let report = try refused(text)
        let lines = report.text(.text).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("FAILED ") }.map { $0.prefix(19) } == [
                "FAILED small.json 1", "FAILED small.json 3",
            ])
        #expect(lines.contains("… and 28 more of small.json, which --json-file has"))
        #expect(report.text(.markdown).hasSuffix("\n\n… and 28 more of `small.json`, which --json-file has"))
        #expect(report.json["failures"]?.array?.count == 30)
        #expect(report.text(.junit).components(of: "<failure ") == 30)
    }

    @Test("a program that opens, and passes over all that it must refuse, has answered too little")
    func neverRefusing() throws {
        func report(skipping count: Int) throws -> Report {
            let wrong = (1...count).map {
                #"{"tcId": \#($0 + 1), "comment": "", "flags": [], "text": "=", "result": "invalid", "error": "malformed"}"#
            }
            let text = """
                {"algorithm": "Base64", "schema": "base64.json", "numberOfTests": \(count + 1), "notes": {}, "testGroups": [
                 {"type": "base64.decode", "source": {"name": "RFC 4648", "version": "2006"}, "variant": "url", "tests": [
                  {"tcId": 1, "comment": "", "flags": [], "text": "", "result": "valid", "output": {"bytes": ""}},
                  \(wrong.joined(separator: ","))]}]}
                """
            var theirs = Stubborn(answer: {
                $0.expectation.isRefusal ? .skipped("unsupported") : .output(["bytes": ""])
            })
            return Report(files: [Runner.run(try FrameFile.parsed(text), with: &theirs)])
        }
        #expect(try report(skipping: 5).verdict == .coverageTooLow)
        #expect(
            try report(skipping: 5).reason == "of base64.decode no case was answered that must be refused")
        // So few may all be about what it does not have.
        #expect(try report(skipping: 4).verdict == .ok)
        #expect(try FrameFile.report().verdict == .ok)
    }

    @Test("of an answer that is longer than any needs to be, the report has the beginning")
    func bounded() throws {
        let long = String(repeating: "a", count: 300_000)
        for (outcome, got) in [
            (Outcome.output(["bytes": .string(long)]), #"300012 bytes, which begin {"bytes":"aaaa"#),
            (.error(long), "300006 bytes, which begin error aaaa"),
        ] {
            var theirs = Stubborn(answer: { _ in outcome })
            let report = Report(files: [Runner.run(try FrameFile.parsed(), with: &theirs)])
            #expect(report.failures.map { $0.got.hasPrefix(got) && $0.got.utf8.count < 200 } == [true, true])
        }
        var skipping = Stubborn(answer: { _ in .skipped(long) })
        let skipped = Report(files: [Runner.run(try FrameFile.parsed(), with: &skipping)])
        #expect(skipped.text(.json).utf8.count < 1000)
        let needed = String(long.prefix(200_000))
        var wrong = Stubborn(answer: { _ in .output(["bytes": .string(needed)]) })
        #expect(
            try Report(files: [Runner.run(FrameFile.parsed(), with: &wrong)]).failures[0].got.contains(needed)
        )
    }

    @Test("whoever gets authFailed and tells no trace hears of it, and nobody else")
    func hint() throws {
        #expect(try refused().hint?.contains(" in a trace ") == true)
        #expect(try refused(as: "malformed").hint == nil)
        var theirs = Stubborn(answer: { _ in .error("authFailed") }, trace: ["plaintext": "00"])
        #expect(Report(files: [Runner.run(try FrameFile.parsed(), with: &theirs)]).hint == nil)
    }
}

/// Answers as it is told, whatever it is asked.
private struct Stubborn: Implementation {
    let answer: (VectorCase) -> Outcome
    var trace: JSONValue = [:]

    func answer(_ test: VectorCase) -> Answer { Answer(answer(test), trace: Trace(trace) ?? Trace()) }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        split(separator: part, omittingEmptySubsequences: false).count - 1
    }
}
