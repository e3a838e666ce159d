import Foundation
import TestSupport
import Testing

/// `action.yml` and the two recipes of vectors/README.md, run as the CI of others would run them.
@Suite("The judge's recipes")
struct JudgeRecipeTests {
    private let program: ClosingProgram
    private let action: String
    private let readme: String

    init() throws {
        program = try ClosingProgram()
        action = try String(contentsOf: TestData.root.appending(path: "action.yml"), encoding: .utf8)
        readme = try String(contentsOf: TestData.root.appending(path: "vectors/README.md"), encoding: .utf8)
    }

    /// Runs the steps of the action in the `repository` whose action it is, each with its own summary, and shows the exit code.
    private func act(in repository: String, _ inputs: String) throws -> ClosingProgram.Run {
        let steps = action.components(separatedBy: "run: |\n").dropFirst().map { text in
            text.split(separator: "\n").prefix { $0.hasPrefix("        ") }.map { $0.dropFirst(8) }
                .joined(separator: "\n")
        }
        #expect(steps.count == 3)
        for (name, step) in zip(["start", "vectors", "live"], steps) {
            try program.write(Data(step.utf8), to: "\(name).step")
        }
        return try program.script(
            """
            step() {
                export GITHUB_OUTPUT=$PWD/$1.output GITHUB_STEP_SUMMARY=$PWD/$1.md
                bash --noprofile --norc -eo pipefail $1.step
            }
            export GITHUB_ACTION_PATH=\(repository) RUNNER_TEMP=$PWD \(inputs)
            step start
            export REPORTS=$(sed -n 's/^reports=//p' start.output)
            step vectors || code=$?
            step live || code=${code:-$?}
            echo "exit ${code:-0}"
            """)
    }

    @Test(
        "the action's exit code is the first that is none of success, and live cases may be none",
        arguments: [
            ("", "", "run\nexit 0\n"), ("0", "", "run\nexit 0\n"), ("false", "run", "run\nexit 5\n"),
            ("10", "", "run\nlive 10\nexit 0\n"), ("10", "live", "run\nlive 10\nexit 6\n"),
            ("true", "run", "run\nlive 100\nexit 5\n"), ("10", "run live", "run\nlive 10\nexit 5\n"),
        ])
    func codes(_ live: String, _ failing: String, _ expected: String) throws {
        let fake = """
            #!/bin/sh
            case "$*" in
                --key) echo 0123 && exit ;;
                *--live*) verb=live number=" ${4:-}" code=6 ;;
                *) verb=run number='' code=5 ;;
            esac
            echo "$verb$number"
            case " $FAILING " in *" $verb "*) exit $code ;; esac
            """
        try program.write(Data(fake.utf8), to: "judge")
        _ = try program.script("mkdir scripts && mv judge scripts/judge && chmod +x scripts/judge")
        let inputs = "ADAPTER=true PATHS= MIN_COVERAGE=1 TIME_LIMIT=10 LIVE='\(live)' FAILING='\(failing)'"
        #expect(try act(in: "$PWD", inputs).text == expected)
        // The last step also runs after a step that failed.
        #expect(action.contains("- if: ${{ !cancelled() && steps.start.outputs.reports != '' }}\n"))
    }

