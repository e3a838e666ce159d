internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Rehearse: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rehearse",
            abstract: "Try the recovery phrase on the couple's document, and print the key's fingerprint.",
            discussion: "A vault that has the couple compares the key, too, and remembers the day.")

        @Argument(
            help: ArgumentHelp("The couple's document; standard input by default.", valueName: "document"),
            completion: .file())
        var file: String?
        @Flag(help: "Look at the words alone, and open nothing.") var wordsOnly = false
        @OptionGroup var phrase: PhraseOptions
        @OptionGroup var couple: CoupleChoice
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            guard !wordsOnly else { return try checkWords() }
            var inputs = try Inputs([
                .fileOrStandardInput(file), .secret(phrase.source(mayAsk: couple.mayAsk)),
                couple.vault.inputName,
            ])
            let document = try inputs.coupleDocument(file)
            let (vault, id) = try place(&inputs)
            let phrase = try phrase.readToOpen(&inputs, mayAsk: couple.mayAsk)
            do {
                let key = try vault?.rehearsed(id, document, phrase) ?? CoupleKey(of: document, phrase)
                let isRemembered = try vault?.tellRehearsal(of: id, document, phrase, key) ?? false
                if vault == nil {
                    Diagnostics.note("no vault here has \(id.text): nothing remembers this rehearsal")
                }
                try report(id, key.fingerprint(couple: id), isRemembered)
            } catch VaultError.unwrap(.wrongPhrase) { throw CLIError(wrongPhrase: phrase.advice()) }
        }

        /// The vault that is named, or else the default one if it has the couple. A phrase can be tried where that one does not open.
        private func place(_ inputs: inout Inputs) throws -> (Vault?, CoupleID) {
            guard try couple.vault.isThere else { return (nil, try CoupleID.needed(couple.couple)) }
            guard try couple.vault.named == nil, let id = try CoupleID.named(couple.couple) else {
                return try couple.open(&inputs)
            }
            do {
                let vault = try couple.vault.open(&inputs)
                return (try vault.existingCouple(id) == nil ? nil : vault, id)
            } catch {
                Diagnostics.warn("the default vault stays closed: \(CLIError(error).message)")
                return (nil, id)
            }
        }

        private func report(_ id: CoupleID, _ fingerprint: String, _ isRemembered: Bool) throws {
            try Output(output).report(
                "the phrase opens the document\nfingerprint: \(fingerprint)",
                json: [
                    "coupleId": .string(id.text), "opens": true, "fingerprint": .string(fingerprint),
                    "remembered": .bool(isRemembered),
                ])
        }

        private func checkWords() throws {
            guard file == nil else { throw CLIError(.usage, "--words-only opens no document: leave it out") }
            var inputs = Inputs()
            let advice = try phrase.read(&inputs, mayAsk: couple.mayAsk).advice()
            let words = advice.words
            if words == nil || output.json {
                try Output(output).report("this looks like a recovery phrase", json: advice.json)
            }
            if let words { throw CLIError.reported(words.message, hint: words.hint) }
        }
    }
}

extension RecoveryPhrase.Advice {
    fileprivate var json: JSONValue {
        [
            "looksRight": .bool(isFaultless), "words": .number(Double(wordCount)),
            "unknownWords": .array(unknownWords.map { .number(Double($0)) }),
        ]
    }
}

extension Vault {
    /// Opens the document, and compares its key with that of this vault.
    fileprivate func rehearsed(
        _ id: CoupleID, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase
    ) throws -> CoupleKey {
        do {
            return try rehearse(id, from: document, phrase: phrase)
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

    /// Remembers the rehearsal: false if this device's own document is under another phrase, or if a write fails, which is only a warning.
    fileprivate func tellRehearsal(
        of id: CoupleID, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase, _ key: CoupleKey
    ) throws -> Bool {
        var isRemembered = false
        do throws(VaultError) {
            isRemembered = try rememberRehearsal(of: id, from: document, phrase: phrase)
            if !isRemembered {
                Diagnostics.note(
                    "this phrase opens the document, and another one opens this device's own",
                    next: NextCommand.line("couple recover \(id.option) DOCUMENT"))
            }
        } catch { Diagnostics.warn("the rehearsal is not remembered: \(CLIError(error).message)") }
        try couple(id).tellNewKeys(key)
        return isRemembered
    }
}
