internal import ArgumentParser

struct ChatCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat with a person: bound messages, and the formats of FitLink and Fond.",
        discussion: """
            send and receive bind a message to its chat, author, number and id. The formats of seal and open, which FitLink and Fond have, \
            do not detect a message that a server repeats, reorders or returns to its author.
            """,
        subcommands: [Peer.self, Renew.self, Send.self, Receive.self, Seal.self, Open.self])
}
