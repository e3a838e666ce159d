internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write the whole vault into one file under a passphrase: as the backup, or to move it.",
            discussion: """
                An older backup lacks everything that came later, pins and verified partners included. After a move, remove the old \
                vault: two copies would drift apart.
                """)

        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup var export: ExportPassphraseOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let source = export.source(mayAsk: !vault.passphrase.noInput)
            var inputs = try Inputs([.secret(source), vault.inputName])
            // Refused here, before a passphrase is typed in vain.
            try output.check(.binary)
            let opened = try vault.open(&inputs, asksAgain: true)
            let passphrase = try inputs.newPassphrase(source, "passphrase for the export", for: .export)
            let prepared = try Output(output, .binary, inputs: inputs)
            let bytes = try opened.export(under: passphrase)
            Diagnostics.note(
                "an export is a backup as of now: if you move with it, remove this vault once the new one works"
            )
            try prepared.deliver(bytes, named: "export")
            do { try KnownVaults.ours?.rememberExport(of: opened.version.vaultID) } catch {
                Diagnostics.warn("this machine does not remember the export: \(CLIError(error).message)")
            }
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Make a vault from an export, with a protection of its own.")

        @Argument(
            help: ArgumentHelp("The export; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
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
                self.vault.remember(made, keyFile: keyFile)
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
