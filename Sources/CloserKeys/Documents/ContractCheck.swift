internal import CloserPrimitives
internal import CloserWire

// The check of shapes: a document against the rows of its contract, without a key.
extension DocumentContract {
    /// The rules of its form that a document breaks: those of its members, in the order of the rows, then those between members.
    /// A phone passes over the rules of the write.
    func brokenForm(
        of document: DocumentReader, in bytes: Span<UInt8>, isWrite: Bool = false
    ) -> [BrokenRule] {
        var broken = members.filter { isWrite || !$0.isOfWrite }.compactMap { row in
            document.brokenRule(of: row, in: bytes).map { BrokenRule(row.name, $0) }
        }
        for relation in relations where isWrite || !relation.isOfWrite {
            let isReadable = !broken.contains { relation.reads.contains($0.member) }
            guard isReadable, case .members(let holds) = relation.rule.check, !holds(document, bytes) else {
                continue
            }
            broken.append(BrokenRule(relation.member, relation.rule))
        }
        return broken
    }

    /// The rules that the write of a document breaks. The rules of its path come last.
    func broken(
        by document: DocumentReader, in bytes: Span<UInt8>, of couple: CoupleDocument?, alsoText: Set<String>
    ) -> [BrokenRule] {
        var broken = brokenForm(of: document, in: bytes, isWrite: true)
        if let texts, !(texts.isClearBefore && couple?.version == .plaintext) {
            broken += texts.broken(by: document, besides: names.union(alsoText), in: bytes)
        }
        let ids = document.path?.ids ?? []
        for id in ids where !document.agrees(with: id, in: bytes) {
            let isTold = broken.contains { $0.member.hasSameBytes(as: id.name) }
            if !isTold { broken.append(BrokenRule(id.name, .samePath)) }
        }
        guard ids.contains(where: { $0.name == "threadId" }) else { return broken }
        return broken + notInThread.filter(document.has).map { BrokenRule($0, .notInThread) }
    }
}

extension TextRules {
    /// The rules that texts of other members break.
    fileprivate func broken(
        by document: DocumentReader, besides names: Set<String>, in bytes: Span<UInt8>
    ) -> [BrokenRule] {
        var (isContentClear, clear) = (false, Set<[UInt8]>())
        document.texts(besides: names, in: bytes) { name, text, isOwn in
            let rule = rule(of: name)
            let isToken = hasTokens && DocumentRule.field.isSatisfied(by: text)
            // A list of such texts would be a sentence.
            guard !isToken, !(isOwn && rule?.isSatisfied(by: text) ?? false) else { return }
            if isClearBefore, isOwn, rule == nil {
                isContentClear = true
            } else {
                clear.insert(Array(name.utf8))
            }
        }
        let told = clear.sorted { $0.lexicographicallyPrecedes($1) }.prefix(Self.maximumToldCount)
        return (isContentClear ? [BrokenRule("content", .field)] : [])
            + told.map { BrokenRule(String(decoding: $0, as: UTF8.self), .plaintext) }
    }

    /// What a text of a member is, unless it is a token.
    private func rule(of name: String) -> DocumentRule? {
        named.first { $0.name.hasSameBytes(as: name) }?.rule
            ?? (hasTimes && name.utf8.suffix(2).elementsEqual("At".utf8) ? .time : nil)
    }
}

extension DocumentReader {
    /// The rule that a member breaks.
    fileprivate func brokenRule(of row: MemberRule, in bytes: Span<UInt8>) -> DocumentRule? {
        guard let value = value(row.name) else {
            return demands(row.presence, in: bytes) ? row.presence.rule : nil
        }
        guard row.presence != .absent else { return .absent }
        guard row.type.contains(value) else { return row.type.rule ?? row.rules.first }
        return row.rules.first { !$0.isSatisfied(by: value, in: bytes) }
    }

    private func demands(_ presence: Presence, in bytes: Span<UInt8>) -> Bool {
        switch presence {
        case .required: true
        case .untilAccepted: !isAccepted(in: bytes)
        case .optional, .absent: false
        case .wholeWrap: KeyWrap.names.contains { has($0) }
        }
    }

    /// Whether the document has the same id as its path, or none.
    fileprivate func agrees(with id: DocumentPath.ID, in bytes: Span<UInt8>) -> Bool {
        value(id.name)?.string(in: bytes)?.hasSameBytes(as: id.text) ?? false
    }
}

extension ValueType {
    fileprivate func contains(_ value: DocumentReader.Value) -> Bool {
        switch (self, value) {
        case (.string, .text), (.string, .given), (.number, .number), (.boolean, .bool), (.list, .list),
            (.map, .map), (.time, .text), (.time, .number):
            true
        case (.time, .map(let parts)):
            !parts.isEmpty && parts.allSatisfy { Self.timeParts.contains($0.name) && $0.value.number != nil }
        default: false
        }
    }

    /// What an SDK of Firestore makes of a time.
    private static let timeParts: Set = ["seconds", "nanoseconds", "_seconds", "_nanoseconds"]
}

// MARK: - One value

extension DocumentRule {
    /// Whether a value of the right type satisfies the rule.
    fileprivate func isSatisfied(by value: DocumentReader.Value, in bytes: Span<UInt8>) -> Bool {
        switch (check, value) {
        case (.secret(let holds), .text(let text)): holds(SecretBytes(text, in: bytes))
        case (.text, .number), (.text, .map): true  // of a time
        case (.text, _), (.secret, _): value.string(in: bytes).map(isSatisfied(by:)) ?? false
        case (.form, _): form.contains(value)
        case (.row, _), (.members, _), (.write, _): true
        }
    }

    package func isSatisfied(by text: String) -> Bool {
        switch check {
        case .text(let holds): holds(text)
        case .secret(let holds): holds(SecretBytes(copying: Array(text.utf8).span))
        case .form, .row, .members, .write: false
        }
    }
}

extension RuleForm {
    /// Whether a number, a list or a map has the form.
    fileprivate func contains(_ value: DocumentReader.Value) -> Bool {
        switch value {
        case .number(let number):
            guard let integer = Int64(exactly: number), let numbers else { return false }
            return numbers.contains(integer) && !refused.contains(.number(integer))
        case .list(let elements): return areElements(elements)
        case .map(let members):
            return areElements(members.map(\.value))
                && members.allSatisfy { DocumentRule.identifier.isSatisfied(by: $0.name) }
        case .text, .given, .bool, .null: return false
        }
    }

    private func areElements(_ values: [JSONValue]) -> Bool {
        guard let elements, let count, count.contains(values.count) else { return false }
        switch elements {
        case .isTrue: return values.allSatisfy(\.isTrue)
        case .values(let rule): return values.allSatisfy { $0.string.map(rule.isSatisfied(by:)) ?? false }
        case .unique(let rule):
            let texts = values.compactMap(\.string)
            return texts.count == values.count && texts.allSatisfy(rule.isSatisfied(by:))
                && Set(texts.map { Array($0.utf8) }).count == texts.count
        }
    }
}

extension JSONValue {
    fileprivate var isTrue: Bool { if case .bool(true) = self { true } else { false } }
}
