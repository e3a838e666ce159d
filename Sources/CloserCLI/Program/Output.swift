internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

/// Where a result goes, and how.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Write the result to this file, whole or not at all; - is standard output, even for binary data on a terminal.",
            valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Replace an existing output file.")
    var force = false

    @Flag(help: "Print one JSON object that describes the result, or the error.")
    var json = false

    // The program looks for it itself, before the arguments are parsed.
    @Flag(
        help: """
            Write no notes and no advice to standard error.
            """)
    var quiet = false

    /// The file that is named; nil for standard output.
    var file: String? { output == "-" ? nil : output }

    /// For a note that says where a result is to go: the file that has it, or else what it is.
    func named(_ noun: String) -> String { file ?? "the \(noun)" }

    /// Refuses an output that is there, as the arguments name it: otherwise a passphrase would be asked for in vain. Where two
    /// arguments name the same file, that is the fault to tell.
    static func refuseExisting() throws {
        let path = ProcessArguments.value(of: "--output") ?? ProcessArguments.value(of: "-o")
        guard let path, path != "-", !ProcessArguments.have("--force"), Paths.isRegular(path),
            ProcessArguments.texts.count(where: { $0 == path }) == 1
        else { return }
        throw FileError.exists(path: path)
    }

    /// Refuses what can be refused before anything is read or asked: a secret in JSON, bytes for a terminal, a file that
    /// is there. Opening the ``Output`` refuses the same once more, and what takes the place of an input.
    func check(_ kind: OutputKind) throws {
        guard let file else {
            if json, kind.isSecret { throw Output.noSecretInJSON }
            _ = try TerminalGate(of: self, kind)
            return
        }
        guard force || !Paths.isRegular(file) else { throw FileError.exists(path: file) }
    }
}

/// How a verb reports what it did, on standard output alone.
struct BriefOptions: ParsableArguments {
    @Flag(help: "Print one JSON object that says what was done, or the error.") var json = false
    @Flag(help: "Write no notes and no advice to standard error.") var quiet = false
}

/// The way out of the program: a file, or standard output.
///
/// Open it before a change that is final: opening refuses what can be refused before there is a result. A file appears
/// under its name only when its content is whole; standard output shows each part at once.
struct Output: ~Copyable, Sendable {
    /// Nil for standard output.
    private let path: String?
    /// Nil for standard output.
    private var file: AtomicFile?
    private let kind: OutputKind
    private let json: Bool
    /// Keeps binary data from a terminal; nil where everything may pass.
    private var gate: TerminalGate?
    /// Whether a person sees what is written.
    let isTerminal: Bool
    /// Whether each part can be seen before the last one is written.
    private let isDirect: Bool
    private(set) var byteCount = 0
    /// Whether it becomes a file: a stream is written directly.
    var isFile: Bool { path != nil && !isDirect }

    init(_ options: OutputOptions, _ kind: OutputKind, inputs: Inputs) throws {
        (self.kind, json, path) = (kind, options.json, options.file)
        guard let path = options.file else {
            if json, kind.isSecret { throw Self.noSecretInJSON }
            gate = try TerminalGate(of: options, kind)
            (isTerminal, isDirect) = (Descriptor.standardOutput.isTerminal, true)
            file = nil
            return
        }
        let file = try Self.file(path, replacing: options.force, inputs)
        gate = file.isTerminal ? try TerminalGate(for: kind) : nil
        (isTerminal, isDirect) = (file.isTerminal, file.isDirect)
        self.file = consume file
    }

    /// Standard output, for a line or a few.
    init(_ options: BriefOptions) {
        (kind, json, path, gate) = (.line, options.json, nil, nil)
        (isTerminal, isDirect) = (Descriptor.standardOutput.isTerminal, true)
        file = nil
    }

    private static func file(_ path: String, replacing: Bool, _ inputs: Inputs) throws -> AtomicFile {
        if replacing { try KnownVaults.ours?.checkMayReplace(path) }
        let file = try AtomicFile(path, replacing: replacing, notReplacing: inputs.claims)
        var inputs = inputs
        if !file.isDirect { inputs.warnIfOthersCanWrite(file.folder) }
        return file
    }

    /// A file of its own, which another option than `-o` names. It may be a terminal.
    init(file path: String, _ kind: OutputKind, replacing: Bool = false, inputs: Inputs = Inputs()) throws {
        (self.kind, json, self.path, gate) = (kind, false, path, nil)
        let file = try Self.file(path, replacing: replacing, inputs)
        (isTerminal, isDirect) = (file.isTerminal, file.isDirect)
        self.file = consume file
    }

