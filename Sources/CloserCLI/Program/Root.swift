internal import ArgumentParser

struct Root: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "closer-keys",
        abstract: "End-to-end encryption and key management for apps that two people share.",
        version: "closer-keys \(Program.version)",
        subcommands: [
            DeviceCommand.self, CoupleCommand.self, PhraseCommand.self, AnswerCommand.self,
            FieldCommand.self, KeyboxCommand.self, KeysetCommand.self, PairCommand.self, ChatCommand.self,
            FileCommand.self, InspectCommand.self,
            CheckCommand.self, VectorsCommand.self,
            SelfTestCommand.self, ExitCodesCommand.self, VersionCommand.self,
        ])
}
