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
            let note = "\(reply.acceptor.user.text) knew the code: send them \(output.named("grant"))"
            if let grant = try vault.grant(for: reply, to: id) {
                let outputs = try StepOutputs(output, .json, document, inputs: &inputs)
                phrase.noteUnused(by: id)
                return try outputs.tell(.grant(grant), of: id, in: vault) {
                    ["this reply was granted before, and its phrase is not shown again", note]
                }
            }
            let draft = try vault.draftConfirmation(of: reply, to: id, from: try partner.expected)
            draft.openQuestions.warnThatTheyAreOpen()
            guard draft.isNewPhrase else {
                let outputs = try StepOutputs(output, .json, document, inputs: &inputs)
                let grant = try vault.confirm(draft)
                phrase.noteUnused(by: id)
                return try outputs.tell(.grant(grant), of: id, in: vault) { [note] }
            }
            let place = try phrase.place(&inputs, mayAsk: pairing.mayAsk)
            let outputs = try StepOutputs(output, .json, document, inputs: &inputs)
            try vault.prepare(draft)
            try outputs.carryOut(
                of: id, in: vault, bringing: draft.phrase, to: place, .confirmed, noting: { [note] }
            ) { .grant(try vault.confirm(draft)) }
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
            let note = { ["\(id.text) is paired with \(try vault.verifiedPartners(of: id))"] }
            let paired = StepResult.report("paired \(id.text)")
            guard try !vault.hasTaken(grant, of: id) else {
                phrase.noteUnused(by: id)
                return try StepOutputs(output, .line, document, inputs: &inputs)
                    .tell(paired, of: id, in: vault, noting: note)
            }
            let place = try phrase.place(&inputs, mayAsk: pairing.mayAsk)
            let outputs = try StepOutputs(output, .line, document, inputs: &inputs)
            let draft = try vault.draftGrant(grant, of: id)
            try outputs.carryOut(
                of: id, in: vault, bringing: draft.phrase, to: place, .paired, noting: note
            ) {
                try vault.store(draft)
                return paired
            }
        }
    }
}

extension StepResult {
    fileprivate static func grant(_ grant: PairGrant) -> StepResult { .document(grant.bytes, named: "grant") }
}

extension Vault {
    fileprivate func verifiedPartners(of id: CoupleID) throws -> String {
        try partners(of: id).filter(\.isVerified).map(\.userID.text).listed
    }
}

/// Which pairing of which vault a document belongs to.
struct PairingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The couple; by default the one whose pairing here has the document's code.", valueName: "id"))
    var couple: String?
    @OptionGroup(title: "Vault options") var vault: VaultOptions

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
