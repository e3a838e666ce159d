internal import ArgumentParser
internal import CloserFiles
internal import CloserVault
internal import CloserWire

// What this machine remembers of vaults: to see it, and to take it back.

extension DeviceCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the vaults that this machine remembers.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let memories = VaultMemories.ours?.all() ?? []
            if memories.isEmpty, !output.json { Messages.note("this machine remembers no vault") }
            try Sink(output, .line, inputs: Inputs()).report(
                memories.map(\.line).joined(separator: "\n"),
                json: ["vaults": .array(memories.map { .object($0.members) })])
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget what this machine remembers of a vault. The vault stays.",
            discussion: """
                From then on nobody notices if an older file is put in the vault's place, until it was opened again.
                """)

        @Argument(help: "The vault's id, as device list shows it.") var id: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let memories = VaultMemories.ours?.all() ?? []
            guard let memory = memories.first(where: { $0.id.description == id }) else {
                throw Failure(
                    .noKey, "this machine remembers no vault with this id", hint: "closer-keys device list")
            }
            let result = try Sink(output, .line, inputs: Inputs())
            VaultMemories.ours?.forget(memory.id)
            guard VaultMemories.ours?.memory(of: memory.id) == nil else {
                throw Failure(
                    .ioError, "the file in which this machine remembers the vault cannot be removed")
            }
            try result.report("forgotten", json: ["forgotten": .string(id)])
        }
    }
}

extension VaultMemory {
    /// A state that is not known has no member.
    fileprivate var members: [JSONValue.Member] {
        var members = [JSONValue.Member("id", .string(id.description))]
        if let vaultPath {
            members.append(.init("vault", .string(vaultPath)))
            members.append(.init("isThere", .bool(SafeFile.exists(vaultPath))))
        }
        if let keyFilePath { members.append(.init("keyFile", .string(keyFilePath))) }
        if let version { members.append(.init("changes", .number(Double(version.changeCount)))) }
        return members
    }

    /// One line: id, changes, and where it is.
    fileprivate var line: String {
        let place = vaultPath.map { $0 + (SafeFile.exists($0) ? "" : " (not there)") }
        return
            "\(id)  \(version.map { "\($0.changeCount)" } ?? "-")  \(place ?? "(another vault is in its place)")"
    }
}
