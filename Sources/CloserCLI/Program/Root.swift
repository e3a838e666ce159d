internal import ArgumentParser
internal import CloserWire

struct Root: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "closer-keys",
        abstract: "End-to-end encryption and key management for apps that two people share.",
        version: "closer-keys \(Program.version)",
        subcommands: [
            DeviceCommand.self, PairCommand.self, CoupleCommand.self, FieldCommand.self,
            AnswerCommand.self, FileCommand.self, CheckCommand.self, VectorsCommand.self, InspectCommand.self,
            DoctorCommand.self,
        ],
        groupedSubcommands: [
            ArgumentParser.CommandGroup(
                name: "Toolbox",
                subcommands: [
                    KeyboxCommand.self, KeysetCommand.self, X25519Command.self, ChatCommand.self,
                    SelfTestCommand.self, VersionCommand.self, CompletionsCommand.self,
                ])
        ])
}

/// A noun. Alone it fails, so that a script that forgot the verb learns of it.
protocol CommandGroup: ParsableCommand {}

extension CommandGroup {
    func run() throws {
        let name = Self.name
        let verbs = Self.configuration.subcommands.map { $0.name }.joined(separator: " | ")
        throw CLIError(.usage, "\(name) needs a command", hint: "closer-keys \(name) \(verbs)")
    }
}
