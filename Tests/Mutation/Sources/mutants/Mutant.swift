import SwiftSyntax

/// One change of a source file: the bytes from `start` to `end` give way to `replacement`.
///
/// In the replacement, `#` stands for the condition that this mutant is the chosen one: it is the expression that was there, and
/// what it becomes, in one. So all mutants of a sample are built at once.
struct Mutant: Encodable {
    let file: String
    let line: Int
    let start: Int
    let end: Int
    let kind: Kind
    let before: String
    let after: String
    let replacement: String

    enum Kind: String, Encodable {
        case comparison, arithmetic, logic, condition, negation, constant, label, statement
    }
}

extension Mutant {
    /// `isEnough: #` decides between `after` and what `node` is now.
    static func expression(_ node: some SyntaxProtocol, _ kind: Kind, after: String, in file: SourceFile)
        -> Mutant
    {
        let before = node.trimmedDescription
        return Mutant(node, kind, after: after, replacement: "(# ? (\(after)) : (\(before)))", in: file)
    }

    init(_ node: some SyntaxProtocol, _ kind: Kind, after: String, replacement: String, in file: SourceFile) {
        self.file = file.name
        line = file.converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        end = node.endPositionBeforeTrailingTrivia.utf8Offset
        self.kind = kind
        before = node.trimmedDescription
        self.after = after
        self.replacement = replacement
    }
}

/// A file of the tree, by its path there.
struct SourceFile {
    let name: String
    let converter: SourceLocationConverter
}
