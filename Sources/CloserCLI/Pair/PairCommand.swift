internal import ArgumentParser

/// The four steps of a pairing, in their order. The first and the third are the inviter's, the others the acceptor's.
struct PairCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Become a couple with a code, or add a new phone.",
        subcommands: [Invite.self, Accept.self, Confirm.self, Finish.self])
}
