package import CloserWire

/// Where a server keeps a document, such as `couples/couple_1`, by the paths of the contract (closer-keys-check(1), PATHS).
///
/// It says of which kinds the document can be, and has ids that the document may leave out.
public struct DocumentPath: Equatable, Sendable {
    /// The kinds that are kept there, in the order of ``DocumentKind``.
    public let kinds: [DocumentKind]
    /// The parts that vary, in order.
    let ids: [ID]
    /// Whether one kind alone is kept there. Below `users`, several apps keep documents of their own.
    package let namesItsKind: Bool

    /// A part that varies.
    struct ID: Equatable, Sendable {
        /// The name of the member that has the same id, such as `coupleId`.
        let name: String
        let text: String
    }

    /// The text is no path of the contract, or a part of it is no ``Identifier``.
    public struct FormatError: Error, Equatable, Sendable {}

    /// Reads a path without a slash at either end.
    ///
    /// - Throws: ``FormatError``.
    public init(parsing text: String) throws(FormatError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let template = PathTemplate.all.first(where: { $0.matches(parts) }) else { throw FormatError() }
        (kinds, namesItsKind) = (template.kinds, !template.isOfUsers && template.kinds.count == 1)
        ids = zip(template.parts, parts).compactMap { part, text in
            part.id.map { ID(name: $0, text: String(decoding: text, as: UTF8.self)) }
        }
    }

    /// Reads a path at which documents of a kind are kept.
    ///
    /// - Throws: ``FormatError``, also for a path of other kinds.
    public init(parsing text: String, of kind: DocumentKind) throws(FormatError) {
        try self.init(parsing: text)
        guard kinds.contains(kind) else { throw FormatError() }
    }

    /// Whether one of its ids is a name that servers use otherwise.
    package var hasReservedID: Bool { ids.contains { Identifier.isReserved($0.text) } }

    /// The id of a name; nil if the path has none.
    subscript(name: String) -> String? { ids.first { $0.name.hasSameBytes(as: name) }?.text }
}

/// A row of the grammar: `couples/{coupleId}`, and what is kept there.
private struct PathTemplate: Sendable {
    let kinds: [DocumentKind]
    let parts: [Part]

    var isOfUsers: Bool { parts.first?.text == Array("users".utf8) }

    struct Part: Sendable {
        let text: [UInt8]
        /// The name between the braces; nil for a part that is as it is.
        let id: String?

        init(_ text: Substring) {
            self.text = Array(text.utf8)
            id = text.hasPrefix("{") ? String(text.dropFirst().dropLast()) : nil
        }

        func matches(_ other: Substring.UTF8View) -> Bool {
            guard let id else { return other.elementsEqual(text) }
            guard id != "date" else { return DocumentRule.date.isSatisfied(by: String(Substring(other))) }
            return (1...Identifier.maximumCount).contains(other.count)
                && other.allSatisfy(Identifier.isAllowed)
        }
    }

    static let all: [PathTemplate] = {
        let paths = DocumentKind.allCases.flatMap(\.contract.paths)
        let unique = paths.indices.filter { !paths[..<$0].contains(paths[$0]) }.map { paths[$0] }
        return unique.map { path in
            PathTemplate(
                kinds: DocumentKind.allCases.filter { $0.contract.paths.contains(path) },
                parts: path.split(separator: "/").map(Part.init))
        }
    }()

    func matches(_ others: [Substring.UTF8View]) -> Bool {
        others.count == parts.count && zip(parts, others).allSatisfy { $0.matches($1) }
    }
}

extension DocumentPath.FormatError: WordedError {
    package var appWords: ErrorWords { ErrorWords(words.id, "this is no path of an app's document") }

    package var words: ErrorWords {
        ErrorWords(
            .malformed, "this is no path of an app's document, such as couples/couple_1",
            "closer-keys-check(1) lists the paths")
    }
}
