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
        try kind(input).parse(text.span, after: previous)
        return .object([])
    }

    static let write = VectorOperation(
        "document.write", file: "documents.json", group: "document",
        takes: "text previous? as? path? couple?",
        gives: ""
    ) { input in
        let kind = try kind(input)
        let write = try DocumentWrite(
            of: kind, at: try input.optionalText("path").map { try DocumentPath(parsing: $0, of: kind) },
            by: try input.optionalText("as").map { try UserID(parsing: $0) },
            replacing: try input.optionalText("previous")?.utf8,
            in: try input.optionalText("couple").map { try CoupleDocument(parsing: $0.utf8) })
        let text = try input.utf8("text")
        try write.check(text.span)
        return .object([])
    }

    private static func kind(_ input: VectorInput) throws -> DocumentKind {
        guard let kind = DocumentKind(rawValue: try input.text("document")) else {
            throw VectorInput.MemberFault(name: "document")
        }
        return kind
    }
}
