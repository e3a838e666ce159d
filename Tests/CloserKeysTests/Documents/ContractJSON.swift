import CloserWire

@testable import CloserKeys

/// The table of contracts as JSON: what `vectors/contract/rules.json` has. `vectors/contract/README.md` explains it.
enum ContractJSON {
    static let all: JSONValue = [
        "version": .number(1),
        "maximumByteCount": .number(Double(DocumentKind.maximumByteCount)),
        "recognised": .array(DocumentKind.recognised.map { .string($0.rawValue) }),
        "code": texts(CodeCheck.allCases.map(\.rawValue)),
        "rules": .object(DocumentRule.allCases.map { .init($0.name, rule($0)) }),
        "kinds": .object(DocumentKind.allCases.map { .init($0.rawValue, kind($0)) }),
    ]

    // MARK: - Rules

    private static func rule(_ rule: DocumentRule) -> JSONValue {
        let form = rule.form
        return object([
            ("requirement", .string(rule.requirement)), ("pattern", form.pattern.map { .string($0) }),
            ("length", form.length.map(range)), ("bytes", list(form.bytes.map(range))),
            ("numbers", form.numbers.map { range(Int($0.lowerBound)...Int($0.upperBound)) }),
            ("texts", list(form.texts.map { .string($0) })), ("refused", list(form.refused.map(constant))),
            ("elements", form.elements.map(elements)), ("count", form.count.map(range)),
            ("code", list(form.code.map { .string($0.rawValue) })),
        ])
    }

    private static func constant(_ constant: JSONConstant) -> JSONValue {
        switch constant {
        case .text(let text): .string(text)
        case .number(let number): .number(Double(number))
        }
    }

    private static func elements(_ form: ElementForm) -> JSONValue {
        switch form {
        case .isTrue: ["constant": true]
        case .values(let rule): ["rule": .string(rule.name)]
        case .unique(let rule): ["rule": .string(rule.name), "unique": true]
        }
    }

    // MARK: - Kinds

    private static func kind(_ kind: DocumentKind) -> JSONValue {
        let contract = kind.contract
        return object([
            ("marks", .array(kind.marks.map(texts))), ("paths", list(contract.paths.map { .string($0) })),
            ("members", .array(contract.members.map { member($0, contract.writes) })),
            ("texts", contract.texts.map(textRules)),
            ("notInThread", list(contract.notInThread.map { .string($0) })),
            ("relations", list(contract.relations.map(relation))), ("writes", contract.writes.map(writes)),
        ])
    }

    private static func member(_ member: MemberRule, _ writes: WriteRules?) -> JSONValue {
        object([
            ("name", .string(member.name)),
            ("presence", .string("\(member.presence)")), ("type", .string(member.type.rawValue)),
            ("rules", texts(member.rules.map(\.name))), ("ofWrite", member.isOfWrite ? true : nil),
            ("create", writes.map { texts($0.creators.map(\.rawValue)) }),
            ("update", writes.map { texts(updates(of: member, $0).map(\.name)) }),
        ])
    }

    private static func updates(of member: MemberRule, _ writes: WriteRules) -> [UpdateRule] {
        writes.fixed.contains(member.name) ? [] : writes.updates.filter { $0.mayChange(member) }
    }

    private static func textRules(_ rules: TextRules) -> JSONValue {
        object([
            ("named", .object(rules.named.map { .init($0.name, .string($0.rule.name)) })),
            ("times", rules.hasTimes ? "At" : nil), ("tokens", rules.hasTokens ? "field" : nil),
            ("clearBefore", rules.isClearBefore ? "content" : nil),
        ])
    }

    private static func relation(_ relation: RelationRule) -> JSONValue {
        object([
            ("rule", .string(relation.rule.name)), ("member", .string(relation.member)),
            ("reads", texts(relation.reads)), ("ofWrite", relation.isOfWrite ? true : nil),
        ])
    }

    private static func writes(_ writes: WriteRules) -> JSONValue {
        object([
            ("create", texts(writes.creators.map(\.rawValue))),
            ("owner", writes.owner.map { .string($0) }),
            ("ofCouple", writes.isOfCouple ? true : nil),
            (
                "initially",
                writes.initiallyFalse.isEmpty ? nil : .object(writes.initiallyFalse.map { .init($0, false) })
            ),
            ("fixed", list(writes.fixed.map { .string($0) })),
            ("updates", .array(writes.updates.map(update))),
        ])
    }

    private static func update(_ update: UpdateRule) -> JSONValue {
        object([
            ("name", .string(update.name)), ("by", texts(update.writers.map(\.rawValue))),
            ("changes", texts(update.changes)),
            ("versions", update.versions.map { ["from": range($0.from), "to": range($0.to)] }),
            ("complete", update.complete.map { .string($0) }), ("empty", update.empty.map { .string($0) }),
            ("rises", update.rises.map { .string($0) }),
        ])
    }

    // MARK: - Values

    private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    private static func range(_ range: ClosedRange<Int>) -> JSONValue {
        .array([.number(Double(range.lowerBound)), .number(Double(range.upperBound))])
    }

    /// Nil for an empty list: the member is then left out.
    private static func list(_ values: [JSONValue]) -> JSONValue? { values.isEmpty ? nil : .array(values) }

    private static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { name, value in value.map { JSONValue.Member(name, $0) } })
    }
}

extension UpdateRule {
    fileprivate func mayChange(_ member: MemberRule) -> Bool {
        changes.contains { $0 == "*" || $0 == member.name || $0 == "\(member.name).<uid>" }
    }
}

// MARK: - As text

extension JSONValue {
    /// The value in lines of at most 120 characters, where that is possible.
    func lines(indentedBy count: Int = 0) -> String {
        let whole = String(decoding: bytes, as: UTF8.self)
        let margin = String(repeating: " ", count: count + 1)
        guard count + whole.count > 120 else { return whole }
        if let members {
            let parts = members.map {
                "\(margin)\(String(decoding: JSONValue.string($0.name).bytes, as: UTF8.self)): "
                    + $0.value.lines(indentedBy: count + 1)
            }
            return "{\n\(parts.joined(separator: ",\n"))\n\(margin.dropLast())}"
        }
        guard let array else { return whole }
        let parts = array.map { margin + $0.lines(indentedBy: count + 1) }
        return "[\n\(parts.joined(separator: ",\n"))\n\(margin.dropLast())]"
    }
}
