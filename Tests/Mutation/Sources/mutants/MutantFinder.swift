import SwiftSyntax

/// Finds what a mutant may change: operators, conditions, constants, labels, and statements that are there for their effect.
final class MutantFinder: SyntaxVisitor {
    private(set) var mutants: [Mutant] = []
    private let file: SourceFile

    init(_ file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    /// What each operator becomes. The other one takes the same operands and gives the same type.
    private static let operators: [Mutant.Kind: [String: String]] = [
        .comparison: [
            "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===",
        ],
        .arithmetic: [
            "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "&*": "&+", "<<": ">>",
            ">>": "<<",
            "&<<": "&>>", "&>>": "&<<", "&": "|", "|": "&", "^": "|", "+=": "-=", "-=": "+=", "|=": "&=",
            "^=": "|=",
        ],
        .logic: ["&&": "||", "||": "&&"],
    ]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            return .visitChildren
        }
        for (kind, others) in Self.operators {
            guard let other = others[symbol] else { continue }
            let left = node.leftOperand.trimmedDescription, right = node.rightOperand.trimmedDescription
            let changed = "\(left) \(other) \(right)"
            if symbol.hasSuffix("="), kind == .arithmetic {
                let both = "if # { \(changed) } else { \(node.trimmedDescription) }"
                mutants.append(Mutant(node, kind, after: changed, replacement: both, in: file))
            } else {
                mutants.append(.expression(node, kind, after: changed, in: file))
            }
        }
        return .visitChildren
    }

    /// The check is gone: whoever is guarded gets through, and what an `if` would have done is not done.
    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        guard case .expression(let condition) = node.condition else { return .visitChildren }
        let isGuard = node.parent?.parent?.is(GuardStmtSyntax.self) == true
        mutants.append(.expression(condition, .condition, after: isGuard ? "true" : "false", in: file))
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "!" {
            mutants.append(.expression(node, .negation, after: node.expression.trimmedDescription, in: file))
        }
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let other = node.literal.text == "true" ? "false" : "true"
        mutants.append(.expression(node, .constant, after: other, in: file))
        return .skipChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let value = node.representedLiteralValue, !isRoom(node) else { return .skipChildren }
        mutants.append(.expression(node, .constant, after: "\(value + 1)", in: file))
        return .skipChildren
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let text = node.representedLiteralValue, !text.isEmpty, node.openingQuote.text == "\"" else {
            return .visitChildren
        }
        // A raw text ends with number signs.
        let end = "\"\(node.closingPounds?.text ?? "")"
        let changed = node.trimmedDescription.dropLast(end.count) + "~\(end)"
        mutants.append(.expression(node, .label, after: String(changed), in: file))
        return .skipChildren
    }

    /// A statement whose value nobody uses. The only one of a block may be what the block gives.
    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .expr(let expression) = node.item,
            let block = node.parent?.as(CodeBlockItemListSyntax.self), block.count > 1
        else {
            return .visitChildren
        }
        if Self.isCall(expression), expression.as(FunctionCallExprSyntax.self).map(Self.isReservation) != true
        {
            let statement = expression.trimmedDescription
            mutants.append(
                Mutant(expression, .statement, after: "", replacement: "if !# { \(statement) }", in: file))
        }
        return .visitChildren
    }

    private static func isCall(_ expression: ExprSyntax) -> Bool {
        if let attempt = expression.as(TryExprSyntax.self) { return isCall(attempt.expression) }
        if let unsafety = expression.as(UnsafeExprSyntax.self) { return isCall(unsafety.expression) }
        return expression.is(FunctionCallExprSyntax.self)
    }

    // MARK: - What no test can notice

    /// How much memory is asked for beforehand.
    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        Self.isReservation(node) ? .skipChildren : .visitChildren
    }

    /// Whether an array keeps its memory.
    override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
        node.label?.text == "keepingCapacity" ? .skipChildren : .visitChildren
    }

    private static func isReservation(_ node: FunctionCallExprSyntax) -> Bool {
        let called = node.calledExpression
        let name = called.as(MemberAccessExprSyntax.self)?.declName ?? called.as(DeclReferenceExprSyntax.self)
        return name?.baseName.text == "reserveCapacity"
    }

    /// Whether it is a part of how much room something gets. With one byte more of it nothing changes; with too little,
    /// which is what the other operator gives, whoever writes there traps.
    private func isRoom(_ node: IntegerLiteralExprSyntax) -> Bool {
        sequence(first: Syntax(node), next: \.parent).contains { outer in
            if let argument = outer.as(LabeledExprSyntax.self) {
                return ["capacity", "addingCapacity"].contains(argument.label?.text)
            }
            let name = outer.as(PatternBindingSyntax.self).flatMap {
                $0.accessorBlock == nil ? nil : $0.pattern
            }
            return ["maximumByteCount", "maximumValueByteCount", "binaryRoom"].contains(
                name?.trimmedDescription)
        }
    }

    // Neither is part of what runs.

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        if let elements = node.elements { walk(elements) }
        return .skipChildren
    }
}
