internal import ArgumentParser
internal import CloserFiles
internal import CloserVault
internal import CloserWire

// What this machine remembers of vaults: to see it, and to take it back.

extension DeviceCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the vaults that this machine remembers.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let memories = try VaultMemories.ours?.all() ?? []
            if memories.isEmpty, !output.json { Messages.note("this machine remembers no vault") }
            try Sink(output, .line, inputs: Inputs()).report(
                memories.map(\.line.plainLine).joined(separator: "\n"),
                json: ["vaults": .array(memories.map { .object($0.members) })])
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Forget what this machine remembers of a vault. The vault stays.",
            discussion: """
                This machine also forgets where its key file is: name it the next time. Whatever file then lies in the vault's place counts \
                as the newest, even if it is an older one that somebody has put back.
                """)

        @Argument(help: "The vault's id, as device list shows it.") var id: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            guard let ours = VaultMemories.ours, let vault = try vault(in: ours) else {
                throw Failure(
                    .noKey, "this machine remembers no vault with this id", hint: "closer-keys device list")
            }
            let result = try Sink(output, .line, inputs: Inputs())
            try ours.forget(vault)
            guard try self.vault(in: ours) == nil else {
                throw Failure(
                    .ioError, "the file in which this machine remembers the vault cannot be removed")
            }
            try result.report("forgotten", json: ["forgotten": .string(id)])
        }

        private func vault(in memories: VaultMemories) throws -> VaultID? {
            try memories.ids().first { $0.description == id }
        }
    }
}

extension VaultMemory {
    /// A state or a key file that is not known has no member.
    fileprivate var members: [JSONValue.Member] {
        var members = [
            JSONValue.Member("id", .string(id.description)),
            JSONValue.Member("places", .array(places.map { .string($0) })),
        ]
        if let keyFilePath { members.append(.init("keyFile", .string(keyFilePath))) }
        if let version { members.append(.init("changes", .number(Double(version.changeCount)))) }
        return members
    }

    /// One line: id, changes, and where it was.
    fileprivate var line: String {
        let counted = version.map { "\($0.changeCount)" } ?? "-"
        return "\(id)  \(counted)  \(places.isEmpty ? "(no place)" : places.joined(separator: ", "))"
    }
}