    /// One more file beside the result, if one is named. The file is claimed.
    static func beside(
        _ options: OutputOptions, _ path: String?, _ kind: OutputKind, inputs: inout Inputs
    ) throws -> Output? {
        guard let path else { return nil }
        var options = options
        (options.output, options.json) = (path, false)
        let beside = try Output(options, kind, inputs: inputs)
        inputs.claim(beside, at: path)
        return beside
    }

    /// Whether a reader may have seen a part already.
    var hasShownPart: Bool { isDirect && byteCount > 0 }

    /// False where the result appears on the same terminal, and for a script that asks for JSON.
    var allowsProgress: Bool { !isTerminal && !json }
}

// MARK: - A result in one piece

extension Output {
    /// Gives the result: into the file, onto standard output, or as `name` in a JSON object with `details`.
    consuming func deliver(
        _ bytes: Span<UInt8>, named name: String, details: [JSONValue.Member] = []
    ) throws {
        guard path != nil || !json else {
            return try Self.print(.object([try kind.member(name, bytes)] + details))
        }
        try giveWhole(bytes)
        try describe(details)
    }

    consuming func deliver(_ bytes: [UInt8], named name: String, details: [JSONValue.Member] = []) throws {
        try deliver(bytes.span, named: name, details: details)
    }

    consuming func deliver(
        _ bytes: borrowing SecretBytes, named name: String, details: [JSONValue.Member] = []
    ) throws {
        guard path != nil || !json else {
            let member = try bytes.withBytes { try kind.member(name, $0) }
            return try Self.print(.object([member] + details))
        }
        try bytes.withBytes { try giveWhole($0) }
        try describe(details)
    }

    /// Gives text of ours, or in its place `object`; an empty text is no line at all.
    consuming func report(_ text: String, json object: @autoclosure () -> JSONValue) throws {
        let bytes = json ? object().printableBytes : Array(text.utf8)
        try give((bytes.isEmpty ? [] : bytes + [OutputKind.newline]).span)
    }

    /// Gives `members` as an object, or to a person one on each line.
    consuming func report(_ members: [JSONValue.Member]) throws {
        try report(members.lines, json: .object(members))
    }

    /// Writes a secret to a file, and then makes `change`, which the secret belongs to: if it was not made, the file is removed again. A
    /// stream gets the secret after the change, as a terminal does.
    consuming func deliver(
        _ secret: borrowing SecretBytes, before change: () throws -> Void
    ) throws {
        try secret.withBytes { bytes in
            try gate?.checkWhole(bytes)
            try kind.withEnding(bytes) { whole in
                guard let file = file.take() else { preconditionFailure("such a secret has a file") }
                guard !file.isDirect else {
                    try change()
                    return try file.write(whole)
                }
                try file.write(whole)
                var refusal: (any Error)?
                try file.commit {
                    do { try change() } catch {
                        guard VaultDeed.isRefused else { throw error }
                        refusal = error
                    }
                }
                if let refusal { throw refusal }
            }
        }
    }

    private mutating func giveWhole(_ bytes: Span<UInt8>) throws {
        try gate?.checkWhole(bytes)
        try kind.withEnding(bytes) { try give($0) }
    }

    /// In one piece: an interrupt leaves all of it or nothing.
    private mutating func give(_ whole: Span<UInt8>) throws {
        guard let file = file.take() else { return try Descriptor.standardOutput.write(whole) }
        try file.write(whole)
        do { try file.commit() } catch FileError.exists(let path) {
            // It appeared during this run, whose change may be made.
            throw FileError.cannotCreate(path: path, reason: "Another process has just made it")
        }
    }
}

// MARK: - A result in many pieces

extension Output {
    mutating func write(_ bytes: Span<UInt8>) throws {
        guard !bytes.isEmpty else { return }
        if let text = try gate?.text(bytes) { try put(text.span) } else { try put(bytes) }
        byteCount += bytes.count
    }

    mutating func write(_ bytes: [UInt8]) throws { try write(bytes.span) }

    /// Makes a file appear, and describes it with `details` where `--json` asks for that.
    consuming func finish(_ details: [JSONValue.Member] = []) throws {
        try gate?.checkEnd()
        if let file = file.take() { try file.commit() }
        try describe(details)
    }

    private func describe(_ details: [JSONValue.Member]) throws {
        guard json, let path else { return }
        try Self.print(.object(details + [.init("output", .string(path))]))
    }

    /// One object on a line of standard output.
    static func print(_ object: JSONValue) throws {
        try Descriptor.standardOutput.write((object.printableBytes + [OutputKind.newline]).span)
    }

    private func put(_ bytes: Span<UInt8>) throws {
        switch file {
        case .some(let file): try file.write(bytes)
        case .none: try Descriptor.standardOutput.write(bytes)
        }
    }

    fileprivate static let noSecretInJSON = CLIError(
        .inputRequired, "a secret is never put into JSON", hint: "name a file with -o")
}
