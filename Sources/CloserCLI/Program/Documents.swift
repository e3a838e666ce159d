internal import CloserKeys
internal import CloserVault
internal import CloserWire

// The JSON documents of the app's server.

extension Inputs {
    /// Reads a JSON document of the app's server and parses it. `noun` and `name` are what errors call it.
    mutating func document<Document>(
        _ path: String?, _ noun: String, called name: String? = nil,
        _ parse: ([UInt8]) throws(DocumentError) -> Document
    ) throws -> Document {
        let bytes = try bytes(path, maximumByteCount: Self.maximumDocumentByteCount)
        try FileKind.check(bytes.span, isDocument: noun)
        do { return try parse(bytes) } catch {
            throw CLIError(error, noun: noun, called: name)
        }
    }

    /// The most that a document may have: 1 MiB.
    static let maximumDocumentByteCount = DocumentKind.maximumByteCount
}

extension FileKind {
    /// Refuses a document of another kind before its rules are looked at. One kind may satisfy the rules of another, as an
    /// invite satisfies a couple's.
    static func check(_ bytes: Span<UInt8>, isDocument noun: String) throws {
        guard let kind = DocumentKind(rawValue: noun) else {
            preconditionFailure("no document is called \(noun)")
        }
        if let failure = CLIError(bytes, insteadOf: .document(kind)) { throw failure }
    }
}

extension CLIError {
    /// `noun` is the document's name in `closer-keys check`, `name` what the running command calls it, if that differs.
    init(_ error: DocumentError, noun: String, called name: String? = nil) {
        let words = error.words(of: name ?? noun)
        switch error {
        case .broken(let broken) where broken == [BrokenRule("encryptedAnswerKey", .present)]:
            self.init(AnswerError.noKeybox)
        case .broken where words.id == .malformed:
            self.init(words, hint: "closer-keys check --kind \(noun) names every rule that it breaks")
        case .broken, .notAnObject: self.init(words)
        }
    }
}
