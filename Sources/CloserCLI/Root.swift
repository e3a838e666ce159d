internal import ArgumentParser

struct Root: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "closer-keys",
        abstract: "End-to-end encryption and key management for apps that two people share.",
        version: "closer-keys \(Program.version)",
        subcommands: [
            FieldCommand.self, KeyboxCommand.self, KeysetCommand.self, InspectCommand.self,
            SelfTestCommand.self, ExitCodesCommand.self, VersionCommand.self,
        ])
}
