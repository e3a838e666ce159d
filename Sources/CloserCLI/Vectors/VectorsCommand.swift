internal import ArgumentParser

struct VectorsCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "vectors", abstract: "Check this program, or another one, against vectors.",
        subcommands: [Verify.self, Run.self, Live.self, Export.self])
}
