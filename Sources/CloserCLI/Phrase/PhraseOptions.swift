internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

/// Where a recovery phrase comes from.
struct PhraseOptions: ParsableArguments {
    @Option(file: "The recovery phrase, from a file.") var phraseFile: String?

    func source(mayAsk: Bool) -> SecretSource {
        SecretSource(option: "phrase", file: phraseFile, mayAsk: mayAsk)
    }

    /// Reads it. A person who types it is told which words look wrong.
    func read(_ inputs: inout Inputs, mayAsk: Bool) throws -> RecoveryPhrase {
        try inputs.recoveryPhrase(source(mayAsk: mayAsk))
    }

    /// Reads it, to open something. A person who types one that looks wrong may type it again; what is typed twice is meant so, since other
    /// programs may use other words.
    func readToOpen(_ inputs: inout Inputs, mayAsk: Bool) throws -> RecoveryPhrase {
        let source = source(mayAsk: mayAsk)
        var former = SecretBytes(copying: [])
        return try inputs.retrying(source) { inputs in
            let phrase = try inputs.recoveryPhrase(source)
            guard source.asks, let words = phrase.advice().words, !phrase.text.isEqual(to: former) else {
                return phrase
            }
            former = phrase.text.withBytes { SecretBytes(copying: $0) }
            throw Inputs.Slip(
                words: "\(words.message) (type it twice to try it unchanged)",
                error: CLIError(.authFailed, words.message, hint: words.hint))
        }
    }
}

extension Inputs {
    fileprivate mutating func recoveryPhrase(_ source: SecretSource) throws -> RecoveryPhrase {
        let entered = try passphrase(source, "recovery phrase")
        // Any text may be a phrase, but a document or a token is a mistake.
        if let failure = entered.withBytes({ CLIError($0, insteadOf: .phrase) }) { throw failure }
        let phrase = try RecoveryPhrase(typed: entered)
        if source.asks, let terminal = Terminal.open() { try phrase.suggest(on: terminal) }
        return phrase
    }
}

extension RecoveryPhrase {
    /// Tells the person at the terminal alone which words look wrong and which may have been meant.
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

/// Whether this vault keeps the phrase that a command makes or brings.
struct KeepPhraseOptions: ParsableArguments {
    @Flag(help: "Keep the phrase in the vault, for couple phrase.") var keepPhrase = false
}

/// Where a new recovery phrase goes: into a file, or onto the terminal, once.
struct NewPhraseOptions: ParsableArguments {
    @Option(file: "Write the new phrase to this new file, instead of showing it on the terminal.")
    var phraseFile: String?
    @OptionGroup var keeping: KeepPhraseOptions

    var keeps: Bool { keeping.keepPhrase }
    var isEmpty: Bool { phraseFile == nil && !keeps }

    /// Opens the phrase's file, or finds the terminal, before anything is changed.
    func place(_ inputs: inout Inputs, mayAsk: Bool) throws -> SecretDestination {
        try SecretDestination(.phrase, file: phraseFile, &inputs, mayAsk: mayAsk)
    }

    /// Says which options had no effect, because the couple keeps the phrase that it has.
    func noteUnused(by couple: CoupleID) {
        noteNotKept(by: couple)
        noteNotWritten(by: couple)
    }

    func noteNotKept(by couple: CoupleID) {
        guard keeps else { return }
        Diagnostics.note(
            "--keep-phrase has no effect, because this command brings \(couple.text) no phrase",
            next: NextCommand.line("couple recover \(couple.option) --keep-phrase DOCUMENT"))
    }

    func noteNotWritten(by couple: CoupleID) {
        guard let phraseFile else { return }
        Diagnostics.note(
            "\(phraseFile) was not written, because \(couple.text) keeps its recovery phrase",
            next: NextCommand.line("couple rewrap \(couple.option)"))
    }
}

extension SecretDestination {
    /// Makes a change that gives a couple this phrase, and remembers that a person or a file has it. A file gets the phrase before the
    /// change. The terminal shows it after the change, and a signal in between waits until the phrase is shown, a second at most.
    consuming func give(
        _ phrase: borrowing RecoveryPhrase, of couple: CoupleID, in vault: Vault, _ deed: PhraseDeed,
        keeping: Bool, with change: () throws -> Void
    ) throws {
        let isKept = try keeping || vault.keepsPhrase(of: couple)
        var stored: Result<CoupleDocument, any Error>?
        func changeAndLook() throws {
            try change()
            stored = Result {
                if keeping { try vault.keepPhrase(phrase, of: couple) }
                return try vault.couple(couple).document
            }
        }
        if try !write(phrase.text, before: changeAndLook) {
            switch terminal {
            case .some(let terminal):
                try phrase.showUntilWritten(
                    on: terminal, isKept: isKept, deed.stopped(couple, isKept: isKept), after: changeAndLook)
            case .none: preconditionFailure("a phrase goes to a file or to the terminal")
            }
        }
        stored.map { vault.rememberConfirmation(of: couple, opening: $0) }
    }
}

extension Vault {
    /// Remembers that a person or a file has the phrase that opens `document`, the couple's document right after the change.
    fileprivate func rememberConfirmation(
        of couple: CoupleID, opening document: Result<CoupleDocument, any Error>
    ) {
        do {
            guard try !confirmPhrase(of: couple, opening: document.get()) else { return }
            Diagnostics.warn(
                "\(couple.text) got a newer recovery phrase while this one was shown: keep the newer one")
        } catch {
            Diagnostics.warn(
                "the vault does not remember that you have the phrase: \(CLIError(error).message)")
        }
    }
}

/// The change that brings a couple a new recovery phrase.
enum PhraseDeed {
    case made, paired, confirmed, rewrapped, rekeyed, accepted

    /// What the program says if a person stops it while it shows the phrase. The vault has the change already.
    fileprivate func stopped(_ couple: CoupleID, isKept: Bool) -> Interruption {
        let option = couple.option
        let way =
            isKept
            ? "closer-keys couple phrase \(option) shows the phrase"
            : "closer-keys couple rewrap \(option) makes another phrase"
        let (deed, again): (String, String?) =
            switch self {
            case .made: ("was made", nil)
            case .paired: ("was paired", nil)
            case .confirmed: ("was paired", "closer-keys pair confirm prints the grant again")
            case .rewrapped: ("got a new phrase", nil)
            case .rekeyed: ("was rekeyed", "closer-keys couple rekey prints the rekey again")
            case .accepted: ("was rekeyed", nil)
            }
        let lost = isKept ? "" : ", and its recovery phrase is not shown again"
        return Interruption(
            message: "couple \(couple.text) \(deed) before you stopped\(lost)",
            hint: again.map { "\($0), and \(way)" } ?? way)
    }
}

extension CLIError {
    init(phraseNotShown error: any Error, hint: String?) {
        self.init(
            .ioError,
            "the change was made, but its recovery phrase could not be shown: \(CLIError(error).message)",
            hint: hint)
    }
}
