#if CommandLine
internal import ArgumentParser
internal import CloserFiles
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Destroy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "destroy",
            abstract: "Remove the vault, its key file and what this machine remembers of it.",
            discussion:
                "It needs neither key file nor passphrase. A key file that another vault here has, too, stays."
        )

        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @Flag(help: "Confirm; without this, nothing is removed.") var yes = false
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = Inputs()
            let chosen = try vault.chosen(&inputs)
            try chosen.checkPlace()
            guard yes else {
                throw CLIError(
                    .inputRequired, "this removes \(chosen.storage.path) and its identity for good",
                    hint: "use --yes")
            }
            let files =
                [chosen.storage.path] + (try chosen.ownKeyFile(named: vault.keyFile).map { [$0] } ?? [])
            for file in files { Paths.removeFile(file) }
            guard let left = files.first(where: { !Paths.isMissing($0) }) else {
                _ = try KnownVaults.ours?.forget(chosen.locked.id)
                UnlockedVault.drop(of: chosen.locked.id)
                return try tell(files)
            }
            throw CLIError(.ioError, "\(left) cannot be removed", hint: "remove it by hand")
        }

        private func tell(_ files: [String]) throws {
            try Output(output).report(
                files.map { "removed \($0)" }.joined(separator: "\n"),
                json: ["removed": .array(files.map { .string($0) })])
            Diagnostics.note(
                "exports, backups and the disk's free blocks may still have the vault, and the phrase still opens the couple's document"
            )
        }
    }
}

extension ChosenVault {
    /// The key file that no other vault here has; nil if there is none.
    fileprivate func ownKeyFile(named: String?) throws -> String? {
        guard locked.protection == .keyFile, let file = named ?? known?.keyFile, !Paths.isMissing(file)
        else { return nil }
        let others = (try KnownVaults.ours?.all() ?? []).filter { $0.id != locked.id }.compactMap(\.keyFile)
        let identities = FileIdentity.all(of: file)
        return others.flatMap(FileIdentity.all).contains(where: identities.contains) ? nil : file
    }
}
#endif
