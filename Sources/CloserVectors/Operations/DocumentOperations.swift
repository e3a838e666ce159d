internal import CloserKeys
internal import CloserWire

/// The documents that the apps' server stores.
enum DocumentOperations {
    static let all = [check, write]

    static let check = VectorOperation(
        "document.check", file: "documents.json", group: "document", takes: "text previous?", gives: ""
    ) { input in
        let previous = try input.optionalText("previous").map { try CoupleDocument(parsing: $0.utf8) }
        let text = try input.utf8("text")
        try kind(input).check(DocumentReader(text.span), in: text.span, after: previous?.version)
        return .object([])
    }

    static let write = VectorOperation(
        "document.write", file: "documents.json", group: "document",
        takes: "text previous? as? path? couple?",
        gives: ""
    ) { input in
        let (kind, text) = (try kind(input), try input.utf8("text"))
        let path = try input.optionalText("path").map { try DocumentPath(parsing: $0, of: kind) }
        let writer = try writer(input)
        let (previous, couple) = (try input.optionalText("previous"), try input.optionalText("couple"))
        let write = try beside { () throws(DocumentError) in
            try DocumentWrite(
                of: kind, at: path, by: writer ?? .server, replacing: previous?.utf8,
                in: try couple.map { (text) throws(DocumentError) in try CoupleDocument(parsing: text.utf8) })
        }
        let document = try DocumentReader(text.span, at: path)
        guard writer == nil else {
            try write.check(document, in: text.span)
            return .object([])
        }
        guard previous == nil else { throw UnfitBeside() }
        try kind.check(document, in: text.span, of: write.couple)
        return .object([])
    }

    /// What is beside the document is malformed if it breaks a rule.
    private struct UnfitBeside: IdentifiedError {
        var errorID: ErrorID { .malformed }
    }

    private static func beside(
        _ read: () throws(DocumentError) -> DocumentWrite
    ) throws(UnfitBeside) -> DocumentWrite {
        do { return try read() } catch { throw UnfitBeside() }
    }

    /// A user, or `$server`; nil asks for the form alone, which a document before does not.
    private static func writer(_ input: VectorInput) throws -> DocumentWrite.Writer? {
        guard let text = try input.optionalText("as") else { return nil }
        return text == "$server" ? .server : .user(try UserID(parsing: text))
    }

    private static func kind(_ input: VectorInput) throws -> DocumentKind {
        guard let kind = DocumentKind(rawValue: try input.text("document")) else {
            throw VectorInput.MemberFault(name: "document")
        }
        return kind
    }
}
