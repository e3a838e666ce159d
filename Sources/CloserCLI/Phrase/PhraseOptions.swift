#if CommandLine
internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

/// Where a recovery phrase comes from.
struct PhraseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The recovery phrase, from a file.", valueName: "file"), completion: .file())
    var phraseFile: String?

    func source(mayAsk: Bool) -> SecretSource {
        SecretSource(option: "phrase", file: phraseFile, mayAsk: mayAsk)
    }

    /// Reads it. Whoever types it is told which words look wrong.
    func read(_ inputs: inout Inputs, mayAsk: Bool) throws -> RecoveryPhrase {
        let source = source(mayAsk: mayAsk)
        let entered = try inputs.passphrase(source, "recovery phrase")
        // Any text may be a phrase, but nobody means a document or a token.
        if let failure = entered.withBytes({ CLIError($0, insteadOf: .phrase) }) { throw failure }
        let phrase = try RecoveryPhrase(typed: entered)
        if source.asks, let terminal = Terminal.open() { try phrase.suggest(on: terminal) }
        return phrase
    }
}

extension RecoveryPhrase {
    /// Tells the person at the terminal, and nobody else, which words look wrong and which may have been meant.
    fileprivate borrowing func suggest(on terminal: borrowing Terminal) throws {
        for position in advice().unknownWords {
            let word = suggestion(forWord: position)
            try terminal.show(
                word.map { "word \(position) is not in the list; did you mean \($0)?\n" }
                    ?? "word \(position) is not in the list\n")
        }
    }
}

extension RecoveryPhrase.Advice {
    /// What an error may say: positions and counts, but no word of the phrase.
    var words: (message: String, hint: String?)? {
        guard !isFaultless else { return nil }
        let positions = unknownWords.map { "\($0)" }.joined(separator: ", ")
        let unknown =
            switch unknownWords.count {
            case 0: nil as String?
            case 1: "word \(positions) is not in the list"
            default: "words \(positions) are not in the list"
            }
        guard wordCount != RecoveryPhrase.wordCount else {
            return ("this recovery phrase has words that are not in the list", unknown)
        }
        let count = wordCount == 1 ? "1 word" : "\(wordCount) words"
        return ("this recovery phrase has \(count), expected \(RecoveryPhrase.wordCount)", unknown)
    }
}

/// Where a new recovery phrase goes: into a file, or onto the terminal, once.
struct NewPhraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the new recovery phrase to this file, which must not exist; without it, it is shown on the terminal.",
            valueName: "file"), completion: .file())
    var phraseFile: String?

    /// Makes sure, before anything is changed, that there is a place for the phrase that no other output takes.
    func place(_ inputs: inout Inputs, mayAsk: Bool) throws -> SecretDestination {
        try SecretDestination(.phrase, file: phraseFile, &inputs, mayAsk: mayAsk)
    }
}

extension SecretDestination {
    /// Makes the change that the phrase belongs to. A file has the phrase before; the terminal shows it afterwards, so that a phrase that
    /// opens nothing is not copied. A signal in between waits until the phrase is shown, a second at most.
    consuming func give(_ phrase: borrowing RecoveryPhrase, with change: () throws -> Void) throws {
        guard try !write(phrase.text, before: change) else { return }
        switch terminal {
        case .some(let terminal): try phrase.showUntilWritten(on: terminal, after: change)
        case .none: preconditionFailure("a phrase goes to a file or to the terminal")
        }
    }
}

extension CLIError {
    init(phraseNotShown error: any Error) {
        self.init(
            .ioError,
            "the change was made, but its recovery phrase could not be shown: \(CLIError(error).message)",
            hint: "make a new one: closer-keys couple rewrap")
    }
}
#endif
