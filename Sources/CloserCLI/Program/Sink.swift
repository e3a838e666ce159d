internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserVault
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
            Write only errors to standard error, and warnings about what somebody else may have done to the vault.
            """)
    var quiet = false

    /// The file that is named; nil for standard output.
    var file: String? { output == "-" ? nil : output }

    /// Refuses what can be refused before anything is read or asked: a secret in JSON, bytes for a terminal, a file that
    /// is there. Opening the ``Sink`` refuses the same once more, and what takes the place of an input.
    func check(_ nature: Nature) throws {
        guard let file else {
            if json, nature.isSecret { throw Sink.noSecretInJSON }
            _ = try TerminalGate(of: self, nature)
            return
        }
        guard force || !SafeFile.isRegular(file) else { throw FileError.exists(path: file) }
    }
}

/// The way out of the program: a file, or standard output.
///
/// Opening it refuses what can be refused before there is a result, so open it before a change that cannot be undone. A
/// file appears under its name when its content is whole, and otherwise never; standard output shows each part at once.
struct Sink: ~Copyable, Sendable {
    /// Nil for standard output.
    private let path: String?
    /// Nil for standard output.
    private var file: SafeFile?
    private let nature: Nature
    private let json: Bool
    /// Keeps binary data from a terminal; nil where nothing is kept back.
    private var gate: TerminalGate?
    /// Whether a person sees what is written.
    let isTerminal: Bool
    /// Whether each part can be seen before the last one is written.
    private let isDirect: Bool
    private(set) var byteCount = 0
    /// What no other output of the run may replace: the file itself, what was in its place, and its name.
    let identity: FileIdentity?
    let replaced: [FileIdentity]

    init(_ options: OutputOptions, _ nature: Nature, inputs: Inputs) throws {
        (self.nature, json, path) = (nature, options.json, options.file)
        guard let path = options.file else {
            if json, nature.isSecret { throw Self.noSecretInJSON }
            gate = try TerminalGate(of: options, nature)
            (isTerminal, isDirect) = (Descriptor.standardOutput.isTerminal, true)
            (identity, replaced) = (nil, [])
            file = nil
            return
        }
        let file = try Self.file(path, replacing: options.force, inputs)
        gate = file.isTerminal ? try TerminalGate(for: nature) : nil
        (isTerminal, isDirect) = (file.isTerminal, file.isDirect)
        (identity, replaced) = (file.identity, file.replaced)
        self.file = consume file
    }

    /// Somebody who can write the folder above may have made its name a link to the vault's.
    private static func file(_ path: String, replacing: Bool, _ inputs: Inputs) throws -> SafeFile {
        let needed = replacing ? VaultMemories.ours?.needed ?? [] : []
        let claims = inputs.claims
        do {
            return try SafeFile(
                path, replacing: replacing, inputs: claims.identities + needed,
                sparing: { (file) throws(FileError) in try claims.spare(file) })
        } catch {
            guard error == .isInput(path: path), !inputs.holds(path) else { throw error }
            throw Failure(
                .inputRequired,
                "\(path) is a vault or a key file that this machine knows, or a copy of such a vault",
                hint: "write to another file; if this is neither any more, remove it, and leave out --force")
        }
    }

    /// A file of its own, which another option than `-o` names. It may be a terminal, whatever it gets.
    init(file path: String, _ nature: Nature, replacing: Bool = false, inputs: Inputs = Inputs()) throws {
        (self.nature, json, self.path, gate) = (nature, false, path, nil)
        let claims = inputs.claims
        let file = try SafeFile(
            path, replacing: replacing, inputs: claims.identities,
            sparing: { (file) throws(FileError) in try claims.spare(file) })
        (isTerminal, isDirect) = (file.isTerminal, file.isDirect)
        (identity, replaced) = (file.identity, file.replaced)
        self.file = consume file
    }

    /// One more file beside the result, if one is named. No other output of this run takes its place.
    static func beside(
        _ options: OutputOptions, _ path: String?, _ nature: Nature, inputs: inout Inputs
    ) throws -> Sink? {
        guard let path else { return nil }
        var options = options
        (options.output, options.json) = (path, false)
        let sink = try Sink(options, nature, inputs: inputs)
        inputs.claim(sink)
        return sink
    }

    /// Whether somebody has seen a part already.
    var hasShownPart: Bool { isDirect && byteCount > 0 }

    /// Nothing is given after a warning that was lost, and all that is to be told comes before the result.
    private static func checkTold() throws {
        ForeignChange.tell()
        WorkingFolder.tell()
        try Messages.checkTold()
    }

    /// Not where the result appears on the same terminal, nor for a script that asks for JSON.
    var allowsProgress: Bool { !isTerminal && !json }
}

// MARK: - A result in one piece

extension Sink {
    /// Gives the result: into the file, onto standard output, or as `name` in a JSON object with `details`.
    consuming func deliver(
        _ bytes: Span<UInt8>, named name: String, details: [JSONValue.Member] = []
    ) throws {
        try Self.checkTold()
        guard path != nil || !json else {
            return try Self.print(.object([try nature.member(name, bytes)] + details))
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
        try Self.checkTold()
        guard path != nil || !json else {
            let member = try bytes.withBytes { try nature.member(name, $0) }
            return try Self.print(.object([member] + details))
        }
        try bytes.withBytes { try giveWhole($0) }
        try describe(details)
    }

    /// Gives text of ours, or in its place `object`; an empty text is no line at all.
    consuming func report(_ text: String, json object: @autoclosure () -> JSONValue) throws {
        try Self.checkTold()
        let bytes = json ? object().printableBytes : Array(text.utf8)
        try give((bytes.isEmpty ? [] : bytes + [Nature.newline]).span)
    }

    /// Gives `members` as an object, or to a person one on each line.
    consuming func report(_ members: [JSONValue.Member]) throws {
        try report(members.lines, json: .object(members))
    }

    /// Gives a secret, and then makes `change`, without which it is worth nothing: if that fails, the file is removed again. Gives what
    /// has become of the file, as ``SafeFile/commit(whole:before:)``.
    consuming func deliver(
        _ secret: borrowing SecretBytes, before change: () throws -> Void
    ) throws -> FileError? {
        try Self.checkTold()
        return try secret.withBytes { bytes in
            try gate?.checkWhole(bytes)
            return try nature.withEnding(bytes) { whole in
                guard let file = file.take() else {
                    try Descriptor.standardOutput.write(whole)
                    try change()
                    return nil
                }
                return try file.commit(whole: whole, before: change)
            }
        }
    }

    private mutating func giveWhole(_ bytes: Span<UInt8>) throws {
        try gate?.checkWhole(bytes)
        try nature.withEnding(bytes) { try give($0) }
    }

    /// In one piece: an interrupt leaves all of it or nothing.
    private mutating func give(_ whole: Span<UInt8>) throws {
        guard let file = file.take() else { return try Descriptor.standardOutput.write(whole) }
        do { try file.commit(whole: whole) } catch FileError.exists(let path) {
            // It was not there when this began, and the change that it tells of may be made.
            throw FileError.cannotCreate(path: path, reason: "Somebody else made it meanwhile")
        }
    }
}

// MARK: - A result in many pieces

extension Sink {
    /// Writes one more part of the result.
    mutating func write(_ bytes: Span<UInt8>) throws {
        guard !bytes.isEmpty else { return }
        if byteCount == 0 { try Self.checkTold() }
        if let text = try gate?.text(bytes) { try put(text.span) } else { try put(bytes) }
        byteCount += bytes.count
    }

    mutating func write(_ bytes: [UInt8]) throws { try write(bytes.span) }

    /// Makes a file appear, and describes it with `details` where `--json` asks for that.
    consuming func finish(_ details: [JSONValue.Member] = []) throws {
        try Self.checkTold()
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
        try Descriptor.standardOutput.write((object.printableBytes + [Nature.newline]).span)
    }

    private func put(_ bytes: Span<UInt8>) throws {
        switch file {
        case .some(let file): try file.write(bytes)
        case .none: try Descriptor.standardOutput.write(bytes)
        }
    }

    fileprivate static let noSecretInJSON = Failure(
        .inputRequired, "a secret is never put into JSON", hint: "name a file with -o")
}
