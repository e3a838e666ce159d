#if CommandLine
internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say whether a JSON document satisfies the server's rules.")

    @Argument(
        help: ArgumentHelp("The JSON document; standard input by default.", valueName: "file"),
        completion: .file())
    var file: String?
    @Option(help: "What the document is; by default what it looks like.") var kind: Named<DocumentKind>?
    @Option(
        help: ArgumentHelp(
            "The couple's document that was stored before; the new one must not lower the encryption version.",
            valueName: "file"),
        completion: .file())
    var previous: String?
    @Option(
        help: ArgumentHelp(
            "The lowest encryption version that a couple may have: 0, 1 or 2.", valueName: "version"))
    var requireVersion: Int?
    @OptionGroup(title: "Output options") var output: OutputOptions

    func run() throws {
        var inputs = try Inputs([.file(previous), .fileOrStandardInput(file)])
        let before = try previous.map { path in
            try inputs.document(path, "couple", called: "previous couple") {
                (bytes) throws(DocumentError) in try CoupleDocument(parsing: bytes)
            }
        }
        // It may be an invite, which is secret.
        let document = try inputs.secret(file, maximumByteCount: Inputs.maximumDocumentByteCount)
        let required = try required
        // Only a couple has a document before it, and a version.
        let found = before == nil && required == nil ? nil : DocumentKind.couple
        let kind = try kind?.value ?? found ?? document.withBytes { try Self.kind(of: $0) }
        guard before == nil || kind == .couple else {
            throw CLIError(.usage, "--previous is for a couple's document")
        }
        guard required == nil || kind == .couple else {
            throw CLIError(.usage, "--require-version is for a couple's document")
        }
        try document.withBytes { try FileKind.check($0, isDocument: kind.rawValue) }
        try tell(
            kind, try Self.brokenRules(in: document, of: kind, after: before, requiring: required), inputs)
    }

    private var required: EncryptionVersion? {
        get throws {
            guard let requireVersion else { return nil }
            guard let version = EncryptionVersion(rawValue: requireVersion) else {
                throw CLIError(.usage, "--require-version takes 0, 1 or 2")
            }
            return version
        }
    }

    private static func kind(of bytes: Span<UInt8>) throws -> DocumentKind {
        if let kind = DocumentKind(resembling: bytes.extracting(Inputs.textRange(of: bytes))) { return kind }
        if FileKind(bytes) == .firestore, let failure = CLIError(bytes, insteadOf: .couple) { throw failure }
        throw CLIError(
            .malformed, "this does not look like a document that an app's server stores",
            hint: "say what it is with --kind")
    }

    private static func brokenRules(
        in document: borrowing SecretBytes, of kind: DocumentKind, after before: CoupleDocument?,
        requiring required: EncryptionVersion?
    ) throws -> [BrokenRule] {
        do throws(DocumentError) {
            guard kind != .invite else {
                _ = try InviteDocument(parsing: document)
                return []
            }
            let bytes = document.withBytes { [UInt8](copying: $0) }
            try kind.parse(bytes, after: before, requiring: required ?? .plaintext)
            if kind == .couple, try CoupleDocument(parsing: bytes).wrap == nil {
                Diagnostics.warn("the document lacks a key, so this couple is not encrypted")
            }
            return []
        } catch {
            guard case .broken(let rules) = error else {
                throw document.withBytes { CLIError(error, noun: kind.rawValue, in: $0) }
            }
            return rules
        }
    }

    /// Prints the verdict, which is the result; if a rule is broken, the run ends with exit code 1.
    private func tell(_ kind: DocumentKind, _ broken: [BrokenRule], _ inputs: Inputs) throws {
        let rules = broken.map { rule -> JSONValue in
            [
                "rule": .string(rule.id), "member": .string(rule.member),
                "requirement": .string(rule.rule.requirement),
            ]
        }
        let lines = broken.map { "\($0.id): \($0.member) \($0.rule.requirement)" }
        try Output(output, .line, inputs: inputs).report(
            lines.isEmpty ? "ok" : lines.joined(separator: "\n"),
            json: [
                "document": .string(kind.rawValue), "valid": .bool(broken.isEmpty), "broken": .array(rules),
            ])
        guard !broken.isEmpty else { return }
        throw CLIError.reported(
            "the \(kind.rawValue) document breaks \(broken.count == 1 ? "a rule" : "\(broken.count) rules")")
    }
}

extension DocumentKind: NamedValue {}
#endif
