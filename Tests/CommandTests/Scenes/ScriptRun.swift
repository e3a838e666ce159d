import CloserWire
import Foundation
import TestSupport
import Testing

extension Script {
    /// Runs a test in a copy of what its head left, and returns what is not as it should be.
    func faults(in part: Case) async throws -> [Fault] {
        try await ClosingProgram(after: self).play(part)
    }

    /// Runs what stands before the tests, in a copy of the scene. All of it must be as the head says.
    fileprivate func stage() async throws -> ClosingProgram {
        let program =
            if let scene {
                try await ClosingProgram(after: Script(named: "Scenes/\(scene)"))
            } else { try ClosingProgram() }
        if let fault = try program.play(head).first { throw fault }
        return program
    }
}

/// What heads left: most time goes into making devices and couples, so that each head runs once.
private actor Stages {
    static let shared = Stages()
    private var made: [String: Task<ClosingProgram, any Error>] = [:]

    func copy(of script: Script) async throws -> ClosingProgram {
        let stage = made[script.name] ?? Task { try await script.stage() }
        made[script.name] = stage
        return try ClosingProgram(copying: await stage.value)
    }
}

extension ClosingProgram {
    /// A folder as the head of a script leaves it.
    init(after script: Script) async throws { self = try await Stages.shared.copy(of: script) }
}

/// How a command ended.
private struct Seen {
    let exit: Int32
    let output: String
    let errors: String
}

extension ClosingProgram {
    /// Runs the commands of a part. After a command that ends in another way than it should, none is run.
    fileprivate func play(_ part: Script.Case) throws -> [Script.Fault] {
        for file in part.files { try write(Data(file.text.utf8), to: file.name) }
        let log = folder.deletingLastPathComponent().appending(path: "\(folder.lastPathComponent).log")
        try FileManager.default.createDirectory(at: log, withIntermediateDirectories: true)
        let run = try script(part.shell(log: log.path()), seconds: 240)
        var faults: [Script.Fault] = []
        for (number, step) in part.steps.enumerated() {
            let file = log.appending(path: "\(number)")
            let exit = (try? Self.text(of: file, "exit")).flatMap { Int32($0.dropLast()) }
            let seen = Seen(
                exit: exit ?? run.exit, output: try Self.text(of: file, "out"),
                errors: try Self.text(of: file, "err"))
            if let fault = step.fault(in: seen, isEnd: exit == nil) { faults.append(fault) }
            if exit == nil { break }
        }
        return faults
    }

    private static func text(of file: URL, _ kind: String) throws -> String {
        String(decoding: try Data(contentsOf: file.appendingPathExtension(kind)), as: UTF8.self)
    }
}

extension Script.Case {
    /// A command that must fail has a shell of its own, in which -e holds.
    fileprivate func shell(log: String) -> String {
        let commands = steps.enumerated().map { number, step in
            let command = (step.exit ?? 0) == 0 ? step.command : "set +e; (set -e\n\(step.command)\n)"
            return
                "exec > '\(log)/\(number).out' 2> '\(log)/\(number).err'\n\(command)\necho $? > '\(log)/\(number).exit'; set -e\n"
        }
        let root = "export ROOT='\(TestData.root.path())'\n"
        return root + commands.joined() + "{ declare -f; export -p; } > .names"
    }
}

extension Script.Step {
    /// Everything that is not as it should be, as one text.
    fileprivate func fault(in seen: Seen, isEnd: Bool) -> Script.Fault? {
        var told: [String] = []
        if isEnd || seen.exit != exit ?? 0 { told.append("exit \(seen.exit), and not \(exit ?? 0)") }
        if let id, id != seen.id { told.append("id \(seen.id ?? "none"), and not \(id)") }
        if let output, let difference = LineDifference(output, seen.output, mayHaveMore: false) {
            told.append("standard output:\n\(difference.text)")
        }
        if let errors, let difference = LineDifference(errors, seen.errors, mayHaveMore: errors != [""]) {
            told.append("standard error:\n\(difference.text)")
        } else if !told.isEmpty, !seen.errors.isEmpty {
            told.append("standard error was:\n\(seen.errors)")
        }
        if !told.isEmpty, output == nil, !seen.output.isEmpty {
            told.append("standard output was:\n\(seen.output)")
        }
        return told.isEmpty
            ? nil : Script.Fault(line: line, text: "\(command)\n\(told.joined(separator: "\n"))")
    }
}

extension Seen {
    /// The id of the error that the last line of standard output tells.
    fileprivate var id: String? {
        let line = output.split(separator: "\n").last ?? ""
        return try? JSONValue(parsing: Array(line.utf8))["error"]?["code"]?.string
    }
}

/// Where lines differ from what is expected: `-` is missing, `+` is there instead.
private struct LineDifference {
    let text: String

    init?(_ expected: [String], _ seen: String, mayHaveMore: Bool) {
        var lines = seen.components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        let wanted = expected == [""] ? [] : expected
        if Self.matches(mayHaveMore ? wanted.flatMap { ["…", $0] } + ["…"] : wanted, lines[...]) {
            return nil
        }
        var (gone, new, told, next) = ([Int: String](), Set<Int>(), [String](), 0)
        for change in lines.difference(from: wanted, by: { Self.matches($0, $1) }) {
            switch change {
            case .remove(let offset, let line, _): gone[offset] = "- \(line)"
            case .insert(let offset, _, _): new.insert(offset)
            }
        }
        for (index, line) in lines.enumerated() {
            while !new.contains(index), let missing = gone[next] {
                (told, next) = (told + [missing], next + 1)
            }
            told.append(new.contains(index) ? "+ \(line)" : "  \(line)")
            if !new.contains(index) { next += 1 }
        }
        while let missing = gone[next] { (told, next) = (told + [missing], next + 1) }
        text = told.joined(separator: "\n")
    }

    /// Whether lines are as expected, where a line of … stands for any lines.
    private static func matches(_ expected: [String], _ lines: ArraySlice<String>) -> Bool {
        guard let first = expected.first else { return lines.isEmpty }
        let rest = Array(expected.dropFirst())
        if first == "…" {
            return (lines.startIndex...lines.endIndex).contains { matches(rest, lines[$0...]) }
        }
        return lines.first.map { matches(first, $0) } ?? false && matches(rest, lines.dropFirst())
    }

    /// Whether a line is as expected, where … stands for any text.
    private static func matches(_ expected: String, _ line: String) -> Bool {
        let parts = expected.components(separatedBy: "…")
        guard parts.count > 1 else { return expected == line }
        guard line.hasPrefix(parts[0]) else { return false }
        var rest = line.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }
}
