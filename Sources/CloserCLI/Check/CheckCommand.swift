internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

struct CheckCommand: ParsableCommand, BatchVerb {
    static let lines = "document, with path, as, previous and couple, becomes valid and broken"
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say whether a document satisfies the server's rules.")

    @Argument(file: "The JSON document; standard input by default.") var file: String?
    @Option(help: "What the document is; by default what its path or its members say.")
    var kind: Named<DocumentKind>?
    @OptionGroup var write: WriteOptions
    @Option("The lowest version that a couple may have: 0, 1 or 2.", value: "n") var requireVersion: Int?
    @OptionGroup var batch: BatchOptions<CheckCommand>
    @OptionGroup(title: "Output options") var output: OutputOptions

    func run() throws {
        try write.check(isBatch: batch.jsonl)
        var inputs = try Inputs([.file(write.couple), .file(write.previous), .fileOrStandardInput(file)])
        let terms = try terms(&inputs)
        guard !batch.jsonl else { return try batch.check(file, terms, output, inputs: &inputs) }
        // It may be an invite, which is secret.
        let document = try inputs.secret(file, maximumByteCount: Inputs.maximumDocumentByteCount)
        if terms.path?.hasReservedID == true {
            Diagnostics.note(
                "the path has the id ., .. or __x__, which a server may refuse or take for another path")
        }
        let verdict = try document.withBytes { bytes in
            let verdict = try terms.verdict(on: bytes)
            if !write.patch, verdict.version == .plaintext {
                Diagnostics.warn("the document lacks a key, so this couple is not encrypted")
            }
            return verdict
        }
        try tell(verdict, inputs)
    }

    private func terms(_ inputs: inout Inputs) throws -> DocumentTerms {
        let couple = try inputs.couple(write.couple)
        let previous = try write.previous.map {
            try inputs.bytes($0, maximumByteCount: Inputs.maximumDocumentByteCount)
        }
        if let previous, FileKind(previous.span) == .firestore,
            let failure = CLIError(previous.span, insteadOf: .document(.couple))
        {
            throw failure
        }
        return DocumentTerms(
            kind: try impliedKind, path: try write.place, writer: try write.user, previous: previous,
            couple: couple, required: try required, isPatch: write.patch, alsoText: Set(write.alsoText))
    }

    /// Only a couple has a version.
    private var impliedKind: DocumentKind? {
        get throws {
            guard requireVersion != nil else { return kind?.value }
            guard kind.map({ $0.value == .couple }) ?? true else {
                throw CLIError(.usage, "--require-version is for a couple's document")
            }
            return .couple
        }
    }

    private var required: EncryptionVersion {
        get throws {
            guard let version = EncryptionVersion(rawValue: requireVersion ?? 0) else {
                throw CLIError(.usage, "--require-version takes 0, 1 or 2")
            }
            return version
        }
    }

    /// Prints the verdict, which is the result; if a rule is broken, the run ends with exit code 1.
    private func tell(_ verdict: DocumentVerdict, _ inputs: Inputs) throws {
        let lines = verdict.broken.map { "\($0.id): \($0.member) \($0.rule.requirement)".plainLine }
        try Output(output, .line, inputs: inputs).report(
            lines.isEmpty ? "ok" : lines.joined(separator: "\n"), json: .object(verdict.members))
        guard !lines.isEmpty else { return }
        throw CLIError.reported(
            "the \(verdict.kind.rawValue) document breaks \(lines.count == 1 ? "a rule" : "\(lines.count) rules")"
        )
    }
}

extension WriteOptions {
    fileprivate var place: DocumentPath? {
        get throws {
            guard let path else { return nil }
            do { return try DocumentPath(parsing: path) } catch {
                throw CLIError(.usage, "--path: \(error.words.message)", hint: error.words.advice)
            }
        }
    }

    fileprivate var user: DocumentWrite.Writer? {
        get throws {
            guard let writer else { return isByServer ? .server : nil }
            guard let user = try? UserID(parsing: writer) else {
                throw CLIError(.usage, "--as \(DocumentRule.identifier.requirement)")
            }
            return .user(user)
        }
    }
}

extension Inputs {
    fileprivate mutating func couple(_ path: String?) throws -> CoupleDocument? {
        guard let path else { return nil }
        return try document(path, "couple") { (bytes) throws(DocumentError) in
            try CoupleDocument(parsing: bytes)
        }
    }
}

extension DocumentKind: NamedValue {}
