internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserWire

/// Where a result goes, and how.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Write the result to this file, whole or not at all; - is standard output, also for binary on a terminal.",
            valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Replace an existing output file.")
    var force = false

    @Flag(help: "Print one JSON object that describes the result, or the error.")
    var json = false
}

extension OutputOptions {
    /// Gives the result to whoever asked: to the file, to standard output, or as `name` in a JSON object with `details`.
    func deliver(
        _ bytes: Span<UInt8>, _ nature: Nature, named name: String, details: [JSONValue.Member] = [],
        inputs: Inputs
    ) throws {
        try prepare(nature, inputs: inputs).deliver(bytes, named: name, details: details)
    }

    /// Opens the output, and refuses what can be refused before there is a result: so a change that gives one can be
    /// made after it.
    func prepare(_ nature: Nature, inputs: Inputs) throws -> PreparedOutput {
        guard let file = output, file != "-" else {
            if json, nature.isSecret { throw Self.noSecretInJSON }
            if !json, nature.isNeverShown { try refuseTerminal(nature) }
            return PreparedOutput(options: self, nature: nature, file: nil)
        }
        let safe = try SafeFile(file, replacing: force, inputs: inputs.identities)
        if safe.isTerminal, nature.isSecret { throw Self.refusal(nature) }
        return PreparedOutput(options: self, nature: nature, file: safe)
    }

    /// Refuses to show on the terminal what it gets with `-o -` only.
    func refuseTerminal(_ nature: Nature) throws {
        if output != "-", Descriptor.standardOutput.isTerminal { throw Self.refusal(nature) }
    }

    /// Opens one more file, if one is named: it says nothing on standard output, and no other output takes its place.
    func prepare(
        besides path: String?, _ nature: Nature, inputs: inout Inputs
    ) throws -> PreparedOutput? {
        guard let path else { return nil }
        var options = self
        (options.output, options.json) = (path, false)
        let prepared = try options.prepare(nature, inputs: inputs)
        inputs.claim([path])
        return prepared
    }

    /// Gives text of ours, or its JSON.
    func report(_ text: String, json object: @autoclosure () -> JSONValue, inputs: Inputs) throws {
        try prepare(.line, inputs: inputs).report(text, json: object())
    }

    func print(_ value: JSONValue) throws {
        let bytes = value.printableBytes
        try write(bytes.span, .line, to: .standardOutput)
    }

    func write(
        _ bytes: Span<UInt8>, _ nature: Nature, into file: borrowing SafeFile
    ) throws {
        if file.isTerminal { try refuse(bytes, nature) }
        try file.write(bytes)
        if nature.endsWithNewline { try file.write([UInt8(ascii: "\n")].span) }
    }

    func write(
        _ bytes: Span<UInt8>, _ nature: Nature, to descriptor: borrowing Descriptor
    ) throws {
        guard nature.endsWithNewline else { return try descriptor.write(bytes) }
        let newline = [UInt8(ascii: "\n")]
        guard !nature.isSecret else {
            try descriptor.write(bytes)
            return try descriptor.write(newline.span)
        }
        // In one piece: who is interrupted leaves the line or nothing.
        let line = [UInt8](copying: bytes) + newline
        try descriptor.write(line.span)
    }

    func refuseOnTerminal(_ bytes: Span<UInt8>, _ nature: Nature) throws {
        guard output != "-", Descriptor.standardOutput.isTerminal else { return }
        try refuse(bytes, nature)
    }

    /// Throws for what no terminal gets without `-o -`.
    private func refuse(_ bytes: Span<UInt8>, _ nature: Nature) throws {
        switch nature {
        case .line, .json: return
        case .verbatim, .payload: if !isPlainText(bytes) { throw Self.refusal(nature) }
        default: throw Self.refusal(nature)
        }
    }

    static func refusal(_ nature: Nature) -> Failure {
        Failure(
            .inputRequired, nature.isSecret ? "this is secret" : "this is binary",
            hint: "name a file with -o, or use -o - to print it on the terminal all the same")
    }

    private static let noSecretInJSON = Failure(
        .inputRequired, "what is secret is never put into JSON", hint: "name a file with -o")

    func member(
        _ name: String, _ bytes: Span<UInt8>, _ nature: Nature
    ) throws -> JSONValue.Member {
        guard !nature.isSecret else { throw Self.noSecretInJSON }
        if nature == .json || nature == .payload, let value = try? JSONValue(parsing: bytes) {
            return .init(name, value)
        }
        if nature != .binary, let text = String(validating: Array(copying: bytes), as: UTF8.self) {
            return .init(name, .string(text))
        }
        return .init("\(name)Base64", .string(Base64.standard.encode(bytes)))
    }

    /// Text that does nothing to a terminal but show: UTF-8 without control characters other than tab and newline, and
    /// without those that turn the direction of what follows.
    func isPlainText(_ bytes: Span<UInt8>) -> Bool {
        guard let text = String(validating: Array(copying: bytes), as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { $0 == "\t" || $0 == "\n" || !$0.steersTerminal }
    }
}
