internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

/// Where a secret may come from: a file, which may be an open descriptor, a command, or the person at the terminal. Never an argument.
struct SecretSource {
    /// The name that its options begin with: `passphrase` for `--passphrase-file`.
    let option: String
    let file: String?
    /// A command of the shell that prints it: only of a vault's passphrase.
    var command: String? = nil
    /// Whether a person may be asked.
    let mayAsk: Bool
    /// The option that makes it needless, if there is one.
    var alternative: String?
    /// Whether people say it to each other: then it is shown while it is typed.
    var isSpoken = false

    static let maximumByteCount = 1024

    /// How often a person may type it.
    fileprivate static let maximumAttempts = 3

    var asks: Bool { file == nil && command == nil }
}

extension Inputs {
    /// A passphrase, phrase or code. One LF or CRLF at its end is cut off.
    mutating func passphrase(_ source: SecretSource, _ prompt: String) throws -> SecretBytes {
        guard source.file == nil || source.command == nil else {
            throw CLIError(.usage, "use either --\(source.option)-file or --\(source.option)-command")
        }
        let limit = CLIError(.limit, "the \(prompt) has more than \(SecretSource.maximumByteCount) bytes")
        let secret: SecretBytes
        do { secret = try typed(source, prompt) } catch FileError.tooLarge { throw limit }
        guard secret.count <= SecretSource.maximumByteCount else { throw limit }
        return secret
    }

    private mutating func typed(_ source: SecretSource, _ prompt: String) throws -> SecretBytes {
        if let command = source.command { return try firstLine(of: command, prompt) }
        guard let file = source.file else { return try ask(source, prompt) }
        let secret = try secret(file, maximumByteCount: SecretSource.maximumByteCount + 2)
        warnIfOpenToOthers(file)
        return secret.withoutFinalNewline()
    }

    /// What a command of the shell prints, up to the first newline. It goes from the pipe into locked memory.
    private func firstLine(of command: String, _ prompt: String) throws -> SecretBytes {
        let room = 64 * 1024
        let shell: ShellCommand
        do { shell = try ShellCommand(command) } catch {
            throw CLIError(.noInput, "the command for the \(prompt) cannot be started")
        }
        let printed: SecretBytes
        do { printed = try secret(from: shell, maximumByteCount: room) } catch FileError.tooLarge {
            throw CLIError(.limit, "the command for the \(prompt) prints more than \(room) bytes")
        }
        if let ending = shell.end() {
            throw CLIError(
                .noInput, "the command for the \(prompt) ended \(ending)",
                hint: "run it by itself: it prints the passphrase, and ends with exit code 0")
        }
        return printed.firstLine().withoutFinalNewline()
    }

    private func secret(from shell: borrowing ShellCommand, maximumByteCount: Int) throws -> SecretBytes {
        try secret(of: "the command's output", 4096, maximumByteCount: maximumByteCount) {
            (output) throws(FileError) in try shell.read(into: &output)
        }
    }

    /// Gives a passphrase to `open`, and returns its result. A person who types a wrong one may try again.
    mutating func passphrase<Opened: ~Copyable>(
        _ source: SecretSource, _ prompt: String, opening open: (consuming SecretBytes) throws -> Opened
    ) throws -> Opened {
        try retrying(source) { inputs in
            let typed = try inputs.passphrase(source, prompt)
            let isASCII = typed.isASCII
            do { return try open(typed) } catch  where CLIError(error).status == .authFailed {
                let error = isASCII ? CLIError(error) : CLIError(error).hinting(Self.otherSpelling)
                throw Slip(words: "it does not open with this passphrase", error: error)
            }
        }
    }

    private static let otherSpelling =
        "type it where it was first typed, or try the other spelling: an accent is a part of its letter, or a mark of its own behind it"

    /// A typing mistake: the person may try again.
    struct Slip: Error {
        let words: String
        /// What the run ends with if the input ends.
        let error: CLIError

