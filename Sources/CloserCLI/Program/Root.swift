internal import ArgumentParser
internal import CloserPrimitives
internal import CloserWire

struct Root: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "closer-keys",
        abstract: "End-to-end encryption and key management for apps that two people share.",
        version: "closer-keys \(Program.version)",
        subcommands: [
            DeviceCommand.self, PairCommand.self, CoupleCommand.self, PhraseCommand.self, FieldCommand.self,
            AnswerCommand.self, FileCommand.self, CheckCommand.self, VectorsCommand.self, InspectCommand.self,
            DoctorCommand.self,
        ],
        groupedSubcommands: [
            ArgumentParser.CommandGroup(
                name: "Toolbox",
                subcommands: [
                    KeyboxCommand.self, KeysetCommand.self, X25519Command.self, ChatCommand.self,
                    SelfTestCommand.self, ExitCodesCommand.self, VersionCommand.self, CompletionsCommand.self,
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

struct SelfTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-test", abstract: "Compute a known answer with each primitive.")

    @OptionGroup(title: "Output options") var output: BriefOptions

    func run() throws {
        let tests = SelfTest.all
        let failed = try tests.filter { try !$0.passes() }.map(\.name)
        guard failed.isEmpty else {
            throw CLIError(
                .internal, "wrong answers: \(failed.joined(separator: ", "))", hint: "do not use this build")
        }
        let (taken, unlocked) = SelfTest.memory
        let memory =
            unlocked == 0
            ? "locked"
            : "\(unlocked) of \(taken) pieces could not be locked, and what is in those may reach a swap file"
        let lines = tests.map { "ok  \($0.name)" } + ["memory for secrets: \(memory)"]
        try Output(output).report(
            lines.joined(separator: "\n"),
            json: [
                "passed": .array(tests.map { .string($0.name) }),
                "memoryIsLocked": .bool(unlocked == 0), "memoryPieces": .number(Double(taken)),
                "unlockedMemoryPieces": .number(Double(unlocked)),
            ])
    }
}

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print the completion script of a shell.")

    enum Shell: String, CaseIterable, ExpressibleByArgument { case bash, zsh, fish }

    @Argument(help: "bash, zsh or fish.") var shell: Shell
    @OptionGroup(title: "Output options") var output: BriefOptions

    func run() throws {
        let shell: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        let script = Root.completionScript(for: shell)
        try Output(output).report(
            script, json: ["shell": .string(shell.rawValue), "script": .string(script)])
    }
}

struct ExitCodesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exit-codes", abstract: "Print what each exit code means.")

    @OptionGroup(title: "Output options") var output: BriefOptions

    func run() throws {
        let lines = ExitStatus.allCases.map { "\($0.rawValue)\t\($0.id)\t\($0.meaning)" }
        let values = ExitStatus.allCases.map { status -> JSONValue in
            [
                "code": .string(status.id), "exit": .number(Double(status.rawValue)),
                "meaning": .string(status.meaning),
            ]
        }
        try Output(output).report(
            lines.joined(separator: "\n"), json: ["exitCodes": .array(values)])
    }
}
