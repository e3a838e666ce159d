internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Phrase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "phrase",
            abstract: "Show the recovery phrase that this vault keeps, on the terminal alone.",
            discussion: "A vault keeps the phrase that came with --keep-phrase, and then each newer one.")

        @Flag(help: "Remove the phrase from this vault, and keep no newer one.") var forget = false
        @OptionGroup var couple: CoupleChoice
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            guard !forget else { return try remove(id, from: vault) }
            // The document first: a newer phrase that comes in between stays unconfirmed.
            let document = try vault.couple(id).document
            let phrase = try vault.phrase(of: id)
            guard couple.mayAsk, let terminal = Terminal.open() else {
                throw CLIError(
                    .inputRequired, "a recovery phrase that is kept is shown on a terminal alone",
                    hint: "run it in a terminal, without --no-input")
            }
            try phrase.showUntilWritten(on: terminal, isKept: true)
            try vault.confirmPhrase(of: id, opening: document)
            try Output(output).report("", json: ["coupleId": .string(id.text), "shown": true])
        }

        private func remove(_ id: CoupleID, from vault: Vault) throws {
            let wasKept = try vault.forgetPhrase(of: id)
            try Output(output).report(
                wasKept ? "forgot the recovery phrase of \(id.text)" : "no recovery phrase was kept",
                json: ["coupleId": .string(id.text), "wasKept": .bool(wasKept)])
            guard wasKept else { return }
            Diagnostics.note("exports and copies of this vault still have the phrase")
        }
    }
}
