internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

struct CoupleCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "couple", abstract: "Make, join, verify, rekey and recover couples.",
        subcommands: [
            Create.self, Join.self, Recover.self, Show.self, List.self, Rewrap.self, Verify.self, Rekey.self,
            Retire.self, Forget.self,
        ])

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a couple key and print the invite for the partner, which is secret.")

        @OptionGroup var couple: CoupleOptions
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            let place = try phrase.place(&inputs, mayAsk: couple.mayAsk)
            let result = try output.prepare(.secretLine, inputs: inputs)
            let draft = try vault.draftCouple(id)
            try place.keep(draft.phrase)
            try vault.store(draft)
            try place.show(draft.phrase)
            Messages.warn("whoever reads this document can read the couple until you rekey")
            let invite = try vault.invite(of: id)
            try result.deliver(invite, named: "invite", details: try CoupleSummary(id, vault).members)
        }
    }

    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Join the couple of a partner's invite.")

        @Argument(
            help: ArgumentHelp("The invite; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @Option(
            help: ArgumentHelp(
                "The invite code, from a file, if it is not in the invite.", valueName: "file"),
            completion: .file())
        var codeFile: String?
        @Option(help: ArgumentHelp("The same from an open file descriptor.", valueName: "number"))
        var codeFD: Int32?
        @OptionGroup var couple: CoupleOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let invite = try inputs.invite(file)
            let (vault, id) = try couple.open(&inputs)
            let source = SecretSource(
                option: "code", file: codeFile, descriptor: codeFD, mayAsk: couple.mayAsk)
            let code = try inputs.code(source, of: invite)
            let result = try output.prepare(.line, inputs: inputs)
            try vault.join(id, with: invite, code: code)
            let summary = try CoupleSummary(id, vault)
            Messages.note(
                "your partner's device must show the same fingerprint; if not, one of you has mistyped the couple"
            )
            try result.report("joined \(id.text)\n\(summary.lines)", json: summary.json)
        }
    }

    struct Rewrap: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put the couple key under a new recovery phrase, and print the couple's document.")

        @OptionGroup var couple: CoupleOptions
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            let place = try phrase.place(&inputs, mayAsk: couple.mayAsk)
            let result = try output.prepare(.json, inputs: inputs)
            let draft = try vault.draftRewrap(id)
            try place.keep(draft.phrase)
            try vault.store(draft)
            try place.show(draft.phrase)
            Messages.warn("the old phrase with any old wrap still opens today's key")
            let document = draft.couple.document.bytes
            try result.deliver(
                document.span, named: "couple", details: try CoupleSummary(id, vault).members)
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a couple's key and answers from this device.",
            discussion:
                "Without its phrase, a document or the partner, the key does not come back, nor do answers that are not released."
        )

        @OptionGroup var couple: CoupleOptions
        @Flag(help: "Say that you mean it; without it nothing is removed.") var yes = false
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            _ = try vault.couple(id)
            guard yes else {
                throw Failure(
                    .inputRequired, "this removes the couple's key and answers for good", hint: "use --yes")
            }
            let result = try output.prepare(.line, inputs: inputs)
            try vault.forget(id)
            try result.report(
                "forgot \(id.text)", json: ["coupleId": .string(id.text), "forgotten": true])
        }
    }
}

/// Which couple, and in which vault.
struct CoupleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The couple.", valueName: "id")) var couple: String
    @OptionGroup var vault: VaultOptions

    var mayAsk: Bool { !vault.passphrase.noInput }

    func open(_ inputs: inout Inputs) throws -> (Vault, Identifier) {
        let id = try Identifier(parsing: couple)
        return (try vault.open(&inputs), id)
    }
}

extension Inputs {
    /// An invite is a secret as a whole.
    mutating func invite(_ path: String?) throws -> InviteDocument {
        let document = try secret(path, maximumByteCount: Self.maximumDocumentByteCount)
        do { return try InviteDocument(parsing: document) } catch { throw Failure(error, noun: "invite") }
    }

    /// The code that was given, or else the one in the invite.
    mutating func code(_ source: SecretSource, of invite: borrowing InviteDocument) throws -> InviteCode {
        if source.asks, let code = invite.copyOfCode() { return code }
        return try InviteCode(entered: try passphrase(source, "invite code"))
    }
}
