internal import ArgumentParser
internal import CloserKeys
internal import CloserVault

extension CoupleCommand {
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a couple key and print the invite for the partner, which is secret.")

        @OptionGroup var couple: CoupleOptions
        @OptionGroup var beginning: CoupleBeginning
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            // Refused here, before a passphrase is asked for in vain.
            try output.check(.secretLine)
            let (vault, id) = try couple.open(&inputs)
            try vault.noteIfNew(id)
            let draft = try vault.draftCouple(of: id, beginningAt: beginning.version)
            let place = try phrase.place(&inputs, mayAsk: couple.mayAsk)
            let result = try Output(output, .secretLine, inputs: inputs)
            try place.give(draft.phrase, of: id, in: vault, .made, keeping: phrase.keeps) {
                try vault.store(draft)
            }
            let invite = try vault.invite(of: id)
            try result.deliver(invite, named: "invite", details: try CoupleSummary(id, vault).members)
            Diagnostics.note("a reader of \(output.named("invite")) can read \(id.text) until you rekey")
            Diagnostics.note("your partner takes it with couple join \(id.option) INVITE")
        }
    }
}
