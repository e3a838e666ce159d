internal import ArgumentParser
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Forget what this machine remembers of a vault. The vault stays.",
            discussion: """
                Name the key file the next time, because this machine forgets it, too. The next file in the vault's place counts as the \
                newest, even if it is an older copy.
                """)

        @Argument(help: "The vault's id, as device list shows it.") var id: String
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            guard let id = Vault.ID(id), try KnownVaults.ours?.forget(id) == true else {
                throw CLIError(
                    .noKey, "this machine remembers no vault with this id", hint: "closer-keys device list")
            }
            try Output(output).report("forgotten", json: ["forgotten": .string(id.description)])
        }
    }
}
