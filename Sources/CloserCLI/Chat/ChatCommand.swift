internal import ArgumentParser

struct ChatCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Seal and open the messages of FitLink and Fond.",
        discussion: """
            These formats do not detect a message that a server repeats, reorders or returns to its author.
            """,
        subcommands: [Seal.self, Open.self])
}
