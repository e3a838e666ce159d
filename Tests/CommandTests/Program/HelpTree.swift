import CloserWire
import Testing

/// All commands with their options, as the program describes them.
struct HelpTree {
    struct Command {
        let path: [String]
        let arguments: [Argument]
    }

    struct Argument {
        /// With its dashes; nil for an operand.
        let option: String?
        let valueName: String
        let isPath: Bool
    }

    let commands: [Command]

    init(_ program: ClosingProgram) throws {
        let dump = try program("--experimental-dump-help")
        let root = try JSONValue(parsing: dump.output.dropLast())["command"] ?? .null
        commands = try Self.commands(below: root, [])
    }

    private static func commands(below parent: JSONValue, _ path: [String]) throws -> [Command] {
        try (parent["subcommands"]?.array ?? []).flatMap { command -> [Command] in
            let name = try #require(command["commandName"]?.string)
            guard name != "help" else { return [] }
            let arguments = (command["arguments"]?.array ?? []).map(Argument.init)
            return [Command(path: path + [name], arguments: arguments)]
                + (try commands(below: command, path + [name]))
        }
    }
}

extension HelpTree.Argument {
    fileprivate init(_ value: JSONValue) {
        option = value["preferredName"]?["name"]?.string.map { "--\($0)" }
        valueName = value["valueName"]?.string ?? ""
        isPath = value["completionKind"]?["file"] != nil
    }
}
