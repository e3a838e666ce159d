internal import ArgumentParser
internal import CloserKeys
internal import CloserVault

extension PairCommand {
    struct Finish: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "finish", abstract: "Accept the grant for a reply: then the couple is paired.")

        @Argument(file: "The grant; standard input by default.") var file: String?
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
            let draft = try vault.openGrant(grant, of: id)
            try outputs.carryOut(
                of: id, in: vault, bringing: draft.phrase, to: place, .paired, keeping: phrase.keeps,
                noting: note
            ) {
                try vault.store(draft)
                return paired
            }
        }
    }
}

extension Vault {
    fileprivate func verifiedPartners(of id: CoupleID) throws -> String {
        try partners(of: id).filter(\.isVerified).map(\.userID.text).listed
    }
}
