internal import CloserKeys
internal import CloserWire

/// What a document is checked for, as the options or the line of a batch say.
struct DocumentTerms: Sendable {
    /// What the document is; nil if its path or its members tell.
    let kind: DocumentKind?
    var path: DocumentPath?
    /// Who writes; nil if the form alone is asked.
    var writer: DocumentWrite.Writer?
    var previous: [UInt8]?
    var couple: CoupleDocument?
    let required: EncryptionVersion
    /// Whether the document is a part, to be merged into the previous one.
    let isPatch: Bool
    /// Members that may hold text in the clear.
    let alsoText: Set<String>

    /// The error for a user who is said to write a document that names no writer: wrong usage of an option, or a malformed line.
    var refusal: ErrorID = .usage

    func verdict(on text: Span<UInt8>) throws -> DocumentVerdict {
        let read = Result { () throws(DocumentError) in
            try DocumentReader(text, at: path, of: self.kind)
        }
        let document = try? read.get()
        let kind = try chosenKind(of: document, text)
        // A document that looks like the kind it is called needs no second look.
        if self.kind != nil, !isPatch, document?.kind(wanted: kind) != kind {
            try FileKind.check(text, isDocument: kind.rawValue)
        }
        let write = try writer.map { try self.write(of: kind, by: $0) }
        do throws(DocumentError) {
            guard isPatch else { return try verdict(on: read.get(), in: text, as: kind, write) }
            let whole = try merged(text)
            let document = try DocumentReader(whole.span, at: path)
            return try verdict(on: document, in: whole.span, as: kind, write)
        } catch {
            guard case .broken(let rules) = error else {
                throw CLIError(error, noun: kind.rawValue)
            }
            return DocumentVerdict(kind: kind, version: nil, broken: rules)
        }
    }

    private func verdict(
        on document: DocumentReader, in text: Span<UInt8>, as kind: DocumentKind, _ write: DocumentWrite?
    ) throws(DocumentError) -> DocumentVerdict {
        let version =
            if let write {
                try write.check(document, in: text, requiring: required)
            } else {
                try kind.check(document, in: text, requiring: required, of: couple, alsoText: alsoText)
            }
        return DocumentVerdict(kind: kind, version: version, broken: [])
    }

    private func write(of kind: DocumentKind, by writer: DocumentWrite.Writer) throws -> DocumentWrite {
        if case .user = writer, !kind.namesItsWriter {
            throw CLIError(refusal, "a \(kind.rawValue) names no writer")
        }
        do throws(DocumentError) {
            return try DocumentWrite(
                of: kind, at: path, by: writer, replacing: previous, in: couple, alsoText: alsoText)
        } catch {
            throw CLIError(error, noun: kind.rawValue, called: "previous \(kind.rawValue)")
        }
    }

    private func merged(_ patch: Span<UInt8>) throws(DocumentError) -> [UInt8] {
        do throws(JSONFault) {
            let before = try JSONValue.members(of: previous ?? Array("{}".utf8))
            let patch = try JSONValue.members(of: Array(copying: patch))
            return JSONValue.object(before).merging(patch: .object(patch)).bytes
        } catch { throw .notAnObject(error) }
    }

    // MARK: - The kind

    /// Named, recognised by its members or those before them, or the only one that is kept at the path.
    private func chosenKind(of document: DocumentReader?, _ text: Span<UInt8>) throws -> DocumentKind {
        if let kind {
            guard path?.kinds.contains(kind) ?? true else {
                throw CLIError(.usage, "a document of the kind \(kind.rawValue) has another path")
            }
            return kind
        }
        let found = isPatch ? previousKind ?? looks(document) : looks(document) ?? previousKind
        guard let path else { return try found ?? unknown(text) }
        // An invite satisfies the rules of a couple: what looks like another kind is refused.
        if let found { return try path.kinds.contains(found) ? found : unknown(text) }
        guard path.namesItsKind else { return try unknown(text) }
        return path.kinds[0]
    }

    private var previousKind: DocumentKind? { previous.flatMap { looks(try? DocumentReader($0.span)) } }

    private func looks(_ document: DocumentReader?) -> DocumentKind? {
        document?.kind(wanted: path?.kinds.first)
    }

    private func unknown(_ text: Span<UInt8>) throws -> DocumentKind {
        if FileKind(text) == .firestore, let failure = CLIError(text, insteadOf: .document(.couple)) {
            throw failure
        }
        throw CLIError(
            .malformed, "this looks like no document of an app's server", hint: "say what it is with --kind")
    }
}

struct DocumentVerdict {
    let kind: DocumentKind
    /// The version of a couple that breaks no rule.
    let version: EncryptionVersion?
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
