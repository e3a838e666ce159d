internal import ArgumentParser
internal import CloserKeys
internal import CloserVault

extension CoupleCommand {
    struct Rewrap: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rewrap",
            abstract: "Put the couple key under a new recovery phrase, and print the couple's document.")

        @OptionGroup var couple: CoupleChoice
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            let place = try phrase.place(&inputs, mayAsk: couple.mayAsk)
            let outputs = try StepOutputs(output, .json, inputs: &inputs)
            let draft = try vault.draftRewrap(of: id)
            try outputs.carryOut(
                of: id, in: vault, bringing: draft.phrase, to: place, .rewrapped, keeping: phrase.keeps
            ) {
                [
                    "the old phrase with any old document of \(id.text) still opens today's key",
                    "your partner's paper and older ones do not open this document: tell your partner the new phrase, and both write it down",
                ]
            } _: {
                try vault.store(draft)
                return .document(draft.couple.document.bytes, named: "couple")
            }
        }
    }
}
