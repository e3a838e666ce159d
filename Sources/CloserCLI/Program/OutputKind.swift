internal import CloserFiles
internal import CloserPrimitives
internal import CloserWire

/// What a result is. This decides what a terminal may show of it, and how JSON holds it.
enum OutputKind {
    /// A token, or text of ours: one line.
    case line
    /// A plaintext: given back as it was, and refused on a terminal if it is binary.
    case verbatim
    /// A JSON document of ours: one line, and a value of its own within our JSON.
    case json
    /// A payload: JSON in canonical form, given back as it is.
    case payload
    /// A ciphertext in bytes.
    case binary
    /// A key, or what a keybox held: never on a terminal, never in our JSON.
    case secret
    /// A secret as one line of text.
    case secretLine

    var endsWithNewline: Bool { [.line, .json, .secretLine].contains(self) }
    var isSecret: Bool { self == .secret || self == .secretLine }

    static let newline = UInt8(ascii: "\n")

    /// Lends a result as it is given: a line with its newline.
    func withEnding<Result>(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        guard endsWithNewline else { return try body(bytes) }
        guard isSecret else { return try body(([UInt8](copying: bytes) + [Self.newline]).span) }
        return try SecretBytes(shortLived: bytes.count + 1) {
            for index in bytes.indices { $0.append(bytes[index]) }
            $0.append(Self.newline)
        }.withBytes(body)
    }

    /// The result as a member of our JSON: as JSON if it is some, else as text, else in base64.
    func member(_ name: String, _ bytes: Span<UInt8>) throws -> JSONValue.Member {
        precondition(!isSecret, "a secret is never put into JSON")
        if self == .json || self == .payload, let value = try? JSONValue(parsing: Array(copying: bytes)) {
            return .init(name, value)
        }
        if self != .binary, let text = String(validating: Array(copying: bytes), as: UTF8.self) {
            return .init(name, .string(text))
        }
        return .init("\(name)Base64", .string(Base64.standard.encode(bytes)))
    }
}

/// Lets plain text through to a terminal, and refuses everything else.
struct TerminalGate {
    private let kind: OutputKind
    /// The first bytes of an incomplete character.
    private var begun: [UInt8] = []

    /// Nil for what a terminal may always show. Throws for what it may not show.
    init?(for kind: OutputKind) throws {
        switch kind {
        case .line, .json: return nil
        case .verbatim, .payload: self.kind = kind
        case .binary, .secret, .secretLine: throw Self.refusal(kind)
        }
    }

    /// Nil where everything may pass: into a file or a pipe, for a person who says `-o -`, and as JSON, which escapes control
    /// characters.
    init?(of options: OutputOptions, _ kind: OutputKind) throws {
        guard Descriptor.standardOutput.isTerminal, options.output == nil, !options.json else { return nil }
        try self.init(for: kind)
    }

    /// The characters that are whole by now; the rest is kept until its other bytes come.
    mutating func text(_ bytes: Span<UInt8>) throws -> [UInt8] {
        let all = begun + Array(copying: bytes)
        let whole = all.count - Self.unfinishedByteCount(all)
        begun = Array(all[whole...])
        let text = Array(all[..<whole])
        try checkWhole(text.span)
        return text
    }

    /// Refuses a text whose last character was cut.
    func checkEnd() throws {
        guard begun.isEmpty else { throw Self.refusal(kind) }
    }

    /// Takes text that does nothing to a terminal but show: UTF-8 without control characters other than tab and newline,
    /// and without those that turn the direction of what follows.
    func checkWhole(_ bytes: Span<UInt8>) throws {
        guard let text = String(validating: Array(copying: bytes), as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0 == "\t" || $0 == "\n" || !$0.steersTerminal })
        else { throw Self.refusal(kind) }
    }

    static func refusal(_ kind: OutputKind) -> CLIError {
        CLIError(
            .inputRequired,
            "the result is \(kind.isSecret ? "secret" : "binary"), and standard output is a terminal",
            hint: "name a file with -o, or use -o - to print it on the terminal all the same")
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

extension [JSONValue.Member] {
    /// For a person: each on a line of its own, with texts unquoted.
    var lines: String {
        map {
            "\($0.name): \(($0.value.string ?? String(decoding: $0.value.bytes, as: UTF8.self)).plainLine)"
        }
        .joined(separator: "\n")
    }
}
