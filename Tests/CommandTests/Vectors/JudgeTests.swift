import CloserWire
import Foundation
import TestSupport
import Testing

/// `scripts/judge`, which others run in their CI.
@Suite("The judge")
struct JudgeTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.writeAdapterScript(features: #""base64.decode","canonical""#)
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

    @Test("a program that is installed is taken if its vectors are the ones here; otherwise one is built")
    func installed() throws {
        // A compiler that builds nothing, and an older program.
        let run = try program.script(
            #"""
            export CLOSER_KEYS= CLOSER_KEYS_CACHE=$PWD/cache GITHUB_STEP_SUMMARY=
            mkdir bin; printf '#!/bin/sh\necho built >&2\nexit 9\n' > bin/swift; chmod +x bin/swift
            PATH=$PWD/bin:$PATH
            '\#(Self.script)' base64.json -- \#(Self.child) | head -n 1 || :
            printf '#!/bin/sh\n%s "$@" || exit\n[ "$2" != export ] || rm "$4/aead.json"\n' "$(command -v closer-keys)" > bin/old
            chmod +x bin/old; mv bin/old bin/closer-keys
            '\#(Self.script)' base64.json -- \#(Self.child) || echo "exit $?"
            """#)
        #expect(run.text == "## Vectors: failed\nexit 9\n", "\(run.errors)")
        #expect(run.errors.hasSuffix("built\n") && run.errors.components(separatedBy: "built").count == 2)
    }

    @Test(
        "--help is the judge's own, and builds nothing",
        arguments: ["--help", "-h", "--live 3 canonical --help -- true"])
    func help(_ arguments: String) throws {
        let run = try program.script(
            "export CLOSER_KEYS= CLOSER_KEYS_CACHE=$PWD; '\(Self.script)' \(arguments); ls")
        #expect(run.text.hasPrefix("scripts/judge [OPTION… FILE…] -- COMMAND…: "))
        #expect(run.text.hasSuffix("nothing is installed or built.\nchild.sh\n"), "\(run.text)")
        #expect(run.errors == "")
    }

    @Test(
        "another format is the caller's, and goes into no summary",
        arguments: ["--format tap", "--format=tap", "--json"])
    func format(_ option: String) throws {
        let run = try judge("\(option) base64.json -- \(Self.child)")
        #expect(run.text.hasPrefix(option == "--json" ? "{" : "TAP version 13\n"))
        #expect(run.text.hasSuffix("\nexit 1\nno summary\n"))
    }

    @Test("a program that does not start is in the summary, too", arguments: ["Vectors", "Live cases"])
    func notRun(_ title: String) throws {
        let words = #"for n in 1 2 3 4 5 6; do printf "its word $n\r\n" >&2; done"#
        let run = try judge("\(title == "Vectors" ? "" : "--live 3") -- sh -c '\(words); echo oops'")
        #expect(
            run.text == """
                ## \(title): not run

                Exit code 5.

                    closer-keys: error: the program did not start: no answer: the line is not strict JSON: "oops"
                    closer-keys: hint: man closer-keys-vectors.7 describes the lines

                What the command wrote to standard error last:

                    its word 2\u{20}
                    its word 3\u{20}
                    its word 4\u{20}
                    its word 5\u{20}
                    its word 6\u{20}
                exit 5
                and in the summary

                """)
        #expect(run.errors.hasPrefix("its word 1\r\n"))
        #expect(run.errors.contains("\ncloser-keys: error: "))
    }

    @Test("whatever little was said, there is a summary")
    func littleSaid() throws {
        func summary(_ fake: String) throws -> String {
            try program.write(Data("#!/bin/sh\n\(fake)\n".utf8), to: "fake")
            return try program.script(
                """
                chmod +x fake
                export CLOSER_KEYS=$PWD/fake GITHUB_STEP_SUMMARY=$PWD/summary.md
                : > summary.md
                '\(Self.script)' -- true > report 2> errors || cat summary.md
                """
            ).text
        }
        #expect(try summary("exit 1") == "## Vectors: not run\n\nExit code 1.\n")
        let changed = "closer-keys: error: the vectors in this program: not those of their index"
        #expect(
            try summary("echo '\(changed)' >&2; exit 1")
                == "## Vectors: not run\n\nExit code 1.\n\n    \(changed)\n")
        let glued = try summary("printf oops >&2; echo 'closer-keys: error: x' >&2; exit 74")
        #expect(glued.hasSuffix(" last:\n\n    oopscloser-keys: error: x\n"))
        let long = try summary("head -c 2000000 /dev/zero | tr '\\0' x >&2; exit 74")
        #expect(long.hasSuffix("    \(String(repeating: "x", count: 1000)) ...\n"))
        #expect(try summary("exit 0") == "")
    }

    @Test("a signal ends the program, too, and nothing is left", arguments: [("INT", 130), ("TERM", 143)])
    func signal(_ name: String, _ code: Int) throws {
        let fake = """
            #!/bin/sh
            trap 'kill $!; echo "told to end" > end; exit 9' TERM
            sleep 30 &
            read line
            echo "$line" > begin
            wait
            """
        try program.write(Data(fake.utf8), to: "fake")
        // Our test runner blocks signals, and a shell ignores interrupts in the background: a CI does neither.
        let freed = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvp(sys.argv[1], sys.argv[1:])
            """
        try program.write(Data(freed.utf8), to: "freed.py")
        let run = try program.script(
            """
            mkdir scratch && chmod +x fake
            export CLOSER_KEYS=$PWD/fake TMPDIR=$PWD/scratch
            echo "our standard input" | python3 freed.py '\(Self.script)' - -- true &
            until [ -s begin ]; do sleep 0.05; done
            kill -\(name) $! && wait $! || echo "exit $?"
            cat begin end
            ls scratch
            """)
        #expect(run.text == "exit \(code)\nour standard input\ntold to end\n", "\(run.errors)")
    }
}
