#if CommandLine
internal import CloserKeys
internal import CloserWire

/// What a document is checked for, as the options or the line of a batch say.
struct DocumentTerms: Sendable {
    /// What the document is; nil if its path or its members tell.
    let kind: DocumentKind?
    var path: DocumentPath?
    /// The user who writes; nil for the server.
    var writer: UserID?
    /// What the document replaces.
    var previous: [UInt8]?
    /// Whether who writes is asked, and not the document's form alone.
    var isWrite: Bool
    /// The couple to which the document belongs.
    var couple: CoupleDocument?
    let required: EncryptionVersion
    /// Whether the document is a part, to be merged into the previous one.
    let isPatch: Bool

    /// Judges a document.
    func verdict(on text: Span<UInt8>) throws -> DocumentVerdict {
        let kind = try chosenKind(of: text)
        if self.kind != nil, !isPatch { try FileKind.check(text, isDocument: kind.rawValue) }
        let write = try isWrite ? write(of: kind) : nil
        do throws(DocumentError) {
            guard isPatch else {
                try check(text, as: kind, write)
                return DocumentVerdict(kind: kind, broken: [])
            }
            let whole = try merged(text)
            try check(whole.span, as: kind, write)
            return DocumentVerdict(kind: kind, broken: [])
        } catch {
            guard case .broken(let rules) = error else {
                throw CLIError(error, noun: kind.rawValue, in: text)
            }
            return DocumentVerdict(kind: kind, broken: rules)
        }
    }

    private func check(
        _ text: Span<UInt8>, as kind: DocumentKind, _ write: DocumentWrite?
    ) throws(DocumentError) {
        if let write { return try write.check(text, requiring: required) }
        try kind.parse(text, after: nil, requiring: required, at: path, in: couple)
    }

    private func write(of kind: DocumentKind) throws -> DocumentWrite {
        do throws(DocumentError) {
            return try DocumentWrite(of: kind, at: path, by: writer, replacing: previous, in: couple)
        } catch {
            let (name, bytes) = ("previous \(kind.rawValue)", previous ?? [])
            throw CLIError(error, noun: kind.rawValue, called: name, in: bytes.span)
        }
    }

    private func merged(_ patch: Span<UInt8>) throws(DocumentError) -> [UInt8] {
        guard let patch = try? JSONValue(parsing: Array(copying: patch)), patch.members != nil,
            let before = try? JSONValue(parsing: previous ?? Array("{}".utf8))
        else { throw .notAnObject }
        return before.merging(patch: patch).bytes
    }

    // MARK: - The kind

    /// Named, recognised by its members or those before them, or the only one that is kept at the path.
    private func chosenKind(of text: Span<UInt8>) throws -> DocumentKind {
        if let kind {
            guard path?.kinds.contains(kind) ?? true else {
                throw CLIError(.usage, "a document of the kind \(kind.rawValue) has another path")
            }
            return kind
        }
        let found =
            isPatch ? previousKind ?? kindResembling(text) : kindResembling(text) ?? previousKind
        guard let path else { return try found ?? unknown(text) }
        // An invite satisfies the rules of a couple: what looks like another kind is refused.
        if let found { return try path.kinds.contains(found) ? found : unknown(text) }
        guard path.namesItsKind else { return try unknown(text) }
        return path.kinds[0]
    }

    private var previousKind: DocumentKind? { previous.flatMap { kindResembling($0.span) } }

    private func kindResembling(_ text: Span<UInt8>) -> DocumentKind? {
        DocumentKind(
            resembling: text.extracting(Inputs.textRange(of: text)), wanted: path?.kinds.first)
    }

    private func unknown(_ text: Span<UInt8>) throws -> DocumentKind {
        if FileKind(text) == .firestore, let failure = CLIError(text, insteadOf: .couple) { throw failure }
        throw CLIError(
            .malformed, "this looks like no document of an app's server", hint: "say what it is with --kind")
    }
}

/// What became of a check.
struct DocumentVerdict {
    let kind: DocumentKind
    let broken: [BrokenRule]

    /// The result of a line, and of `--json`.
    var members: [JSONValue.Member] {
        let rules = broken.map { rule -> JSONValue in
            [
                "rule": .string(rule.id), "member": .string(rule.member),
                "requirement": .string(rule.rule.requirement),
            ]
        }
        return [
            .init("document", .string(kind.rawValue)), .init("valid", .bool(broken.isEmpty)),
            .init("broken", .array(rules)),
        ]
    }
}
#endif
