internal import ArgumentParser

struct X25519Command: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "x25519", abstract: "X25519 keys, for chats: make, agree, compare.",
        subcommands: [New.self, Public.self, Agree.self, SafetyNumberCommand.self])
}
