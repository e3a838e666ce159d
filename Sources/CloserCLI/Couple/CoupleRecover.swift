internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Recover: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recover",
            abstract: "Bring a couple key back with the recovery phrase and the couple's document.",
            discussion:
                "On a new device only the key comes back. Answers, the partner's keys and verifications stay lost."
        )

        @Argument(file: "The couple's document; standard input by default.") var file: String?
        @OptionGroup var beginning: CoupleBeginning
        @OptionGroup var phrase: PhraseOptions
        @OptionGroup var keeping: KeepPhraseOptions
        @OptionGroup var couple: CoupleOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([
                .fileOrStandardInput(file), .secret(phrase.source(mayAsk: couple.mayAsk)),
                couple.vault.inputName,
            ])
            let document = try inputs.coupleDocument(file)
            let (vault, id) = try couple.open(&inputs)
            let phrase = try phrase.readToOpen(&inputs, mayAsk: couple.mayAsk)
            do { try recover(id, document, phrase, vault, inputs) } catch VaultError.unwrap(.wrongPhrase) {
                throw CLIError(wrongPhrase: phrase.advice())
            }
        }

        private func recover(
            _ id: CoupleID, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase,
            _ vault: Vault, _ inputs: Inputs
        ) throws {
            let result = try Output(output, .line, inputs: inputs)
            // A vault that has the couple already keeps what it knows of it.
            let before = try vault.existingCouple(id)
            try vault.noteIfNew(id)
            try beginning.noteUnneeded(by: id, in: vault)
            let after = try vault.recover(
                id, from: document, phrase: phrase, beginningAt: beginning.version)
            if keeping.keepPhrase { try vault.keepPhrase(phrase, of: id) }
            if let before {
                before.tellNewKeys(after.key)
                before.tellNewPhrase(of: after)
            }
            let summary = try CoupleSummary(id, vault)
            try result.report("recovered \(id.text)\n\(summary.lines)", json: summary.json)
            if before == nil {
                Diagnostics.note("only the couple key is back: answers and verified partners are gone")
            }
            summary.note()
        }
    }
}

extension Inputs {
    mutating func coupleDocument(_ path: String?) throws -> CoupleDocument {
        try document(path, "couple") { (bytes) throws(DocumentError) in try CoupleDocument(parsing: bytes) }
    }
}

extension CLIError {
    init(wrongPhrase advice: RecoveryPhrase.Advice) {
        guard let words = advice.words else {
            self.init(
                UnwrapError.wrongPhrase.words,
                hint:
                    "check each word, and ask your partner for their phrase: a rekey, a pairing and a rewrap, also on their device, change phrase and document"
            )
            return
        }
        let which = words.hint.map { ": \($0)" } ?? ""
        self.init(
            .authFailed, "it does not open, and \(words.message)",
            hint: "closer-keys couple rehearse --words-only looks at the words\(which)")
    }
}
