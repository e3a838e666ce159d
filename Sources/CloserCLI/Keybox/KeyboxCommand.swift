internal import ArgumentParser
internal import CloserWire

struct KeyboxCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "keybox", abstract: "Seal to a public key, and open with the private one.",
        subcommands: [Seal.self, Open.self])
}

extension JSONLine.Name {
    static let keybox = Self("keybox")
}
