internal import ArgumentParser

struct FieldCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "field", abstract: "Seal and open encrypted fields, enc:v1: and enc:v2:.",
        subcommands: [Seal.self, Open.self])
}
