internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the whole vault into one file under a passphrase: as the backup, or to move it.",
            discussion: """
                An older backup knows nothing of what came later: pins and verified partners are lost with it, too. After a move, \
                remove the old vault: two copies would come to know different things.
                """)

        @OptionGroup var vault: VaultOptions
        @OptionGroup var export: ExportPassphraseOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let opened = try vault.open(&inputs)
            // Refused here, so that nobody is asked for a passphrase in vain.
            _ = try TerminalGate(of: output, .binary)
            let source = export.source(mayAsk: !vault.passphrase.noInput)
            let passphrase = try inputs.newPassphrase(source, "passphrase for the export")
            let prepared = try Sink(output, .binary, inputs: inputs)
            let bytes = try opened.export(under: passphrase)
            Messages.note(
                "an export is a backup as of now; if you move with it, remove this vault once the new one works"
            )
            try prepared.deliver(bytes, named: "export")
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a vault from an export, and lock it anew.")

        @Argument(
            help: ArgumentHelp("The export; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var vault: VaultOptions
        @OptionGroup var export: ExportPassphraseOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let bytes = try inputs.bytes(file, maximumByteCount: Vault.maximumByteCount)
            let path = try vault.newPath(&inputs)
            let source = export.source(mayAsk: !vault.passphrase.noInput)
            let passphrase = try inputs.passphrase(source, "passphrase of the export")
            let lock = try vault.locking(&inputs)
            let result = try Sink(output, .line, inputs: inputs)
            let made = try Vault.create(at: path, importing: bytes, under: passphrase, locking: lock)
            self.vault.remember(made)
            let user = try made.device.userID.text
            try result.report(
                "imported the vault of \(user)", json: ["userId": .string(user), "vault": .string(path)])
        }
    }
}

/// The passphrase of an export.
struct ExportPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The export's passphrase, from a file.", valueName: "file"), completion: .file())
    var exportPassphraseFile: String?
    @Option(help: ArgumentHelp("The same from an open file descriptor.", valueName: "number"))
    var exportPassphraseFD: Int32?

    func source(mayAsk: Bool) -> SecretSource {
        SecretSource(
            option: "export-passphrase", file: exportPassphraseFile, descriptor: exportPassphraseFD,
            mayAsk: mayAsk)
    }
}
