import CloserWire
import Foundation
import TestSupport
import Testing

/// `scripts/judge`, which the CI of others runs.
@Suite("The judge")
struct JudgeTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.writeForeignChild(features: #""base64.decode","canonical""#)
    }

    /// Runs the judge with this as its arguments, and shows the exit code and the job's summary behind its output.
    private func judge(_ arguments: String) throws -> ClosingProgram.Run {
        try program.script(
            """
            export CLOSER_KEYS=closer-keys GITHUB_STEP_SUMMARY=$PWD/summary.md
            code=0
            : > summary.md
            '\(Self.script)' \(arguments) > report || code=$?
            cat report; echo "exit $code"
            cmp -s report summary.md && echo "and in the summary"
            [ -s summary.md ] || echo "no summary"
            """)
    }

    private static let script = TestData.root.appending(path: "scripts/judge").path()
    private static let child = #"sh child.sh '"error":"malformed"'"#

    @Test(
        "--live stands anywhere before --, and there only",
        arguments: [
            "--live 3 canonical", "canonical --live 3", "--live=3 canonical",
            "--time-limit 5 canonical --live=3",
        ])
    func live(_ arguments: String) throws {
        let run = try judge("\(arguments) -- \(Self.child) --live 9 --json")
        #expect(run.text.hasPrefix("## Live cases: failed\n\n3 of 3 cases failed\n"), "\(run.errors)")
        #expect(run.text.hasSuffix("\nexit 1\nand in the summary\n"))
        #expect(run.errors == "closer-keys: error: 3 of 3 cases failed\n")
    }

    @Test("without it, files are asked, by their names")
    func files() throws {
        let run = try judge("--min-coverage 50.5 base64.json -- \(Self.child)")
        #expect(
            run.text.hasPrefix("## Vectors: failed\n\n52 of 112 cases failed\n"), "\(run.text)\(run.errors)")
    }

    @Test(
        "a number that is none is said before anything is built",
        arguments: ["--live", "--live=", "--live x", "--live --"])
    func noNumber(_ arguments: String) throws {
        let run = try judge(arguments)
        #expect(run.text == "exit 64\nand in the summary\nno summary\n")
        #expect(run.errors == "judge: --live takes a number\n")
    }

    @Test(
        "the report goes to standard output: -o is the shell's",
        arguments: ["-o f", "-of", "--output f", "--output=f", "--live 3 canonical -o f"])
    func output(_ option: String) throws {
        let run = try judge("\(option) -- \(Self.child)")
        #expect(run.text == "exit 64\nand in the summary\nno summary\n")
        #expect(run.errors.hasPrefix("judge: the report goes to standard output\njudge: hint: > FILE "))
        #expect(try judge("base64.json -- \(Self.child) -o f").text.hasPrefix("## Vectors: failed\n"))
    }

    @Test(
        "--help is the judge's own, and builds nothing",
        arguments: ["--help", "-h", "--live 3 canonical --help -- true"])
    func help(_ arguments: String) throws {
        let run = try program.script(
            "export CLOSER_KEYS= CLOSER_KEYS_CACHE=$PWD; '\(Self.script)' \(arguments); ls")
        #expect(run.text.hasPrefix("scripts/judge [OPTION… FILE…] -- COMMAND…: "))
        #expect(run.text.hasSuffix("nothing is installed\nor built.\nchild.sh\n"), "\(run.text)")
        #expect(run.errors == "")
    }

    @Test(
        "another format is the caller's, and goes into no summary",
        arguments: ["--format tap", "--format=tap", "--json"])
    func format(_ option: String) throws {
        let run = try judge("\(option) base64.json -- \(Self.child)")
        #expect(run.text.hasPrefix(option == "--json" ? "{" : "TAP version 14\n"))
        #expect(run.text.hasSuffix("\nexit 1\nno summary\n"))
    }

    @Test("a program that does not start is in the summary, too", arguments: ["Vectors", "Live cases"])
    func notRun(_ title: String) throws {
        let run = try judge(
            "\(title == "Vectors" ? "" : "--live 3") -- sh -c 'echo \"its own words\" >&2; echo oops'")
        #expect(
            run.text == """
                ## \(title): not run

                Exit code 5:

                    closer-keys: error: the program did not start: no answer: the line is not strict JSON: "oops"
                exit 5
                and in the summary

                """)
        #expect(run.errors.contains("its own words\n"))
        #expect(
            try judge("-- sh -c 'exit 3'").text.contains(
                "Exit code 74:\n\n    closer-keys: error: the program"))
    }

    @Test(
        "the action's exit code is the first that is none of success, and live cases may be none",
        arguments: [
            ("", "", "run\nexit 0\n"), ("0", "", "run\nexit 0\n"), ("false", "run", "run\nexit 5\n"),
            ("10", "", "run\nlive\nexit 0\n"), ("10", "live", "run\nlive\nexit 6\n"),
            ("10", "run", "run\nlive\nexit 5\n"), ("10", "run live", "run\nlive\nexit 5\n"),
        ])
    func action(_ live: String, _ failing: String, _ expected: String) throws {
        let action = try String(contentsOf: TestData.root.appending(path: "action.yml"), encoding: .utf8)
        let step = try #require(action.components(separatedBy: "run: |\n").last)
        let fake = """
            #!/bin/sh
            case "$*" in *--live*) verb=live code=6 ;; *) verb=run code=5 ;; esac
            echo $verb
            case " $FAILING " in *" $verb "*) exit $code ;; esac
            """
        try program.write(Data(step.utf8), to: "step.sh")
        try program.write(Data(fake.utf8), to: "judge")
        let run = try program.script(
            """
            mkdir scripts && mv judge scripts/judge && chmod +x scripts/judge
            export GITHUB_ACTION_PATH=$PWD ADAPTER=true PATHS= MIN_COVERAGE=1 TIME_LIMIT=10 LIVE='\(live)' FAILING='\(failing)'
            bash --noprofile --norc -eo pipefail step.sh || code=$?
            echo "exit ${code:-0}"
            """)
        #expect(run.text == expected, "\(run.errors)")
    }
}
