internal import ArgumentParser
internal import CloserWire

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
