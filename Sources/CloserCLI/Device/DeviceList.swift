internal import ArgumentParser
internal import CloserVault
internal import CloserWire

// Lists and forgets what this machine remembers of its vaults.

extension DeviceCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the vaults that this machine remembers.")

        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let vaults = try KnownVaults.ours?.all() ?? []
            if vaults.isEmpty, !output.json { Diagnostics.note("this machine remembers no vault") }
            try Output(output, .line, inputs: Inputs()).report(
                vaults.map(\.line.plainLine).joined(separator: "\n"),
                json: ["vaults": .array(vaults.map { .object($0.members) })])
        }
    }
}

extension KnownVault {
    fileprivate var members: [JSONValue.Member] {
        [
            .init("id", .string(id.description)),
            .init("changes", .number(Double(version.changeCount))),
        ]
            + [("path", path), ("keyFile", keyFile)].compactMap { name, text in
                text.map { .init(name, .string($0)) }
            }
    }

    fileprivate var line: String { "\(id)  \(version.changeCount)  \(path ?? "(no path)")" }
}
