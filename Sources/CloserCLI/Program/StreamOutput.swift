internal import CloserFiles
internal import CloserSystem
internal import CloserWire

/// How much a finished stream was, and whose key it is.
struct StreamCounts {
    let keyID: UInt32
    let bytesIn: Int
    let bytesOut: Int
}

/// Where a result of any length goes piece by piece: a file that appears when it is whole, or what shows it at once.
struct StreamOutput: ~Copyable {
    private let options: OutputOptions
    /// Nil for standard output.
    private var file: SafeFile?
    private let isTerminal: Bool
    /// What keeps binary from a terminal; nil where there is none, or it is asked for.
    private var gate: TerminalGate?
    /// Whether what is written can be seen before the end.
    private let showsParts: Bool
    private(set) var byteCount = 0

    /// Opens the output, and refuses what can be refused before there is anything to write.
    init(_ options: OutputOptions, _ nature: Nature, inputs: Inputs) throws {
        self.options = options
        guard let path = options.output, path != "-" else {
            if options.json { throw Self.noStreamInJSON }
            try Self.refuseInput(.standardOutput, inputs)
            let isTerminal = Descriptor.standardOutput.isTerminal
            gate = try Self.gate(isTerminal && options.output == nil, nature, options)
            self.isTerminal = isTerminal
            showsParts = true
            file = nil
            return
        }
        let safe = try SafeFile(path, replacing: options.force, inputs: inputs.identities)
        gate = try Self.gate(safe.isTerminal, nature, options)
        isTerminal = safe.isTerminal
        showsParts = safe.isDirect
        file = consume safe
    }

    /// Whether somebody has seen a part already.
    var hasShownPart: Bool { showsParts && byteCount > 0 }

    /// A terminal that shows the result has no line to spare, and a script that asks for JSON does not look.
    var allowsProgress: Bool { !isTerminal && !options.json }

    mutating func write(_ bytes: Span<UInt8>) throws {
        guard !bytes.isEmpty else { return }
        guard gate == nil else {
            let text = try gate?.text(bytes) ?? []
            return try writeDirectly(text.span)
        }
        try writeDirectly(bytes)
    }

    private mutating func writeDirectly(_ bytes: Span<UInt8>) throws {
        switch file {
        case .some(let file): try file.write(bytes)
        case .none: try Descriptor.standardOutput.write(bytes)
        }
        byteCount += bytes.count
    }

    /// Makes a file appear, and describes it where that is asked for.
    consuming func finish(_ counts: StreamCounts) throws {
        try gate?.finish()
        guard let file = file.take() else { return }
        try file.commit()
        guard options.json else { return }
        let object: JSONValue = [
            "keyId": .number(Double(counts.keyID)), "bytesIn": .number(Double(counts.bytesIn)),
            "bytesOut": .number(Double(counts.bytesOut)), "output": .string(options.output ?? ""),
        ]
        try Descriptor.standardOutput.write((object.printableBytes + [UInt8(ascii: "\n")]).span)
    }

    /// A ciphertext is binary at its first byte; of a plaintext it is seen when it comes.
    private static func gate(
        _ isTerminal: Bool, _ nature: Nature, _ options: OutputOptions
    ) throws -> TerminalGate? {
        guard isTerminal else { return nil }
        guard nature == .verbatim else { throw OutputOptions.refusal(nature) }
        return TerminalGate(options: options)
    }

    /// The shell's `>>` to the file that is read: it would grow until the disk is full.
    private static func refuseInput(_ output: borrowing Descriptor, _ inputs: Inputs) throws {
        guard output.regularByteCount != nil, let identity = output.identity,
            inputs.identities.contains(identity)
        else { return }
        throw FileError.isInput(path: output.name)
    }

    private static let noStreamInJSON = Failure(
        .inputRequired, "a file's content is never put into JSON", hint: "name a file with -o")
}

/// Lets plain text through to a terminal, and refuses the rest.
struct TerminalGate {
    let options: OutputOptions
    /// A character that the last piece began and did not end.
    private var begun: [UInt8] = []

    init(options: OutputOptions) { self.options = options }

    /// The text so far that ends with a whole character.
    mutating func text(_ bytes: Span<UInt8>) throws -> [UInt8] {
        let all = begun + Array(copying: bytes)
        let whole = all.count - Self.unfinishedByteCount(all)
        begun = Array(all[whole...])
        let text = Array(all[..<whole])
        guard options.isPlainText(text.span) else { throw OutputOptions.refusal(.verbatim) }
        return text
    }

    func finish() throws {
        guard begun.isEmpty else { throw OutputOptions.refusal(.verbatim) }
    }

    /// How many bytes at the end begin a UTF-8 sequence that wants more.
    private static func unfinishedByteCount(_ bytes: [UInt8]) -> Int {
        let tail = bytes.suffix(3).reversed()
        guard let continuations = Array(tail).firstIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
        let lead = bytes[bytes.count - 1 - continuations]
        let wanted = (~lead).leadingZeroBitCount
        return wanted > continuations + 1 ? continuations + 1 : 0
    }
}
