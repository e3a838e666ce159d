internal import CloserKeys
internal import CloserWire

/// The documents that the apps' server stores.
enum DocumentOperations {
    static let all = [check]

    static let check = VectorOperation(
        "document.check", file: "documents.json", group: "document", takes: "text previous?", gives: ""
    ) { input in
        guard let kind = DocumentKind(rawValue: try input.text("document")) else {
            throw VectorInput.MemberFault(name: "document")
        }
        let previous = try input.optionalText("previous").map { try CoupleDocument(parsing: $0.utf8) }
        try kind.parse(Array(try input.utf8("text")), after: previous)
        return .object([])
    }
}
