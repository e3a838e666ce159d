internal import ArgumentParser
internal import CloserVault

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
}
