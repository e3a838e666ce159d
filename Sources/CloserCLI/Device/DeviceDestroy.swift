internal import ArgumentParser
internal import CloserFiles
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Destroy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "destroy",
            abstract: "Remove the vault, its key file and what this machine remembers of it.",
            discussion: """
                A key file is removed if it opens this vault, and no other vault that this machine remembers has it. A file at another \
                path than the one that this machine remembers is a copy: it alone is removed.
                """
        )

        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @Flag(help: "Confirm; without this, nothing is removed.") var yes = false
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = Inputs()
            let chosen = try vault.chosen(&inputs)
            try chosen.checkPlace()
            let original = chosen.elsewhere
            let keyFile = original == nil ? try chosen.ownKeyFile(named: vault.keyFile, &inputs) : nil
            guard yes else {
                throw CLIError(
                    .inputRequired,
                    "this removes \(chosen.storage.path), its identity, its couples and its answers for good",
                    hint: "use --yes")
            }
            // The key first: without it, the rest is unreadable.
            let files = [keyFile, chosen.storage.path].compactMap(\.self)
            for file in files { try Self.remove(file) }
            // Another vault may have that name.
            let lock = chosen.storage.path + ".lock"
            if (try? LockedVault(at: lock)) == nil { Paths.removeFile(lock) }
            if original == nil {
                _ = try KnownVaults.ours?.forget(chosen.locked.id)
                UnlockedVault.drop(of: chosen.locked.id)
            }
            try tell(files, original)
        }

        private static func remove(_ file: String) throws {
            Paths.removeFile(file)
            guard Paths.isMissing(file) else {
                throw CLIError(
                    .ioError, "\(file) cannot be removed", hint: "remove it by hand, and run this again")
            }
        }

        private func tell(_ files: [String], _ original: String?) throws {
            try Output(output).report(
                files.map { "removed \($0)".plainLine }.joined(separator: "\n"),
                json: ["removed": .array(files.map { .string($0) })])
            Diagnostics.note(
                original.map { "a copy: this machine knows the vault at \($0), and its key file stays" }
                    ?? "exports, backups, other links and the disk's free blocks may still have the vault")
            if original == nil { Diagnostics.note("the phrase still opens the couple's document") }
        }
    }
}

extension ChosenVault {
    /// Where the vault's key file really is; nil if it is lost, or another vault has it, too. One that is named must open the vault.
    fileprivate func ownKeyFile(named: String?, _ inputs: inout Inputs) throws -> String? {
        guard locked.protection == .key, let name = named ?? known?.keyFile, !Paths.isMissing(name) else {
            return nil
        }
        let path = try Paths.absolute(name)
        guard locked.opens(with: .key(try inputs.keyFile(path))) else {
            guard named == nil else {
                throw CLIError(
                    .authFailed, "\(path) is not the key file of \(locked.name), so nothing was removed",
                    hint: "leave out --key-file")
            }
            return nil
        }
        let others = (try KnownVaults.ours?.all() ?? []).filter { $0.id != locked.id }.compactMap(\.keyFile)
        let identities = FileIdentity.all(of: path)
        return others.flatMap(FileIdentity.all).contains(where: identities.contains) ? nil : path
    }
}
