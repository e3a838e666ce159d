import CloserWire
import Foundation
import TestSupport
import Testing

/// What the program says about names of its own that are mistyped: commands, files of vectors, operations and values.
@Suite("Mistyped names")
struct NameTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    @Test(
        "the name that was probably meant is suggested",
        arguments: [
            ("feild", "did you mean closer-keys field?"),
            ("couple vrify", "did you mean closer-keys couple verify?"),
            ("couple vrify --vault a.db --partner bob", "did you mean closer-keys couple verify?"),
            ("couple shwo --json", "did you mean closer-keys couple show?"),
            ("hlep couple", "did you mean closer-keys help?"),
            ("help couple vrify", "did you mean closer-keys couple verify?"),
            ("help feild", "did you mean closer-keys field?"),
            ("couple banana", "closer-keys couple --help"), ("nonsense", "closer-keys --help"),
            ("help foo", "closer-keys --help"), ("help couple banana", "closer-keys couple --help"),
            ("vectors live fild.seal -- cat", "did you mean field.seal?"),
        ])
    func suggestion(_ arguments: String, _ hint: String) throws {
        let run = try program(arguments)
        #expect(run.exit == 64)
        #expect(run.errors.hasSuffix("\ncloser-keys: hint: \(hint)\n"), "\(run.errors)")
        #expect(!run.errors.contains("option"), "an option is blamed for it: \(run.errors)")
    }

    @Test(
        "a mistyped file of vectors is named, whether or not there is a program to ask",
        arguments: ["", " -- cat"])
    func vectors(_ rest: String) throws {
        let run = try program("vectors run feild.json\(rest)")
        #expect(run.exit == 66)
        #expect(run.errors.hasSuffix("closer-keys: hint: did you mean field.json?\n"), "\(run.errors)")
        let other = try program("vectors run node adapter.mjs")
        #expect(other.errors.contains("write it behind --"), "\(other.errors)")
    }

    @Test(
        "help for a command that is there is still help",
        arguments: ["help", "help couple", "help couple verify"])
    func help(_ arguments: String) throws {
        let run = try program(arguments)
        #expect(run.exit == 0)
        #expect(run.text.hasPrefix("OVERVIEW: "))
    }

    @Test("each command is found again after its first two letters were swapped")
    func everyCommand() throws {
        let names = try commands(try tree(), []).filter { !$0.isEmpty }
        #expect(names.count > 50)
        for name in Effort.some(of: names, everyOther: 4) {
            let letters = name[name.count - 1]
            let mistyped = String(letters.prefix(2).reversed() + letters.dropFirst(2))
            let run = try program.run(name.dropLast() + [mistyped], input: Data())
            #expect(
                run.errors.contains("did you mean closer-keys \(name.joined(separator: " "))?"),
                "\(run.errors)")
        }
    }

    @Test("a wrong value is answered with the allowed ones, for each option that has some")
    func values() throws {
        var count = 0
        for command in Effort.some(of: try commands(try tree(), []), everyOther: 3) {
            for option in try options(of: command) where option.values.count > 0 {
                count += 1
                let run = try program.run(command + ["--\(option.name)", "hunter2"], input: Data())
                #expect(run.exit == 64)
                let values = option.values.joined(separator: ", ")
                #expect(run.errors.hasSuffix("hint: it is one of: \(values)\n"), "\(run.errors)")
                #expect(!run.errors.contains("hunter2"))
            }
        }
        #expect(count >= Effort.count(4, full: 12))
    }

    private func tree() throws -> JSONValue {
        let dump = try program("--experimental-dump-help")
        return try JSONValue(parsing: dump.output.dropLast())["command"] ?? .null
    }

    private func commands(_ tree: JSONValue, _ path: [String]) throws -> [[String]] {
        let below = tree["subcommands"]?.array ?? []
        return try [path]
            + below.flatMap { command in
                let name = try #require(command["commandName"]?.string)
                return name == "help" ? [] : try commands(command, path + [name])
            }
    }

    private func options(of path: [String]) throws -> [(name: String, values: [String])] {
        var command = try tree()
        for name in path {
            command = try #require(command["subcommands"]?.array?.first { $0["commandName"]?.string == name })
        }
        return (command["arguments"]?.array ?? []).compactMap { argument in
            guard let name = argument["preferredName"]?["name"]?.string else { return nil }
            return (name, (argument["allValues"]?.array ?? []).compactMap(\.string))
        }
    }
}
