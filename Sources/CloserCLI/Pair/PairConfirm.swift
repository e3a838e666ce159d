internal import ArgumentParser
internal import CloserKeys
internal import CloserVault

extension PairCommand {
    struct Confirm: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Check the reply to an offer, and print the grant for the partner.",
            discussion: """
                If the reply was made without the code, the offer is closed for good. Running it again with one reply prints one grant.
                """)

        @Argument(file: "The reply; standard input by default.") var file: String?
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
            if let grant = try vault.grant(for: reply, of: id) {
                let outputs = try StepOutputs(output, .json, document, inputs: &inputs)
                phrase.noteUnused(by: id)
                return try outputs.tell(.grant(grant), of: id, in: vault) {
                    ["this reply was granted before, and its phrase is not shown again", note]
                }
            }
            let draft = try vault.draftConfirmation(
                for: reply, of: id, partner: try partner.user, consents: partner.consents)
            draft.openQuestions.warnThatTheyAreOpen()
            guard draft.isNewPhrase else {
                let outputs = try StepOutputs(output, .json, document, inputs: &inputs)
                let grant = try vault.store(draft)
                if phrase.keeps { try vault.keepPhrase(draft.phrase, of: id) }
                phrase.noteNotWritten(by: id)
                return try outputs.tell(.grant(grant), of: id, in: vault) { [note] }
            }
            let place = try phrase.place(&inputs, mayAsk: pairing.mayAsk)
            let outputs = try StepOutputs(output, .json, document, inputs: &inputs)
            try vault.prepare(draft)
            try outputs.carryOut(
                of: id, in: vault, bringing: draft.phrase, to: place, .confirmed, keeping: phrase.keeps,
                noting: { [note] }
            ) { .grant(try vault.store(draft)) }
        }
    }
}

extension StepResult {
    fileprivate static func grant(_ grant: PairGrant) -> StepResult { .document(grant.bytes, named: "grant") }
}