    @Test(
        "the operations that are required are so in both steps, and none if none is named",
        arguments: [
            ("field.open, field.seal", " --require field.open, field.seal "), ("", " --time-limit 10 "),
        ])
    func required(_ names: String, _ words: String) throws {
        try program.write(Data("#!/bin/sh\n[ \"$1\" = --key ] || printf '%s\n' \"$*\"\n".utf8), to: "judge")
        _ = try program.script("mkdir scripts && mv judge scripts/judge && chmod +x scripts/judge")
        let inputs = "ADAPTER=true PATHS= MIN_COVERAGE=1 TIME_LIMIT=10 LIVE=9 REQUIRE='\(names)'"
        let steps = try act(in: "$PWD", inputs).text.split(separator: "\n").dropLast()
        #expect(steps.count == 2, "\(steps)")
        for step in steps { #expect(step.contains("\(words)-- bash -c true"), "\(step)") }
    }

    @Test("the action has a summary for each step, and both reports in one folder")
    func reports() throws {
        try program.writeAdapterScript(features: #""base64.decode","canonical""#)
        let inputs = #"""
            CLOSER_KEYS=closer-keys ADAPTER="sh child.sh '\"error\":\"malformed\"'" PATHS="base64.json canonical_json.json" \
                MIN_COVERAGE=100 LIVE=3 TIME_LIMIT=10
            """#
        let run = try act(in: TestData.root.path(), inputs)
        #expect(run.text.hasSuffix("\nexit 1\n"), "\(run.errors)")
        #expect(try text("vectors.md").hasPrefix("## Vectors: failed\n"))
        #expect(try text("live.md").hasPrefix("## Live cases: failed\n"))
        let folder = try #require(try text("start.output").split(whereSeparator: "/\n".contains).last)
        for report in ["vectors.json", "live.json"] {
            #expect(try text("\(folder)/\(report)").contains(#""case":{"#))
        }
        #expect(action.contains("value: ${{ steps.start.outputs.reports }}\n"))
    }

    @Test("GitHub's recipe gives the action what it takes, and keeps what it gives")
    func gitHub() throws {
        let recipe = try recipe("- uses: actions/checkout")
        let inputs = recipe.split(separator: "\n").drop { $0 != "  with:" }.dropFirst().prefix {
            $0.hasPrefix("    ")
        }
        for input in inputs {
            let name = try #require(input.split(separator: ":").first)
            #expect(action.contains("\n\(name.dropFirst(2)):\n"), "\(input)")
        }
        #expect(inputs.count == 5)
        #expect(inputs.contains("    min-coverage: 100"))
        #expect(inputs.contains("    require: aead, field"))
        #expect(recipe.contains("\n  id: vectors\n"))
        #expect(action.contains("\noutputs:\n  reports:\n"))
        #expect(recipe.hasSuffix("\n    path: ${{ steps.vectors.outputs.reports }}\n"))
    }

    @Test(
        "GitLab's recipe fails when a case does, or a feature is lost, and keeps its reports",
        arguments: [
            (#""error":"malformed""#, " cases failed\n"),
            (#""skip":"lost""#, "were answered, expected 100 percent\n"),
        ])
    func gitLab(_ answer: String, _ reason: String) throws {
        let adapter = """
            #!/bin/sh
            read start
            echo '{"seq":0,"features":["field.open"]}'
            n=1
            while read -r line; do
                case $line in
                    *'"stop"'*) exit ;;
                    *'"token":"enc:v1:'*) echo "{\\"seq\\":$n,"'\(answer)}' ;;
                    *) echo "{\\"seq\\":$n,"'"error":"malformed"}' ;;
                esac
                n=$((n + 1))
            done
            """
        try program.write(Data(adapter.utf8), to: "node")
        let recipe = try recipe("vectors:")
        let lines = recipe.split(separator: "\n").filter { $0.hasPrefix("    - ") }.map { $0.dropFirst(6) }
        #expect(lines.count == 5)
        // The exit code is that of either: each has to fail alone, too.
        for left in ["--live", "--min-coverage", "nothing"] {
            let script = lines.filter { !$0.contains(left) }.joined(separator: "\n")
            let run = try program.script(
                """
                mkdir -p bin && cp node bin/node && chmod +x bin/node
                export PATH=$PWD/bin:$PATH CLOSER_KEYS=closer-keys CLOSER_KEYS_URL=
                git() { true; }
                rm -f live.json
                \(script.replacing("/tmp/closer-keys", with: TestData.root.path()))
                """)
            #expect(run.exit == 1, "\(left): \(run.errors)")
        }
        #expect(try text("vectors.md").contains(reason))
        #expect(recipe.contains("\n  artifacts: { when: always, paths: [vectors.md, live.md, live.json] }\n"))
        #expect(try text("live.md").hasPrefix("## Live cases: "))
        #expect(try text("live.json").contains(#""verdict":""#))
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try program.content(name), as: UTF8.self)
    }

    /// The block of YAML that begins with this line.
    private func recipe(_ beginning: String) throws -> String {
        let blocks = readme.components(separatedBy: "```yaml\n")
        let block = try #require(blocks.first { $0.hasPrefix(beginning) })
        return try #require(block.components(separatedBy: "```").first)
    }
}
