internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join", abstract: "Join a couple with the partner's invite.")

        @Argument(file: "The invite; standard input by default.") var file: String?
        @Option(file: "The invite code, from a file, if it is not in the invite.") var codeFile: String?
        @OptionGroup var beginning: CoupleBeginning
        @OptionGroup var keeping: KeepPhraseOptions
        @OptionGroup var couple: CoupleOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let source = SecretSource(option: "code", file: codeFile, mayAsk: couple.mayAsk)
            var inputs = try Inputs([.fileOrStandardInput(file), .secret(source), couple.vault.inputName])
            let invite = try inputs.invite(file)
            let (vault, id) = try couple.open(&inputs)
            let code = try inputs.code(source, of: invite)
            let result = try Output(output, .line, inputs: inputs)
            let before = try vault.existingCouple(id)
            try beginning.noteUnneeded(by: id, in: vault)
            try vault.noteIfNew(id)
            let joined = try vault.join(id, with: invite, code: code, beginningAt: beginning.version)
            if keeping.keepPhrase { try vault.keepPhrase(invite.phrase.open(with: code), of: id) }
            before?.tellNewPhrase(of: joined)
            let summary = try CoupleSummary(id, vault)
            try result.report("joined \(id.text)\n\(summary.lines)", json: summary.json)
            summary.note()
        }
    }
}

extension Inputs {
    /// Reads an invite, all of which counts as secret.
    mutating func invite(_ path: String?) throws -> InviteDocument {
        let document = try secret(path, maximumByteCount: Self.maximumDocumentByteCount)
        try document.withBytes { try FileKind.check($0, isDocument: "invite") }
        do { return try InviteDocument(parsing: document) } catch {
            throw CLIError(error, noun: "invite")
        }
    }

    /// The code from the options, or else the one in the invite, or else from the terminal.
    mutating func code(_ source: SecretSource, of invite: borrowing InviteDocument) throws -> InviteCode {
        if source.asks, let code = invite.copyOfCode() { return code }
        let text = try passphrase(source, "invite code")
        let isForPairing = (try? PairingCode(typed: text.withBytes { SecretBytes(copying: $0) })) != nil
        guard !isForPairing else {
            throw CLIError(
                .malformed, "this is a pairing code, of twelve letters and digits",
                hint: "closer-keys pair accept takes it, with its offer")
        }
        return try InviteCode(typed: text)
    }
}
