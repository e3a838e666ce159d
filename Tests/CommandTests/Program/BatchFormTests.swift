import CloserWire
import Foundation
import TestSupport
import Testing

/// An input that is no lines, a line that is none, and when to stop.
@Suite("Many records: what is wrong with the input")
struct BatchFormTests {
    private let program: ClosingProgram
    private static let token = TestData.golden.text("field.token")

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(TestData.golden.hex("coupleKeyset.binaryHex")), to: "k")
    }

    private func field(_ arguments: String, _ input: String) throws -> ClosingProgram.Run {
        try program("field \(arguments) --keyset-file k --couple couple_1 --jsonl", input: input)
    }

    @Test(
        "JSON that is not one object a line, and a byte order mark, are one error and no file",
        arguments: [
            ("[{\"token\":\"t\"},\n{\"token\":\"t\"}]\n", "a JSON array", "make lines of it: jq -c '.[]'"),
            ("[\n  {\n    \"token\": \"t\"\n  }\n]\n", "a JSON array", "make lines of it: jq -c '.[]'"),
            ("{\r\n  \"token\": \"t\"\r\n}\r\n", "JSON over several lines", "make lines of it: jq -c ."),
            (
                "\u{feff}{\"token\":\"t\"}\n", "a byte order mark",
                "leave out its first three bytes: tail -c +4"
            ),
            ("\u{feff}\(token)\n", "a byte order mark", "leave out its first three bytes: tail -c +4"),
        ], ["open -o out", "seal"])
    func otherForm(_ form: (input: String, what: String, hint: String), _ verb: String) throws {
        let run = try field(verb, form.input)
        #expect((run.exit, run.text) == (5, ""))
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(form.what), "\(run.errors)")
        #expect(lines.last == "closer-keys: hint: \(form.hint)")
        #expect(try program.files() == ["k"])
    }

    @Test("an array as a later line is that line's error alone")
    func laterLine() throws {
        let run = try field("open", "\(Self.token)\n[1]\n{\n\(Self.token)")
        #expect((run.exit, run.errors) == (9, "closer-keys: error: 2 of 4 lines failed\n"))
    }

    @Test(
        "a line that is no JSON object says what is wrong, and at which of its bytes",
        arguments: [
            (#"{"a":1,"b"}"#, "has a character that JSON does not have there, at byte 11"),
            (#"  {"a":tru}"#, "has a character that JSON does not have there, at byte 8"),
            (#"{"a":1,"a":2}"#, "has a name twice in one object, again at byte 8"),
            (#"{"a":"#, "ends early, at byte 6"), ("", "is empty"),
            (#"{"a":"\ud800"}"#, "has half of a surrogate pair, at byte 7"),
            ("[1]", "is an array, not an object"), (#"{"a":1} {}"#, "has more behind its end, at byte 9"),
        ])
    func position(_ line: String, _ words: String) throws {
        let run = try field("seal", "{\"plaintext\":\"x\"}\n\(line)\n")
        let last = try #require(run.text.split(separator: "\n").last)
        let message = try JSONValue(parsing: Array(last.utf8))["error"]?["message"]?.string
        #expect(message == "this line \(words)")
    }

    @Test("malformed UTF-8 in a line is said to be that")
    func malformedUTF8() throws {
        try program.write(Data("{}\n{\"a\":\"".utf8) + [0xFF] + Data("\"}\n".utf8), to: "lines")
        let run = try program("field seal --keyset-file k --couple couple_1 --jsonl lines")
        #expect(run.text.contains("this line has a byte that is not UTF-8, at byte 7"), "\(run.text)")
    }

    @Test(
        "with --max-errors it stops after so many failed lines, with the same output however many threads work",
        arguments: ["--jobs 1", "--jobs 4"])
    func maxErrors(_ jobs: String) throws {
        let line = "{\"token\":\"\(Self.token)\"}"
        let lines = (1...4000).map { $0.isMultiple(of: 700) ? "bad" : line }.joined(separator: "\n")
        let run = try field("open --max-errors 3 \(jobs)", lines)
        #expect(
            (run.exit, run.errors) == (9, "closer-keys: error: stopped at line 2100, as --max-errors says\n"))
        let results = run.text.split(separator: "\n")
        #expect(results.count == 2100 && results.last?.hasPrefix("{\"line\":2100,\"error\":") == true)
        let whole = try field("open --max-errors 6 \(jobs)", lines)
        #expect(whole.errors == "closer-keys: error: 5 of 4000 lines failed\n")
        #expect(try field("open --max-errors 3 \(jobs) -o out", lines).exit == 9)
        // What is not whole does not appear.
        #expect(try program.files() == ["k"])
    }

    @Test(
        "--max-errors needs lines, and is at least one",
        arguments: ["--max-errors 2", "--jsonl --max-errors 0"])
    func usage(_ options: String) throws {
        let run = try program("field open --keyset-file k --couple couple_1 \(options)", input: "x")
        #expect((run.exit, run.text) == (64, ""))
        #expect(run.errors.contains("--max-errors"))
    }

    @Test(
        "progress is shown on a terminal after a second, and erased; a script never sees it",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func progress() throws {
        try program.write(Data("\(Self.token)\n".utf8), to: "token")
        let run = try program.script(
            """
            slow() { echo "(cat token token; sleep 1.3; cat token) | closer-keys field open --keyset-file k --couple couple_1 --jsonl"; }
            on_terminal() { script -qec "$1" /dev/null < /dev/null; }
            on_terminal "$(slow) -o a" > shown
            on_terminal "$(slow) -o b --quiet" > quiet
            on_terminal "$(slow) -o c 2> errors" > nothing
            on_terminal "$(slow)" | grep -c 'closer-keys: ' > shared || true
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try program.content("shown") == Data("\rcloser-keys: 3 lines\r                    \r".utf8))
        #expect(try program.content("shared") == Data("0\n".utf8))
        for name in ["quiet", "nothing", "errors"] { #expect(try program.content(name).isEmpty, "\(name)") }
    }
}
