import CloserWire
import Foundation
import TestSupport
import Testing

/// What a caller demands of another program, and how much it forgives.
@Suite("vectors run and live: demands")
struct VectorsRequireTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.writeAdapterScript(features: #""base64.decode","kdfParams.check","field.seal""#)
    }

    private static let refuses = #"-- sh child.sh "error":"malformed""#
    private static let skips = #"-- sh child.sh "skip":"none""#

    @Test(
        "an operation that is required, and that the program does not have or passes over, is exit 1 and named",
        arguments: [
            ("run --require field.open", refuses, "field.open"),
            ("run --require base64.decode,field.open,keybox", refuses, "field.open, keybox.open"),
            ("run --require field.seal --require keybox.seal", refuses, "keybox.seal"),
            ("run --require base64", skips, "base64.decode"),
            ("run --require base64,kdfParams", refuses, "kdfParams.check"),
            ("live --count 2 --require field", skips, "field.open, field.seal"),
            ("live --count 2 canonical field.seal", skips, "canonical, field.seal"),
            ("live --count 2 keybox", skips, "keybox.open, keybox.seal"),
        ])
    func missing(_ arguments: String, _ child: String, _ names: String) throws {
        // No other demand is left.
        try program.write(Data(Self.oneCase.utf8), to: "one.json")
        let file = arguments.hasPrefix("run") ? " one.json" : ""
        let run = try program("vectors \(arguments)\(file) --min-coverage 0 --json \(child)")
        #expect(run.exit == 1)
        #expect(
            run.errors
                == "closer-keys: error: these operations are required, and were not answered: \(names)\n")
        let report = try JSONValue(parsing: run.output)
        #expect(report["verdict"]?.string == "coverageTooLow")
        #expect(
            report["missingOperations"]?.array?.compactMap(\.string).joined(separator: ", ") == names)
    }

    /// One case, which the adapter of these tests refuses as it must.
    private static let oneCase = """
        {"algorithm": "Base64", "schema": "base64.json", "numberOfTests": 1, "notes": {}, "testGroups": [
         {"type": "base64.decode", "source": {"name": "RFC 4648", "version": "2006"}, "variant": "url", "tests": [
          {"tcId": 1, "comment": "", "flags": [], "text": "=", "result": "invalid", "error": "malformed"}]}]}
        """

    @Test(
        "what is required and answered is a yes, and so is a feature that seals, which live cases ask",
        arguments: ["base64", "base64.decode,field.seal", "'base64.decode, field.seal'"])
    func there(_ names: String) throws {
        try program.write(Data(Self.oneCase.utf8), to: "one.json")
        let run = try program.script(
            """
            closer-keys vectors run --require \(names) --json one.json -- sh child.sh '"error":"malformed"'
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try JSONValue(parsing: run.output)["missingOperations"] == nil)
    }

    @Test("an operation of which one of two is missing is a no in every format")
    func formats() throws {
        try program.write(Data(Self.oneCase.utf8), to: "one.json")
        let reason = "these operations are required, and were not answered: field.open"
        func text(_ format: String) throws -> String {
            try program(
                "vectors run --require base64,field --format \(format) one.json \(Self.refuses)"
            ).text
        }
        #expect(try text("tap").hasSuffix("\nBail out! \(reason)\n"))
        #expect(try text("junit").contains("<failure message=\"\(reason)\"/>"))
        #expect(try text("markdown").hasPrefix("## Vectors: too few answered\n\n\(reason)\n"))
    }

    @Test(
        "a required operation that there is not is 64, with the one that is meant",
        arguments: [
            ("field.sael", "did you mean field.seal?"), ("feild", "did you mean field?"),
            ("base64.decode,field.x", "there are field.open, field.seal"),
        ])
    func unknown(_ names: String, _ hint: String) throws {
        for verb in ["run", "live"] {
            let run = try program("vectors \(verb) --require \(names) -- true")
            #expect(run.exit == 64)
            let name = names.split(separator: ",").last ?? ""
            #expect(
                run.errors == """
                    closer-keys: error: --require: there is no operation '\(name)'
                    closer-keys: hint: \(hint)

                    """)
        }
        let empty = try program.script("closer-keys vectors run --require '' -- true || echo $?")
        #expect(empty.text == "64\n" && empty.errors.contains("--require names no operation"))
    }

    @Test("with --any-refusal any error is the one that is expected, and the report says so")
    func anyRefusal() throws {
        let child = #"-- sh child.sh "error":"internal""#
        let strict = try program("vectors run base64.json \(child)")
        #expect(strict.exit == 1 && !strict.text.contains("Any error"))
        let run = try program("vectors run --any-refusal base64.json \(child)")
        // The valid cases still want their output.
        #expect(run.errors == "closer-keys: error: 52 of 112 cases failed\n")
        let words = "Any error was taken as a refusal: their ids were not compared"
        #expect(run.text.hasSuffix("\n\(words)\n112 cases in 1 file: 60 passed, 52 failed\n"))
        for (format, line) in [("tap", "\n# \(words)\n"), ("markdown", "\n\n\(words)\n\n")] {
            #expect(
                try program("vectors run --any-refusal --format \(format) base64.json \(child)").text
                    .contains(line))
        }
        let json = try program("vectors run --any-refusal --json base64.json \(child)").output
        #expect(try JSONValue(parsing: json)["anyRefusal"] == .bool(true))
        try program.write(Data(Self.oneCase.utf8), to: "one.json")
        #expect(try program("vectors run --any-refusal --min-coverage 100 one.json \(child)").exit == 0)
    }

    @Test("after --max-errors failed cases no other one is asked, and the report says how many were not")
    func maxErrors() throws {
        let run = try program("vectors run --max-errors 3 --json base64.json kdf_params.json \(Self.refuses)")
        #expect(run.exit == 1)
        let report = try JSONValue(parsing: run.output)
        #expect(report["failed"]?.number == 3)
        let reasons = (report["files"]?.array ?? []).flatMap { $0["skippedFor"]?.array ?? [] }
        #expect(
            Set(reasons.compactMap { $0["reason"]?.string }) == ["not asked: too many cases had failed"])
        let whole = try program("vectors run --max-errors 53 base64.json \(Self.refuses)")
        #expect(whole.text.hasSuffix("\n112 cases in 1 file: 60 passed, 52 failed\n"))
        #expect(try program("vectors run --max-errors 0 \(Self.refuses)").exit == 64)
    }

    @Test(
        "progress is shown on a terminal after a second, and erased; a script never sees it",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func progress() throws {
        let slow = """
            read start; echo '{"seq":0,"features":["base64.decode"]}'
            n=1
            while read line; do
                case $line in *'"stop"'*) exit 0 ;; esac
                [ $n != 3 ] || sleep 1.3
                echo "{\\"seq\\":$n,\\"error\\":\\"malformed\\"}"
                n=$((n + 1))
            done
            """
        try program.write(Data(slow.utf8), to: "slow.sh")
        let run = try program.script(
            """
            judged() { script -qec "closer-keys vectors run base64.json $1 -- sh $2" /dev/null < /dev/null || true; }
            judged "> report" slow.sh > shown
            judged "--json > report" slow.sh > json
            judged "> report" "child.sh '\\"error\\":\\"malformed\\"'" > quick
            """)
        #expect(run.exit == 0, "\(run.errors)")
        func text(_ name: String) throws -> String {
            String(decoding: try program.content(name), as: UTF8.self)
        }
        let shown = try text("shown")
        #expect(shown.contains("\rcloser-keys: 3 of 112 cases\r"), "\(shown.debugDescription)")
        #expect(shown.contains("  \rcloser-keys: error: 52 of 112 cases failed"))
        for name in ["json", "quick"] { #expect(try !text(name).contains(" of 112 cases\r"), "\(name)") }
    }
}
