internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
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

        @Argument(
            help: ArgumentHelp("The couple's document; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @Flag(
            help:
                "Only try, and print the key's fingerprint; with --vault, compare the key, too, and remember the day."
        )
        var rehearse = false
        @OptionGroup var beginning: CoupleBeginning
        @OptionGroup var phrase: PhraseOptions
        @OptionGroup var couple: CoupleOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([
                .fileOrStandardInput(file), .secret(phrase.source(mayAsk: couple.mayAsk)),
                couple.vault.inputName,
            ])
            let id = try couple.name.id
            let document = try inputs.document(file, "couple") { (bytes) throws(DocumentError) in
                try CoupleDocument(parsing: bytes)
            }
            let phrase = try phrase.readToOpen(&inputs, mayAsk: couple.mayAsk)
            do {
                rehearse
                    ? try tryOut(id, document, phrase, &inputs) : try recover(id, document, phrase, &inputs)
            } catch VaultError.couple(.wrongPhrase) {
                throw CLIError(wrongPhrase: phrase.advice())
            } catch VaultError.couple(let error) where error.isAtOne {
                throw CLIError(error).hinting(
                    "stop, unless you know that its texts are in the clear: then use --migrating")
            }
        }

        private func recover(
            _ id: CoupleID, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase,
            _ inputs: inout Inputs
        ) throws {
            let (vault, id) = try couple.open(&inputs)
            let result = try Output(output, .line, inputs: inputs)
            // A vault that has the couple already keeps what it knows of it.
            let before = try vault.existingCouple(id)
            try beginning.noteUnneeded(by: id, in: vault)
            let after = try vault.recover(
                id, from: document, phrase: phrase, beginningAt: beginning.version)
            if let before {
                before.key.tellNewKeys(after.key)
                before.tellNewPhrase(of: after)
            }
            let summary = try CoupleSummary(id, vault)
            try result.report("recovered \(id.text)\n\(summary.lines)", json: summary.json)
            summary.note(
                before == nil ? "only the couple key is back: answers and verified partners are gone; " : "")
        }

        /// Opens the document, and compares its key with that of a vault if one is named.
        private func tryOut(
            _ id: CoupleID, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase,
            _ inputs: inout Inputs
        ) throws {
            if beginning.migrating { Diagnostics.note("--migrating has no effect on a rehearsal") }
            let fingerprint = try opened(id, document, phrase, &inputs).fingerprint(couple: id)
            try Output(output, .line, inputs: inputs).report(
                "the phrase opens the document\nfingerprint: \(fingerprint)",
                json: ["coupleId": .string(id.text), "opens": true, "fingerprint": .string(fingerprint)])
        }

        private func opened(
            _ id: CoupleID, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase,
            _ inputs: inout Inputs
        ) throws -> CoupleKey {
            guard couple.vault.vault != nil else { return try CoupleKey(of: document, phrase) }
            do {
                let vault = try couple.open(&inputs).0
                let key = try vault.rehearse(id, from: document, phrase: phrase)
                vault.tellRehearsal(of: id, from: document, phrase)
                try vault.couple(id).key.tellNewKeys(key)
                return key
            } catch VaultError.couple(.olderKey) {
                throw CLIError(
                    .keyMismatch,
                    "the phrase opens the document, which is older than this device's last rekey",
                    hint: "store the newest with the server: closer-keys couple show --document")
            } catch VaultError.couple(.otherPrimary) {
                throw CLIError(
                    .keyMismatch,
                    "the phrase opens the document, but this device has another primary key",
                    hint:
                        "ask your partner for their fingerprint: the newer key is theirs, or a reader of the phrase added it"
                )
            } catch VaultError.couple(.lacksKey) {
                throw CLIError(
                    .keyMismatch,
                    "the phrase opens the document, but it holds another key than this device's",
                    hint: "the stored document was replaced: closer-keys couple show --document has yours")
            }
        }
    }
}

extension Vault {
    /// Remembers it. A failure to write is only a warning.
    fileprivate func tellRehearsal(
        of id: CoupleID, from document: CoupleDocument, _ phrase: borrowing RecoveryPhrase
    ) {
        do throws(VaultError) {
            guard try !rememberRehearsal(of: id, from: document, phrase: phrase) else { return }
            Diagnostics.note(
                "this phrase opens the document, and another one opens this device's own: closer-keys couple show --document prints that"
            )
        } catch { Diagnostics.warn("the rehearsal is not remembered: \(CLIError(error).message)") }
    }
}

extension CoupleError {
    /// Whether the document is at version 1, which a person may vouch for.
    fileprivate var isAtOne: Bool { if case .lowered(to: .migrating, _) = self { true } else { false } }
}

extension CLIError {
    fileprivate init(wrongPhrase advice: RecoveryPhrase.Advice) {
        guard let words = advice.words else {
            self.init(
                .authFailed, "it does not open: another phrase, or a changed byte",
                hint:
                    "check that the phrase and the document are the newest: a rekey or a pairing changes both"
            )
            return
        }
        let which = words.hint.map { ": \($0)" } ?? ""
        self.init(
            .authFailed, "it does not open, and \(words.message)",
            hint: "closer-keys phrase check looks at the words\(which)")
    }
}
