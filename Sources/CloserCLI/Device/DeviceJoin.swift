internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join",
            abstract: "Take over the vault's key from a link that another device of yours made.",
            discussion: """
                The vault must be here already, as new as the link or newer. Its key goes into the file of --key-file. After an \
                interruption, run the same command again.
                """)

        @Argument(file: "The link; standard input by default.") var file: String?
        @Option(file: "The link's code, from a file.") var codeFile: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            guard let keyFile = vault.keyFile, !vault.passphrase.isGiven else {
                throw CLIError(
                    .usage, "a link brings a key, so this needs a key file and no passphrase",
                    hint: "name the file to be made with --key-file")
            }
            let source = SecretSource(
                option: "code", file: codeFile, mayAsk: !vault.passphrase.noInput, isSpoken: true)
            var inputs = try Inputs([.fileOrStandardInput(file), .secret(source)])
            let document = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
            let chosen = try vault.chosen(&inputs)
            try chosen.checkPlace()
            try check(document, isOf: chosen.locked)
            let link = try inputs.link(document, source)
            try check(link, chosen)
            let copy = link.key.withBytes { SecretBytes(copying: $0) }
            let protection = try inputs.newKeyFile(keyFile, with: copy)
            guard protection.isKey(link.key) else {
                throw CLIError(
                    .inputRequired, "\(keyFile) is there, and has another key", hint: "name a new file")
            }
            let joined = try protection.use { try chosen.open(with: $0, keyFile: $1) }
            Diagnostics.note(
                "delete the link and its code: they open the vault until it gets another vault key")
            let user = try joined.device.userID.text
            try Output(output).report(
                "joined the vault of \(user)", json: ["userId": .string(user), "vault": .string(joined.name)])
        }

        /// Before a code is asked for in vain.
        private func check(_ document: [UInt8], isOf vault: LockedVault) throws {
            let id = try FileKind.link.read(document.span) { try DeviceLink.vaultID(in: document) }
            guard id == vault.id else {
                throw CLIError(
                    VaultError.replaced(path: vault.name).words,
                    hint: "the link is of another vault: name that one with --vault")
            }
        }

        /// Before a key file is made: the vault is as new as the link, and as what this machine saw.
        private func check(_ link: borrowing DeviceLink.Opened, _ chosen: ChosenVault) throws {
            do throws(VaultError) {
                _ = try link.open(chosen.locked, notOlderThan: chosen.known?.version)
            } catch {
                guard error == .authenticationFailed || error == .otherProtection else { throw error }
                throw CLIError(
                    .authFailed,
                    "the vault \(chosen.locked.name) has got another key since this link was made",
                    hint: "make another link: closer-keys device link")
            }
        }
    }
}

extension Inputs {
    /// Opens a link with the code that its maker showed. A person who mistypes it may try again.
    fileprivate mutating func link(
        _ document: [UInt8], _ source: SecretSource
    ) throws -> DeviceLink.Opened {
        try retrying(source) { inputs in
            let text = try inputs.passphrase(source, "code of the link")
            do {
                return try DeviceLink.key(from: document, code: DeviceLink.Code(typed: text))
            } catch { throw Slip(CLIError(error)) }
        }
    }
}
