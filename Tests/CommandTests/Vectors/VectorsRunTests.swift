import CloserWire
import Foundation
import TestSupport
import Testing

/// `vectors run`: another program is asked the vectors.
@Suite("vectors run")
struct VectorsRunTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.writeAdapterScript(features: #""base64.decode""#)
    }

    @Test("a -- in front of the words of our own is a usage error", arguments: ["run base64.json", "live"])
    func misplaced(_ words: String) throws {
        #expect(try program("-- vectors \(words)").exit == 64)
    }

    @Test("wrong answers are exit 1, and name the cases")
    func wrong() throws {
        let run = try program("vectors run --json -- sh child.sh \"error\":\"malformed\"")
        #expect(run.exit == 1)
        #expect(run.errors == "closer-keys: error: 52 of 4646 cases failed\n")
        let report = try JSONValue(parsing: run.output)
        #expect(["cases", "passed", "failed", "skipped"].map { report[$0]?.number } == [4646, 60, 52, 4534])
        #expect(report["failures"]?.array?.first?["file"]?.string == "base64.json")
        #expect(report["unknownFeatures"] == nil)
    }

    @Test("a program that passes over everything has covered too little, also without being asked")
    func coverage() throws {
        let skips = try program("vectors run -- sh child.sh \"skip\":\"none\"")
        #expect(skips.exit == 1)
        #expect(
            skips.errors == """
                closer-keys: error: 0 of 4646 cases (0.0 %) were answered, expected 1 percent
                closer-keys: hint: name the files of your formats, and demand all of them: --min-coverage 100 field.json

                """)
        let json = try JSONValue(
            parsing: program("vectors run --json -- sh child.sh \"skip\":\"none\"").output)
        #expect(json["verdict"]?.string == "coverageTooLow")
        #expect(try program("vectors run --min-coverage 0 -- sh child.sh \"skip\":\"none\"").exit == 0)
        let text = """
            {"algorithm": "Base64", "schema": "base64.json", "numberOfTests": 1, "notes": {"N": ""}, "testGroups": [
             {"type": "base64.decode", "source": {"name": "RFC 4648", "version": "2006"}, "variant": "url", "tests": [
              {"tcId": 1, "comment": "", "flags": ["N"], "text": "=", "result": "invalid", "error": "malformed"}]}]}
            """
        try program.write(Data(text.utf8), to: "one.json")
        #expect(
            try program("vectors run --min-coverage 100 one.json -- sh child.sh \"error\":\"malformed\"").exit
                == 0)
        let aead = TestData.root.appending(path: "vectors/v1/aead.json").path()
        let half = try program(
            "vectors run --min-coverage 1 one.json \(aead) -- sh child.sh \"error\":\"malformed\"")
        #expect(half.exit == 1)
        #expect(half.errors.contains(" 1 of 145 cases (0.6 %) were answered, expected 1 percent\n"))
    }

    @Test("the share that is demanded has decimals, and the one that is told is never rounded up")
    func decimals() throws {
        let cases = (1...250).map {
            #"{"tcId": \#($0), "comment": "", "flags": ["N"], "text": "=", "result": "invalid", "error": "malformed"}"#
        }
        let text = """
            {"algorithm": "Base64", "schema": "base64.json", "numberOfTests": 250, "notes": {"N": ""}, "testGroups": [
             {"type": "base64.decode", "source": {"name": "RFC 4648", "version": "2006"}, "variant": "url", "tests": [
              \(cases.joined(separator: ",\n"))]}]}
            """
        try program.write(Data(text.utf8), to: "many.json")
        let some = #"""
            read start; echo '{"seq":0,"features":["base64.decode"]}'
            for n in $(seq 250); do
                read line
                if [ $n -le $1 ]; then echo "{\"seq\":$n,\"error\":\"malformed\"}"; else echo "{\"seq\":$n,\"skip\":\"\"}"; fi
            done
            read stop
            """#
        try program.write(Data(some.utf8), to: "some.sh")
        func run(_ percent: String, _ count: Int) throws -> ClosingProgram.Run {
            try program("vectors run --min-coverage \(percent) many.json -- sh some.sh \(count)")
        }
        // 161 of 250 are 64.4 percent, and the double 64.4 is more than that.
        let enough = try run("64.4", 161)
        #expect(enough.exit == 0, "\(enough.errors)")
        #expect(enough.text.hasSuffix(": 161 passed, 89 skipped (64.4 % answered)\n"))
        let tooFew = try run("64.41", 161)
        #expect(
            tooFew.errors
                == "closer-keys: error: 161 of 250 cases (64.4 %) were answered, expected 64.41 percent\n")
        #expect(try run("100", 249).text.hasSuffix(": 249 passed, 1 skipped (99.6 % answered)\n"))
        #expect(try run("100", 250).text.hasSuffix(": 250 passed\n"))
    }

    @Test("too few answers are a no in TAP and in JUnit, and enough are none")
    func coverageInReports() throws {
        let reason = "0 of 4646 cases (0.0 %) were answered, expected 1 percent"
        func tap(_ option: String) throws -> String {
            try program("vectors run --format tap \(option) -- sh child.sh \"skip\":\"none\"").text
        }
        #expect(try tap("").hasSuffix("\nBail out! \(reason)\n"))
        #expect(try !tap("--min-coverage 0").contains("Bail out!"))
        func parsed(_ option: String) throws -> String {
            try program.script(
                """
                closer-keys vectors run --format junit \(option) -o report.xml --force -- sh child.sh '"skip":"none"' || true
                $(command -v /usr/bin/python3 || command -v python3) - <<'END'
                import xml.etree.ElementTree as tree
                root = tree.parse("report.xml").getroot()
                last = root[-1]
                print(*(root.get(each) for each in ("tests", "failures", "skipped")))
                print(last.get("name"), last.get("tests"), [each.get("message") for each in last.iter("failure")])
                END
                """
            ).text
        }
        #expect(try parsed("") == "4647 1 4646\ncoverage 1 ['\(reason)']\n")
        #expect(try parsed("--min-coverage 0") == "4646 0 4646\nx25519.json 52 []\n")
    }

    @Test(
        "a feature that is no operation is warned of, and is in the report",
        arguments: ["run", "live --count 1"])
    func unknownFeatures(_ verb: String) throws {
        try program.writeAdapterScript(
            features: #""field.opne","base64.decode","field.seal","wycheproof.mac","a\#u{202E}""#)
        let run = try program("vectors \(verb) --json -- sh child.sh \"error\":\"malformed\"")
        let warnings = run.errors.split(separator: "\n").filter { $0.contains("warning") }
        #expect(
            warnings == [
                "closer-keys: warning: the program names the unknown operation 'a\u{FFFD}'",
                "closer-keys: warning: the program names the unknown operation 'field.opne'",
            ])
        let report = try JSONValue(parsing: run.output)
        #expect(report["unknownFeatures"]?.array?.map(\.string) == ["a\u{202E}", "field.opne"])
    }

    @Test("an operation in place of a file is told the file that has its cases")
    func operation() throws {
        let run = try program("vectors run base64.decode -- true")
        #expect(run.exit == 66)
        #expect(
            run.errors.hasSuffix("hint: base64.decode is an operation: its cases are in base64.json\n"))
    }

    @Test(
        "of many features that are no operations five are named, and the others counted",
        arguments: [5, 6, 300])
    func manyUnknownFeatures(_ count: Int) throws {
        let names = (100..<100 + count).map { "no.\($0)" }
        try program.writeAdapterScript(features: names.map { "\"\($0)\"" }.joined(separator: ","))
        let run = try program("vectors run --min-coverage 0 --json -- sh child.sh \"error\":\"malformed\"")
        let named = names.prefix(5).map {
            "closer-keys: warning: the program names the unknown operation '\($0)'\n"
        }
        let rest = count > 5 ? "closer-keys: warning: and \(count - 5) more\n" : ""
        #expect(run.errors == named.joined() + rest)
        let report = try JSONValue(parsing: run.output)
        #expect(report["unknownFeatures"]?.array?.map(\.string) == names)
    }

    @Test("wrong arguments, and a program that cannot be started, have their exit codes")
    func refused() throws {
        let bare = try program("vectors run")
        #expect(bare.exit == 64)
        #expect(bare.errors.hasSuffix("as in closer-keys vectors run -- node adapter.mjs\n"))
        #expect(try program("vectors run --").exit == 64)
        #expect(try program("vectors run --min-coverage 100.1 -- true").exit == 64)
        for number in ["nan", "0x10", "1e1", ".5", "5.", "", "+5", "\u{0661}"] {
            let run = try program.run(
                ["vectors", "run", "--min-coverage", number, "--", "true"], input: Data())
            #expect(run.exit == 64, "\(number)")
        }
        #expect(try program("vectors run --time-limit 0 -- true").exit == 64)
        #expect(try program("vectors run -- /no/such/program").exit == 66)
        #expect(try program("vectors run -- true").exit == 74)
        #expect(try program("vectors run --time-limit 0.3 -- sleep 100").exit == 74)
        #expect(try program("vectors run -- echo hello").exit == 5)
        let json = try program("vectors run --json -- echo hello")
        #expect(try JSONValue(parsing: json.output)["error"]?["code"]?.string == "foreignProgram")
    }

    @Test(
        "a program that cannot be started is named, and a command in quotes gets a hint",
        arguments: [
            (["/no/such/program", "a b"], "cannot start '/no/such/program': no such file or directory\n"),
            (
                ["no such-program.rb", "-v"],
                """
                cannot start 'no such-program.rb': no such file or directory
                closer-keys: hint: drop the quotes around the whole command: -- no such-program.rb -v

                """
            ),
            (
                ["no \u{202E}\u{1B}\n"],
                """
                cannot start 'no \u{FFFD}\u{FFFD}\u{FFFD}': no such file or directory
                closer-keys: hint: drop the quotes around the whole command: -- no \u{FFFD}\u{FFFD}\u{FFFD}

                """
            ),
            (
                [String(repeating: "no ", count: 60)],
                """
                cannot start '\(String(repeating: "no ", count: 53))n… (180 bytes)': no such file or directory
                closer-keys: hint: drop the quotes around the whole command: -- \(String(repeating: "no ", count: 53))n… (180 bytes)

                """
            ),
        ])
    func cannotStart(_ command: [String], _ words: String) throws {
        for verb in ["run", "live"] {
            let run = try program.run(["vectors", verb, "--"] + command, input: Data())
            #expect(run.exit == 66)
            #expect(run.errors == "closer-keys: error: \(words)")
        }
    }

    @Test(
        "a script whose interpreter is missing is told so, and lines that end as on Windows",
        arguments: [
            (
                "#!/no/such/python -u", "cannot start './a': its interpreter /no/such/python was not found\n",
                66
            ),
            ("#! /bin/sh\r", "cannot start './a': its interpreter /bin/sh was not found\n\(returns)", 66),
            (
                "#!/usr/bin/env sh\r",
                "the program did not start: it ended with exit code 127 instead of answering\n\(returns)", 74
            ),
            (
                "#!/bin/sh", "the program did not start: it ended with exit code 0 instead of answering\n", 74
            ),
        ])
    func interpreter(_ line: String, _ words: String, _ exit: Int32) throws {
        try program.write(Data("\(line)\n".utf8), to: "a")
        let run = try program.script(
            "chmod +x a; code=0; closer-keys vectors run -- ./a || code=$?; exit $code")
        #expect(run.exit == exit)
        #expect(run.errors.hasSuffix("closer-keys: error: \(words)"), "\(run.errors)")
    }

    private static let returns =
        "closer-keys: hint: its first line ends in a carriage return: save it with LF, not CR LF\n"

    @Test("its options are its own, and its standard error is ours")
    func passedThrough() throws {
        let run = try program.run(
            [
                "vectors", "run", "--", "sh", "-c", #"echo "$@" >&2; exit 1"#, "x", "--json", "-o", "--",
                "file",
            ], input: Data())
        #expect(run.exit == 74)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("--json -o -- file\n"))
    }

    @Test("a signal that ends us ends the program, and what it started")
    func interrupted() throws {
        let run = try program.script(
            """
            closer-keys vectors run --time-limit 100 -- sh -c 'echo $$ > pid; sleep 20 & echo $! >> pid; wait' & pid=$!
            until [ -s pid ] && [ "$(wc -l < pid)" = 2 ]; do sleep 0.05; done
            kill -TERM $pid
            wait $pid || echo "exit $?"
            for process in $(cat pid); do
                for i in $(seq 100); do kill -0 $process 2> /dev/null || break; grep -q ' Z ' /proc/$process/stat 2> /dev/null && break; sleep 0.05; done
                { kill -0 $process && ! grep -q ' Z ' /proc/$process/stat; } 2> /dev/null && echo alive
            done
            true
            """)
        #expect(run.text == "exit 143\n", "\(run.errors)")
    }

    @Test("a signal that ends us ends also a program that went over to our process group")
    func interruptedTogether() throws {
        let run = try program.script(
            """
            python=$(command -v /usr/bin/python3 || command -v python3)
            closer-keys vectors run --time-limit 100 -- "$python" -c '
            import os, time
            os.setpgid(0, os.getpgid(os.getppid()))
            print(os.getpid(), file=open("pid", "w"), flush=True)
            time.sleep(20)' & pid=$!
            until [ -s pid ]; do sleep 0.05; done
            kill -TERM $pid
            wait $pid || echo "exit $?"
            for i in $(seq 100); do kill -0 $(cat pid) 2> /dev/null || break; grep -q ' Z ' /proc/$(cat pid)/stat 2> /dev/null && break; sleep 0.05; done
            { kill -0 $(cat pid) && ! grep -q ' Z ' /proc/$(cat pid)/stat; } 2> /dev/null && echo alive
            true
            """)
        #expect(run.text == "exit 143\n", "\(run.errors)")
    }

    @Test(
        "WebCrypto in Node passes all that it has",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/node")))
    func webCrypto() throws {
        let adapter = TestData.root.appending(path: "vectors/adapters/node-webcrypto/adapter.mjs").path()
        let run = try program("vectors run --min-coverage 18 --format json -- /usr/bin/node \(adapter)")
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try JSONValue(parsing: run.output)["passed"]?.number == 887)
    }
}
