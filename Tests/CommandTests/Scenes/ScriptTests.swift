import Foundation
import Testing

/// One test of a script. `CLOSER_KEYS_SCRIPT=Couple/rekey` chooses those of one file, `CLOSER_KEYS_SCRIPT=Couple` those of a folder.
struct ScriptedTest: Sendable, CustomTestStringConvertible {
    let script: Script
    let part: Script.Case

    var testDescription: String { "\(script.name): \(part.title)" }

    static let names = (FileManager.default.subpaths(atPath: Script.folder.path()) ?? [])
        .filter { $0.hasSuffix(".txt") && $0.hasPrefix(chosen) }.map { String($0.dropLast(4)) }.sorted()
    private static let chosen = ProcessInfo.processInfo.environment["CLOSER_KEYS_SCRIPT"] ?? ""
    static let all = names.compactMap { try? Script(named: $0) }
        .flatMap { script in script.cases.map { ScriptedTest(script: script, part: $0) } }

    /// Records each command that does something else than the script says, at its line.
    func play() async throws {
        let path = Script.folder.appending(path: "\(script.name).txt").path()
        for fault in try await script.faults(in: part) {
            Issue.record(
                "\(fault.text)",
                sourceLocation: SourceLocation(
                    fileID: "CommandTests/\(script.name).txt", filePath: path, line: fault.line, column: 1))
        }
    }
}

/// Those of which the head says that they take long.
@Suite("Long scripts")
struct LongScriptTests {
    @Test("the program does what its long scripts show", arguments: ScriptedTest.all.filter(\.script.isLong))
    func play(_ test: ScriptedTest) async throws { try await test.play() }
}

@Suite("Scripts")
struct ScriptTests {
    @Test("the program does what its scripts show", arguments: ScriptedTest.all.filter { !$0.script.isLong })
    func play(_ test: ScriptedTest) async throws { try await test.play() }

    @Test("each file is a script")
    func files() throws {
        #expect(!ScriptedTest.names.isEmpty)
        for name in ScriptedTest.names {
            do { _ = try Script(named: name) } catch { Issue.record("Scripts/\(name).txt, \(error)") }
        }
    }

    @Test(
        "a file that is no script is refused",
        arguments: [
            ("== t\n$ true\n? 0\nstdout x\n", "line 4: unknown here: stdout x"),
            ("== t\n$ true\n?0\n", "line 3: unknown here: ?0"),
            ("== t\n? 0\n", "line 2: unknown here: ? 0"),
            ("== t\n$ true\n? 0\n? 0\n", "line 4: unknown here: ? 0"),
            ("== t\n$ true\n? 0\n> true\n", "line 4: unknown here: > true"),
            ("== t\n$ true\n? x\n", "line 3: no exit code: x"),
            ("== t\n$ true\n? 0 a b\n", "line 3: no exit code: 0 a b"),
            ("$ true\n| x\n== t\n$ true\n", "line 3: no line checks anything in “t”"),
            ("$ true\n? 0\n", "line 1: no test"),
            ("== t\n$ true\n? 0", "line 2: the last line has no end"),
            ("# proves: W1: x\n== t\n$ true\n? 0\n", "line 1: a promise belongs to a test"),
            ("== t\n# scene: couple\n$ true\n? 0\n", "line 2: a scene belongs to the head"),
        ])
    func unknown(_ text: String, _ fault: String) {
        #expect { try Script(named: "Noun/verb", parsing: text) } throws: { "\($0)" == fault }
    }

    /// What a test of one command is told, without the command; nil if all is well.
    private func told(_ command: String) async throws -> String? {
        let script = try Script(named: "Noun/\(command.hashValue)", parsing: "== t\n$ \(command)\n")
        let faults = try await script.faults(in: script.cases[1])
        return faults.first.map { $0.text.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? "" }
    }

    @Test(
        "a command that does something else is told, with the difference",
        arguments: [
            ("exit 3\n? 0", "exit 3, and not 0"), ("false\n? 0", "exit 1, and not 0"),
            ("true\n? 3", "exit 0, and not 3"), ("false; true\n? 0", "exit 1, and not 0"),
            ("false; exit 2\n? 2", "exit 1, and not 2"), ("! true\n? 0", "exit 1, and not 0"),
            ("false | true\n? 0", "exit 1, and not 0"),
            ("echo '{\"error\":{\"code\":\"a\"}}'; exit 3\n? 3 b", "id a, and not b"),
            ("exit 3\n? 3 b", "id none, and not b"),
            ("seq 3\n| 1\n| 3\n| 4", "standard output:\n  1\n+ 2\n  3\n- 4"),
            ("echo a\n|", "standard output:\n+ a"), ("true\n| a", "standard output:\n- a"),
            ("seq 3\n| …\n| 2", "standard output:\n  1\n  2\n+ 3"),
            ("echo abc\n| a…d", "standard output:\n+ abc\n- a…d"),
            ("echo aba\n| ab…ba", "standard output:\n+ aba\n- ab…ba"),
            ("seq 3 >&2\n! 3\n! 2", "standard error:\n+ 1\n- 3\n  2\n+ 3"),
            ("echo a >&2\n!", "standard error:\n+ a"),
        ])
    func differs(_ command: String, _ expected: String) async throws {
        #expect(try await told(command)?.contains(expected) == true)
    }

    @Test(
        "and nothing where it does what is written",
        arguments: [
            "seq 9\n| 1\n| …\n| 9", "echo abcde\n| a…c…e", "seq 9 >&2\n! 2\n! …\n! 9", "exit 3\n? 3",
            "true\n|\n!",
            "echo a\n> echo b\n| a\n| b", "x=1\n$ echo $x\n| 1",
            "cat f\n| text\n| \n| more\n-- f --\ntext\n\nmore\n",
            "echo '{\"token\":1}'; echo '{\"error\":{\"code\":\"a\"}}'; exit 3\n? 3 a",
        ])
    func agrees(_ command: String) async throws { #expect(try await told(command) == nil) }

    @Test("a test has a copy of what the head left, with its functions and exported variables")
    func heads() async throws {
        let text = """
            $ export WHO=alice; say() { echo "$WHO says $1"; }; echo head > file
            == one
            $ say hello; cat file; echo one >> file
            | alice says hello
            | head
            == two
            $ cat file
            | head

            """
        let script = try Script(named: "Noun/heads", parsing: text)
        for part in script.cases { #expect(try await script.faults(in: part).isEmpty) }
    }

    @Test("a head that is not as it says is told")
    func brokenHead() async throws {
        let script = try Script(named: "Noun/broken", parsing: "$ echo a\n| b\n== t\n$ true\n? 0\n")
        await #expect { try await script.faults(in: script.cases[1]) } throws: { "\($0)".contains("- b") }
    }
}
