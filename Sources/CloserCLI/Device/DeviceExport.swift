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
            // Refused here, so that nobody is asked for a passphrase in vain.
            try output.check(.binary)
            let opened = try vault.open(&inputs)
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
            let lock = try vault.newLock(&inputs)
            let result = try Sink(output, .line, inputs: inputs)
            let made = try lock.use(&inputs) { lock in
                let typed = passphrase.withBytes { SecretBytes(copying: $0) }
                do throws(VaultError) {
                    return try Vault.create(at: path, importing: bytes, under: typed, locking: lock)
                } catch { throw Failure(ofExport: error, bytes.span) }
            }
            self.vault.remember(made)
            let user = try made.device.userID.text
            try result.report(
                "imported the vault of \(user)", json: ["userId": .string(user), "vault": .string(path)])
        }
    }
}

extension Failure {
    /// An export that does not open: what its bytes tell without the passphrase, and what only the right one shows.
    fileprivate init(ofExport error: VaultError, _ bytes: Span<UInt8>) {
        self =
            switch error {
            case .notAnExport:
                Failure(bytes, insteadOf: .vault)
                    ?? Failure(
                        .malformed,
                        Likeness(bytes) == .vault
                            ? "this export is cut or was changed" : "this is not an export of a vault",
                        hint: "bring the file over once more, or make another: closer-keys device export")
            case .authenticationFailed:
                Failure(
                    .authFailed, "the export does not open: another passphrase, or a changed byte",
                    hint: "check the export's passphrase; nobody can tell the two apart")
            case .otherProtection:
                Failure(
                    .malformed, "this vault is locked with a key file, so it is no export",
                    hint: "closer-keys device export makes one")
            case .damaged:
                Failure(
                    .malformed, "the passphrase is right, but the export is cut or was changed",
                    hint: "bring the file over once more, or make another: closer-keys device export")
            default: Failure(error)
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
