internal import ArgumentParser

struct FileCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Seal and open files of any length, in constant memory.",
        subcommands: [Seal.self, Open.self])
}
