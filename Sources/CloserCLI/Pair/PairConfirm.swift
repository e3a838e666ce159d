#if CommandLine
internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension PairCommand {
    struct Confirm: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Check the reply to an offer, and print the grant for the partner.",
            discussion: """
                If the reply was made without the code, the offer is closed for good. Running it again with one reply prints one grant.
                """)

        @Argument(
            help: ArgumentHelp("The reply; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var partner: ExpectedPartnerOptions
        @OptionGroup var document: CoupleOutOptions
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup var pairing: PairingOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file), pairing.vault.inputName])
            let reply = try inputs.document(file, "pair-reply") { (bytes) throws(DocumentError) in
                try PairReply(parsing: bytes)
            }
            let (vault, id) = try pairing.open(&inputs, reply.lookup, isOffer: true)
            if let grant = try vault.grant(for: reply, to: id) {
                let outputs = try PairingOutputs(document, output, .json, &inputs)
                phrase.noteUnused(by: id)
                let again = "this reply was granted before, and its phrase is not shown again; "
                return try outputs.give(grant, again + note(reply), id, vault)
            }
            if try !vault.partners(of: id).isEmpty { try vault.warnOfOpenQuestions(of: id) }
            let draft = try vault.draftConfirmation(of: reply, to: id, try partner.expected)
            try confirm(draft, reply, vault, id, &inputs)
        }

        private func confirm(
            _ draft: consuming ConfirmationDraft, _ reply: PairReply, _ vault: Vault, _ id: CoupleID,
            _ inputs: inout Inputs
        ) throws {
            var grant: PairGrant?
            guard draft.isNewPhrase else {
                let outputs = try PairingOutputs(document, output, .json, &inputs)
                let grant = try vault.confirm(draft)
                phrase.noteUnused(by: id)
                return try outputs.give(grant, note(reply), id, vault)
            }
            let place = try phrase.place(&inputs, mayAsk: pairing.mayAsk)
            let outputs = try PairingOutputs(document, output, .json, &inputs)
            try vault.prepare(draft)
            try place.give(draft.phrase, of: id, in: vault, .confirmed) { grant = try vault.confirm(draft) }
            guard let grant else { preconditionFailure("a reply was checked without a verdict") }
            try outputs.give(grant, note(reply), id, vault)
        }

        private func note(_ reply: PairReply) -> String {
            "\(reply.acceptor.user.text) knew the code: send them \(output.named("grant")), and they run: closer-keys pair finish GRANT"
        }
    }

    struct Finish: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "finish", abstract: "Accept the grant for a reply: then the couple is paired.")

        @Argument(
            help: ArgumentHelp("The grant; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var document: CoupleOutOptions
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup var pairing: PairingOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file), pairing.vault.inputName])
            let grant = try inputs.document(file, "pair-grant") { (bytes) throws(DocumentError) in
                try PairGrant(parsing: bytes)
            }
            let (vault, id) = try pairing.open(&inputs, grant.lookup, isOffer: false)
            guard try !vault.hasTaken(grant, of: id) else {
                phrase.noteUnused(by: id)
                return try PairingOutputs(document, output, .line, &inputs).report(id, vault)
            }
            let place = try phrase.place(&inputs, mayAsk: pairing.mayAsk)
            let outputs = try PairingOutputs(document, output, .line, &inputs)
            let draft = try vault.draftGrant(grant, of: id)
            try place.give(draft.phrase, of: id, in: vault, .paired) { try vault.store(draft) }
            try outputs.report(id, vault)
        }
    }
}

/// Which pairing of which vault a document belongs to.
struct PairingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The couple; by default the one whose pairing here has the document's code.", valueName: "id"))
    var couple: String?
    @OptionGroup var vault: VaultOptions

    var mayAsk: Bool { !vault.passphrase.noInput }

    /// Opens the vault.
    func open(
        _ inputs: inout Inputs, _ lookup: PairingCode.Lookup, isOffer: Bool
    ) throws -> (Vault, CoupleID) {
        let named = try couple.map { try CoupleID(parsing: $0) }
        let vault = try vault.open(&inputs)
        return (vault, try named ?? vault.couple(ofPairing: lookup, isOffer: isOffer))
    }
}

/// The couple's new document, for the app's server.
struct CoupleOutOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also write the couple's new document, for the app's server, to this file.", valueName: "file"),
        completion: .file())
    var coupleOut: String?
}

/// What a step that pairs gives: its result, and beside it the couple's document.
private struct PairingOutputs: ~Copyable {
    private let document: Output?
    private let result: Output
    private let coupleOut: String?

    init(
        _ document: CoupleOutOptions, _ output: OutputOptions, _ kind: OutputKind, _ inputs: inout Inputs
    ) throws {
        guard document.coupleOut != "-" else {
            throw CLIError(.usage, "--couple-out needs the name of a file, not -")
        }
        let beside = try Output.beside(output, document.coupleOut, .json, inputs: &inputs)
        let result = try Output(output, kind, inputs: inputs)
        coupleOut = document.coupleOut
        self.document = beside
        self.result = result
    }

    consuming func give(_ grant: PairGrant, _ note: String, _ id: CoupleID, _ vault: Vault) throws {
        let (summary, server) = (try CoupleSummary(id, vault), Output.forServer(coupleOut, id))
        if let document = consume document {
            try document.deliver(try vault.couple(id).document.bytes, named: "couple")
        }
        try vault.notePhrase(of: id)
        try result.deliver(grant.bytes, named: "grant", details: summary.members)
        Diagnostics.note("\(note); \(server)")
    }

    consuming func report(_ id: CoupleID, _ vault: Vault) throws {
        let partners = try vault.partners(of: id).filter(\.isVerified).map(\.userID.text)
        let (summary, server) = (try CoupleSummary(id, vault), Output.forServer(coupleOut, id))
        if let document = consume document {
            try document.deliver(try vault.couple(id).document.bytes, named: "couple")
        }
        try vault.notePhrase(of: id)
        try result.report("paired \(id.text)\n\(summary.lines)", json: summary.json)
        Diagnostics.note("\(id.text) is paired with \(partners.listed); \(server)")
    }
}

extension Output {
    /// The end of a note: what the server gets once a couple's document has changed.
    static func forServer(_ file: String?, _ id: CoupleID) -> String {
        "for the server: \(file ?? NextCommand.line("couple show --couple \(id.text) --document"))"
    }
}
#endif
