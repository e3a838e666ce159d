internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem

/// Where a recovery phrase comes from.
struct PhraseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The recovery phrase, from a file.", valueName: "file"), completion: .file())
    var phraseFile: String?
    @Option(help: ArgumentHelp("The same from an open file descriptor.", valueName: "number"))
    var phraseFD: Int32?

    /// Reads it; who types it is told which words look wrong.
    func read(_ inputs: inout Inputs, mayAsk: Bool) throws -> RecoveryPhrase {
        let source = SecretSource(
            option: "phrase", file: phraseFile, descriptor: phraseFD, mayAsk: mayAsk)
        let phrase = try RecoveryPhrase(entered: try inputs.passphrase(source, "recovery phrase"))
        if source.asks, let terminal = Terminal.open() { try phrase.suggest(on: terminal) }
        return phrase
    }
}

extension RecoveryPhrase {
    /// What looks wrong, with the words that may have been meant. Only for a person at the terminal.
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
    /// What a message may say: positions and counts, no words.
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

    /// Makes sure that there is a place for it, before anything is changed.
    func prepare(_ phrase: borrowing RecoveryPhrase, mayAsk: Bool, inputs: Inputs) throws -> PreparedPhrase {
        guard let phraseFile else { return try Self.onTerminal(mayAsk: mayAsk, insteadOf: "--phrase-file") }
        let file = try SafeFile(phraseFile, replacing: false, inputs: inputs.identities)
        try phrase.text.withBytes { try file.write($0) }
        try file.write([UInt8(ascii: "\n")].span)
        try file.prepare()
        return PreparedPhrase(file: file, terminal: nil)
    }

    static func onTerminal(mayAsk: Bool, insteadOf option: String) throws -> PreparedPhrase {
        guard mayAsk, let terminal = Terminal.open() else {
            throw Failure(
                .inputRequired, "there is no terminal to show the recovery phrase on", hint: "use \(option)")
        }
        return PreparedPhrase(file: nil, terminal: terminal)
    }
}

/// A place for a recovery phrase.
struct PreparedPhrase: ~Copyable {
    fileprivate var file: SafeFile?
    fileprivate let terminal: Terminal?

    /// Lets it be seen.
    consuming func hand(over phrase: borrowing RecoveryPhrase) throws {
        if let file = file.take() { return try file.commit() }
        guard let terminal else { return }
        try terminal.show("recovery phrase, shown this once; write it down:\n\n    ")
        try phrase.text.withBytes { try terminal.show($0) }
        try terminal.show("\n\n")
    }
}