        init(words: String, error: CLIError) { (self.words, self.error) = (words, error) }
        init(_ error: CLIError) { self.init(words: error.message, error: error) }
    }

    /// Runs `attempt`. A person at a prompt may slip twice and try again; a file is read only once. What is typed while an answer is
    /// tried stays hidden, too.
    mutating func retrying<Result: ~Copyable>(
        _ source: SecretSource, _ attempt: (inout Inputs) throws -> Result
    ) throws -> Result {
        guard source.asks, source.mayAsk, let terminal = Terminal.open() else { return try last(attempt) }
        return try terminal.hiding {
            for _ in 1..<SecretSource.maximumAttempts {
                do { return try attempt(&self) } catch let slip as Slip {
                    try terminal.show("\(slip.words), try again\n")
                }
            }
            return try last(attempt)
        }
    }

    private mutating func last<Result: ~Copyable>(
        _ attempt: (inout Inputs) throws -> Result
    ) throws -> Result {
        do { return try attempt(&self) } catch let slip as Slip { throw slip.error }
    }

    static func tell(_ text: String) { try? Terminal.open()?.show("\(text)\n") }

    func ask(_ source: SecretSource, _ prompt: String) throws -> SecretBytes {
        guard source.mayAsk, let terminal = Terminal.open() else {
            throw CLIError(
                .inputRequired,
                "cannot ask for the \(prompt) \(source.mayAsk ? "without a terminal" : "with --no-input")",
                hint: "use \(source.alternative.map { "\($0) or " } ?? "")--\(source.option)-file")
        }
        return try terminal.answer(to: prompt, hides: !source.isSpoken || !terminal.erases)
    }
}

extension Terminal {
    /// What is typed; what was shown of it is erased once it is complete.
    fileprivate func answer(to prompt: String, hides: Bool) throws -> SecretBytes {
        try SecretBytes(capacity: SecretSource.maximumByteCount + 1) { answer in
            let question = "\(prompt): ".plainLine
            let isTyped =
                hides
                ? try ask(question, into: &answer)
                : try erasing(Span()) { show in
                    try show()
                    return try ask(question, hides: false, into: &answer)
                }
            guard isTyped else { throw CLIError(.inputRequired, "no \(prompt) was typed") }
        }
    }
}

extension SecretBytes {
    /// These bytes up to the first LF, and with it.
    fileprivate func firstLine() -> SecretBytes {
        withBytes { bytes in
            let end = bytes.indices.first { bytes[$0] == UInt8(ascii: "\n") }
            return SecretBytes(copying: bytes.extracting(first: end.map { $0 + 1 } ?? bytes.count))
        }
    }

    /// Cuts off one LF or CRLF at the end.
    fileprivate func withoutFinalNewline() -> SecretBytes {
        withBytes { bytes in
            var count = bytes.count
            if count > 0, bytes[count - 1] == UInt8(ascii: "\n") { count -= 1 }
            if count > 0, count < bytes.count, bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
            return SecretBytes(copying: bytes.extracting(first: count))
        }
    }
}

/// Where the vault's passphrase comes from.
struct PassphraseOptions: ParsableArguments {
    @Option(file: "The vault's passphrase, from a file; by default $CLOSER_KEYS_PASSPHRASE_FILE.")
    var passphraseFile: String?
    @Option("A shell command that prints the passphrase as its first line.", value: "command")
    var passphraseCommand: String?
    @Flag(help: "Fail instead of asking.") var noInput = false

    var source: SecretSource {
        SecretSource(
            option: "passphrase", file: passphraseFile, command: passphraseCommand, mayAsk: !noInput)
    }

    /// For a vault that is there, the environment may name the file. A new passphrase never comes from there.
    var ofVault: SecretSource {
        get throws {
            guard !isGiven, let file = try Environment.setting("CLOSER_KEYS_PASSPHRASE_FILE") else {
                return source
            }
            return SecretSource(option: "passphrase", file: file, mayAsk: !noInput)
        }
    }

    var isGiven: Bool { passphraseFile != nil || passphraseCommand != nil }
}
