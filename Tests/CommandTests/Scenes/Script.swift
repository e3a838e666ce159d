import Foundation
import TestSupport
import Testing

/// Tests as a shell shows them: `Scripts/<Noun>/<verb>.txt`. Each line is one of these, and any other is a fault:
///
///     == TITLE         begins a test, in a folder of its own. What stands before the first test runs once. Each test has a copy of the
///                      folder that this leaves, and its functions and exported variables
///     # proves: TEXT   a promise of the test, for docs/promises.md. Any other line with # is a remark
///     # scene: NAME    the file begins where Scripts/Scenes/NAME.txt ends
///     # long           the file's tests are for check-long, and not for make test
///     $ COMMAND        bash with -euo pipefail. `> ` continues it. The commands of a test share one shell, and ROOT is the repository
///     ? EXIT [ID]      the command's exit code, and the id in its JSON. Without this line it must end with 0
///     | TEXT           standard output, all of it. … is any text, and a line of … any lines. A lone | is no output
///     ! TEXT           a line of standard error. Lines stand in this order, and others between them. A lone ! is no output
///     -- NAME --       the lines until the next -- or ==, without empty ones at the end, are this file, which each command finds
struct Script: Sendable {
    struct Step: Sendable {
        let line: Int
        var command: String
        var exit: Int32?
        var id: String?
        var output: [String]?
        var errors: [String]?

        var isChecked: Bool { exit != nil || output != nil || errors != nil }
    }

    struct Case: Sendable {
        let title: String
        let line: Int
        var steps: [Step] = []
        var files: [(name: String, text: String)] = []
        fileprivate var emptyLines = 0
    }

    /// A line, counted from 1, and what is wrong there.
    struct Fault: Error, CustomStringConvertible {
        let line: Int
        let text: String

        var description: String { "line \(line): \(text)" }
    }

    /// Its path below `Scripts`, without `.txt`.
    let name: String
    private(set) var scene: String?
    private(set) var isLong = false
    /// What stands before the first test, and the tests.
    private(set) var parts = [Case(title: "", line: 1)]
    private var isFile = false

    var head: Case { parts[0] }
    var cases: ArraySlice<Case> { parts.dropFirst() }

    static let folder = TestData.root.appending(path: "Tests/CommandTests/Scripts")

    init(named name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(name).txt"), encoding: .utf8)
        try self.init(named: name, parsing: text)
    }

    init(named name: String, parsing text: String) throws {
        self.name = name
        var lines = text.components(separatedBy: "\n")
        guard lines.popLast() == "" else { throw Fault(line: lines.count, text: "the last line has no end") }
        for (index, line) in lines.enumerated() { try read(line, at: index + 1) }
        for part in cases where !part.steps.contains(where: \.isChecked) {
            throw Fault(line: part.line, text: "no line checks anything in “\(part.title)”")
        }
        guard !cases.isEmpty || name.hasPrefix("Scenes/") else { throw Fault(line: 1, text: "no test") }
    }

    private mutating func read(_ line: String, at number: Int) throws {
        if line.hasPrefix("== ") {
            isFile = false
            return parts.append(Case(title: String(line.dropFirst(3)), line: number))
        }
        if line.hasPrefix("-- "), line.hasSuffix(" --"), line.count > 6 {
            isFile = true
            parts[parts.count - 1].emptyLines = 0
            return parts[parts.count - 1].files.append((String(line.dropFirst(3).dropLast(3)), ""))
        }
        if isFile { return parts[parts.count - 1].readFile(line) }
        if line.isEmpty { return }
        if line.hasPrefix("#") { return try readRemark(line, at: number) }
        try parts[parts.count - 1].read(line, at: number)
    }

    private mutating func readRemark(_ line: String, at number: Int) throws {
        let isHead = parts.count == 1
        if line.hasPrefix("# scene: ") {
            guard isHead, scene == nil else { throw Fault(line: number, text: "a scene belongs to the head") }
            scene = String(line.dropFirst(9))
        } else if line == "# long", isHead {
            isLong = true
        } else if line.hasPrefix("# proves:"), isHead {
            throw Fault(line: number, text: "a promise belongs to a test")
        }
    }
}

extension Script.Case {
    /// Empty lines count once another one follows.
    fileprivate mutating func readFile(_ line: String) {
        if line.isEmpty { return emptyLines += 1 }
        files[files.count - 1].text += String(repeating: "\n", count: emptyLines) + "\(line)\n"
        emptyLines = 0
    }

    /// Reads a line of a command, or of what is expected of the command before.
    fileprivate mutating func read(_ line: String, at number: Int) throws {
        let rest = line.dropFirst()
        guard rest.isEmpty || rest.first == " " else { throw unknown(line, at: number) }
        let text = String(rest.dropFirst())
        if line.first == "$" { return steps.append(Script.Step(line: number, command: text)) }
        guard let last = steps.indices.last else { throw unknown(line, at: number) }
        switch line.first {
        case ">" where !steps[last].isChecked: steps[last].command += "\n\(text)"
        case "?" where steps[last].exit == nil: try steps[last].readExit(text, at: number)
        case "|": steps[last].output = (steps[last].output ?? []) + [text]
        case "!": steps[last].errors = (steps[last].errors ?? []) + [text]
        default: throw unknown(line, at: number)
        }
    }

    private func unknown(_ line: String, at number: Int) -> Script.Fault {
        Script.Fault(line: number, text: "unknown here: \(line)")
    }
}

extension Script.Step {
    fileprivate mutating func readExit(_ text: String, at number: Int) throws {
        let words = text.split(separator: " ").map(String.init)
        guard let code = words.first.flatMap({ Int32($0) }), words.count < 3 else {
            throw Script.Fault(line: number, text: "no exit code: \(text)")
        }
        (exit, id) = (code, words.count == 2 ? words[1] : nil)
    }
}
