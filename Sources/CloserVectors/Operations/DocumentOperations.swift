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
        let kind = try kind(input)
        let path = try input.optionalText("path").map { try DocumentPath(parsing: $0, of: kind) }
        let writer = try input.optionalText("as").map { try UserID(parsing: $0) }
        let (previous, couple) = (try input.optionalText("previous"), try input.optionalText("couple"))
        let write = try beside { () throws(DocumentError) in
            try DocumentWrite(
                of: kind, at: path, by: writer, replacing: previous?.utf8,
                in: try couple.map { (text) throws(DocumentError) in
                    try CoupleDocument(parsing: text.utf8)
                })
        }
        let text = try input.utf8("text")
        try write.check(DocumentReader(text.span, at: path), in: text.span)
        return .object([])
    }

    /// What is beside the document is malformed if it breaks a rule.
    private static func beside(
        _ read: () throws(DocumentError) -> DocumentWrite
    ) throws(DocumentError) -> DocumentWrite {
        do { return try read() } catch { throw .notAnObject }
    }

    private static func kind(_ input: VectorInput) throws -> DocumentKind {
        guard let kind = DocumentKind(rawValue: try input.text("document")) else {
            throw VectorInput.MemberFault(name: "document")
        }
        return kind
    }
}
