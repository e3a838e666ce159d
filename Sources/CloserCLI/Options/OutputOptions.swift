internal import ArgumentParser
internal import CloserPrimitives
internal import CloserSystem
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

/// What a result is, for what may be done with it.
enum Nature {
    /// A token, or text of ours: one line.
    case line
    /// A plaintext: given back as it was, refused on a terminal if it is binary.
    case verbatim
    /// A ciphertext in bytes.
    case binary
    /// A key, or what a keybox held: never on a terminal, never in our JSON.
    case secret
    /// The same as one line of text.
    case secretLine

    var endsWithNewline: Bool { self == .line || self == .secretLine }
    var isSecret: Bool { self == .secret || self == .secretLine }
}

extension OutputOptions {
    /// Gives the result to whoever asked: to the file, to standard output, or as `name` in a JSON object with `details`.
    func deliver(
        _ bytes: Span<UInt8>, _ nature: Nature, named name: String, details: [JSONValue.Member] = [],
        inputs: Inputs
    ) throws {
        if let file = output, file != "-" {
            try write(bytes, nature, to: file, inputs: inputs)
            if json { try print(.object(details + [.init("output", .string(file))])) }
        } else if json {
            try print(.object([try member(name, bytes, nature)] + details))
        } else {
            try refuseOnTerminal(bytes, nature)
            try write(bytes, nature, to: .standardOutput)
        }
    }

    /// Gives text of ours, or its JSON.
    func report(_ text: String, json object: @autoclosure () -> JSONValue, inputs: Inputs) throws {
        let bytes = json ? object().printableBytes : Array(text.utf8)
        guard let file = output, file != "-" else { return try write(bytes.span, .line, to: .standardOutput) }
        try write(bytes.span, .line, to: file, inputs: inputs)
    }

    private func print(_ value: JSONValue) throws {
        let bytes = value.printableBytes
        try write(bytes.span, .line, to: .standardOutput)
    }

    private func write(_ bytes: Span<UInt8>, _ nature: Nature, to path: String, inputs: Inputs) throws {
        let file = try SafeFile(path, replacing: force, inputs: inputs.identities)
        if file.isTerminal { try refuse(bytes, nature) }
        try file.write(bytes)
        if nature.endsWithNewline { try file.write([UInt8(ascii: "\n")].span) }
        try file.commit()
    }

    private func write(_ bytes: Span<UInt8>, _ nature: Nature, to descriptor: borrowing Descriptor) throws {
        try descriptor.write(bytes)
        if nature.endsWithNewline { try descriptor.write([UInt8(ascii: "\n")].span) }
    }

    private func refuseOnTerminal(_ bytes: Span<UInt8>, _ nature: Nature) throws {
        guard output != "-", Descriptor.standardOutput.isTerminal else { return }
        try refuse(bytes, nature)
    }

    /// Throws for what no terminal gets without `-o -`.
    private func refuse(_ bytes: Span<UInt8>, _ nature: Nature) throws {
        switch nature {
        case .line: return
        case .verbatim where isPlainText(bytes): return
        case .secret, .secretLine: throw Failure(.inputRequired, "this is secret", hint: Self.hint)
        case .verbatim, .binary: throw Failure(.inputRequired, "this is binary", hint: Self.hint)
        }
    }

    private static let hint = "name a file with -o, or use -o - to print it on the terminal all the same"

    private func member(_ name: String, _ bytes: Span<UInt8>, _ nature: Nature) throws -> JSONValue.Member {
        guard !nature.isSecret else {
            throw Failure(
                .inputRequired, "what is secret is never put into JSON", hint: "name a file with -o")
        }
        if nature != .binary, let text = String(validating: Array(copying: bytes), as: UTF8.self) {
            return .init(name, .string(text))
        }
        return .init("\(name)Base64", .string(Base64.standard.encode(bytes)))
    }

    /// Text that does nothing to a terminal but show: UTF-8 without control characters other than tab and newline, and
    /// without those that turn the direction of what follows.
    private func isPlainText(_ bytes: Span<UInt8>) -> Bool {
        guard let text = String(validating: Array(copying: bytes), as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A: true
            case 0x202A...0x202E, 0x2066...0x2069: false
            default: scalar.properties.generalCategory != .control
            }
        }
    }
}
