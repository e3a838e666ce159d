internal import ArgumentParser

struct KeysetCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "keyset", abstract: "Make, show and change Tink keysets.",
        subcommands: [New.self, Public.self, List.self, Rotate.self, Add.self, Set.self, Convert.self])
}
