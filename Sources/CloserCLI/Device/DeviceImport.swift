internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Make a vault from an export, with a protection of its own.")

        @Argument(file: "The export; standard input by default.") var file: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup var export: ExportPassphraseOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            let source = export.source(mayAsk: !vault.passphrase.noInput)
            var inputs = try Inputs([.fileOrStandardInput(file), .secret(source), vault.inputName])
            let path = try vault.newPath(&inputs)
            let opened = try inputs.export(file, source)
            let protection = try vault.newProtection(&inputs)
            let made = try protection.use { unlocking, keyFile in
                let made = try opened.imported(at: path, locking: unlocking)
                try self.vault.remember(made, keyFile: keyFile)
                return made
            }
            Self.tellWhatIsClosed(in: made)
            let user = try made.device.userID.text
            try Output(output).report(
                "imported the vault of \(user)", json: ["userId": .string(user), "vault": .string(path)])
        }

        private static func tellWhatIsClosed(in made: Vault) {
            Diagnostics.note(
                "offers that were open at the export are closed here: type only codes made after now")
            guard let couple = try? made.sharedCoupleIDs.first else { return }
            Diagnostics.note(
                "if keys of \(couple.text) were given to another partner since the export, pair again")
        }
    }
}
