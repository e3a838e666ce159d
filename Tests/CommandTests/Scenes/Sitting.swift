import CloserWire
import Foundation
import TestSupport
import Testing

/// What a person at a terminal saw, and what went elsewhere.
struct Sitting {
    let exit: Int32
    /// All that the terminal showed.
    let screen: String
    /// For each line that was typed, whether the terminal showed nothing of it.
    let hidden: [Bool]
    /// Whether at the end the terminal again shows what is typed.
    let echoes: Bool
    /// Standard output and standard error, if they were not the terminal.
    let output: Data
    let errors: String

    /// What erases a page when the cursor is so many rows below its first one.
    static func erasure(_ rows: Int) -> String {
        "\r\u{1B}[2K" + String(repeating: "\u{1B}[A\u{1B}[2K", count: rows)
    }

    /// The words of a phrase that was shown, in the order of their numbers.
    var words: [String] {
        let parts = screen.split(whereSeparator: \.isWhitespace).map(String.init)
        return (1...10).compactMap { number in
            parts.firstIndex(of: "\(number)").map { parts[$0 + 1] }
        }
    }

    /// Whether the text appears anywhere.
    func tells(_ text: String) -> Bool {
        [screen, String(decoding: output, as: UTF8.self), errors].contains { $0.contains(text) }
    }
}

extension ClosingProgram {
    /// Runs a command in front of a person who types each answer once the text before it is shown, and the terminal shows what is typed
    /// as it should; nil if that is not waited for.
    func sit(
        _ arguments: String, typing steps: [(shown: String, typed: String)] = [], isShown: Bool = false,
        hasTerminal: Bool = true, kind: String = "xterm", showing isVisible: Bool? = false
    ) throws -> Sitting {
        let command = [Self.binary.path()] + arguments.split(separator: " ").map(String.init)
        let isVisible = isVisible.map { JSONValue.bool($0) } ?? .null
        return try sit([
            "command": .array(command.map { .string($0) }),
            "steps": .array(steps.map { .array([.string($0.shown), .string($0.typed), isVisible]) }),
            "shown": .bool(isShown), "shell": false, "terminal": .bool(hasTerminal), "kind": .string(kind),
        ])
    }

    /// Sits in front of a shell with job control, whose prompt is `$ `. Each step says whether the terminal should show what
    /// is typed.
    func sitAtShell(_ steps: [(shown: String, typed: String, isVisible: Bool)]) throws -> Sitting {
        let command: [JSONValue] = ["bash", "--norc", "--noprofile", "--noediting", "-i"]
        return try sit([
            "command": .array(command),
            "steps": .array(
                steps.map { .array([.string($0.shown), .string($0.typed), .bool($0.isVisible)]) }),
            "shown": true, "shell": true, "terminal": true, "kind": "xterm",
        ])
    }

    private func sit(_ plan: JSONValue) throws -> Sitting {
        let isShown = plan["shown"] == true
        try write(Data(plan.bytes), to: ".plan")
        // The system's Python first: one of a version manager would look for its files in the home folder.
        let typist = TestData.root.appending(path: "Tests/Terminal/typist.py").path()
        let run = try script("$(command -v /usr/bin/python3 || command -v python3) '\(typist)' < .plan")
        try #require(run.exit == 0, "\(run.errors)")
        let told = try JSONValue(parsing: run.output.dropLast())
        return Sitting(
            exit: Int32(told["exit"]?.number ?? -1),
            screen: (told["screen"]?.string ?? "").replacing("\r\n", with: "\n"),
            hidden: told["hidden"]?.array?.map { $0 == true } ?? [], echoes: told["echo"] == true,
            output: isShown ? Data() : try content("out"),
            errors: isShown ? "" : String(decoding: try content("err"), as: UTF8.self))
    }
}
