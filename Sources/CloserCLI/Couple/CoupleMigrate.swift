internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Migrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract:
                "Bring a couple that has texts in the clear to version 2, and print the couple's document.",
            discussion: """
                One user begins. The other user gets the key by a pairing, an invite or the phrase. Then each user seals their own texts \
                with closer-keys field seal --migrate --jsonl, and finishes.
                """)

        @Option(
            help: ArgumentHelp(
                "Mark your own texts as sealed, in the couple's document as the server has it; - is standard input.",
                valueName: "document"),
            completion: .file())
        var finish: String?
        @OptionGroup var beginning: CoupleBeginning
        @OptionGroup var couple: CoupleChoice
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard let finish else { return try begin() }
            guard !beginning.migrating, phrase.isEmpty else {
                throw CLIError(
                    .usage,
                    "--finish makes no phrase: leave out --migrating, --phrase-file and --keep-phrase")
            }
            try end(finish)
        }

        private func begin() throws {
            // The environment names no couple that begins here: a person does.
            guard let name = couple.couple else { throw CoupleID.missing }
            let id = try CoupleID(parsing: name)
            var inputs = Inputs()
            let vault = try couple.vault.open(&inputs)
            try beginning.noteUnneeded(by: id, in: vault)
            guard try vault.existingCouple(id) == nil, let draft = try vault.draftMigration(of: id) else {
                return try printAgain(id, in: vault, try Output(output, .json, inputs: inputs))
            }
            let place = try phrase.place(&inputs, mayAsk: couple.mayAsk)
            let result = try Output(output, .json, inputs: inputs)
            try place.give(draft.phrase, of: id, in: vault, .made, keeping: phrase.keeps) {
                try vault.store(draft)
            }
            try vault.deliver(try vault.couple(id).document, of: id, result)
            Diagnostics.note(
                "give the server \(output.named("document"))", next: NextCommand.line(.inviting(id)))
        }

        /// Prints the document of a couple that this vault has. The vault refuses a couple at 2 that is not known to migrate.
        private func printAgain(_ id: CoupleID, in vault: Vault, _ result: consuming Output) throws {
            if beginning.migrating { try vault.setMigrating(of: id) }
            _ = try vault.draftMigration(of: id)
            phrase.noteUnused(by: id)
            try vault.overview(of: id).notePhrase()
            try vault.deliver(try vault.couple(id).document, of: id, result)
        }

        private func end(_ file: String) throws {
            var inputs = try Inputs([.file(file), couple.vault.inputName])
            let document = try inputs.coupleDocument(file)
            let (vault, id) = try couple.open(&inputs)
            let result = try Output(output, .json, inputs: inputs)
            let finished: CoupleDocument
            do { finished = try vault.finishMigration(of: id, in: document) } catch VaultError.migration(
                .lowered(to: .migrating, let pin))
            {
                throw CLIError(
                    MigrationError.lowered(to: .migrating, from: pin).words,
                    hint: "stop, unless you know that its texts are in the clear: then say so first: "
                        + NextCommand.line("couple migrate \(id.option) --migrating"))
            }
            try vault.deliver(finished, of: id, result)
            Diagnostics.note("give the server \(output.named("document"))")
            guard finished.version != .strict else { return }
            Diagnostics.note("your partner finishes, too, and then you with the server's new document")
        }
    }
}

extension Vault {
    fileprivate func deliver(
        _ document: CoupleDocument, of id: CoupleID, _ result: consuming Output
    ) throws {
        let summary = try CoupleSummary(id, self)
        try result.deliver(document.bytes, named: "couple", details: summary.migration)
    }
}
