internal import CloserPrimitives
internal import CloserWire

// The check of shapes: a document against the rows of its contract, without a key.
extension DocumentContract {
    /// The rules that a document breaks, in the order of the rows; those of its path come last.
    ///
    /// - Throws: `.notAnObject`.
    func brokenRules(in bytes: Span<UInt8>) throws(DocumentError) -> [BrokenRule] {
        try reader(of: bytes, at: nil, in: nil).broken
    }

    /// A reader that has the rules that the document breaks.
    func reader(
        of bytes: Span<UInt8>, at path: DocumentPath?, in couple: CoupleDocument?
    ) throws(DocumentError) -> DocumentReader {
        // Before a couple is encrypted, its texts are in the clear.
        let others = couple?.version == .plaintext ? nil : otherTexts
        var areOthersRight = true
        var reader = try DocumentReader(bytes, at: path) {
            (scanner, name, bytes) throws(JSONScanner.SyntaxError) in
            guard let others, others.contains(name), try scanner.kind(in: bytes) == .string else {
                return false
            }
            let text = try scanner.text(try scanner.string(in: bytes), in: bytes)
            areOthersRight = areOthersRight && others.rule.rules.allSatisfy { $0.isSatisfied(by: text) }
            return true
        }
        for member in members where member.scope == .named { reader.check(member, in: bytes) }
        if let others, !areOthersRight { reader.breaks(others.rule.name, others.rule.rules[0]) }
        for relation in relations { reader.check(relation, in: bytes) }
        reader.checkPath(in: bytes)
        return reader
    }

    private var otherTexts: OtherTexts? {
        members.first { $0.scope != .named }.map { OtherTexts($0, beside: members) }
    }
}

/// The texts of a document that have no row of their own.
private struct OtherTexts {
    let rule: MemberRule
    private let excepted: Set<[UInt8]>
    private let suffix: [UInt8]

    init(_ rule: MemberRule, beside members: [MemberRule]) {
        guard case .otherTexts(let names, let suffix) = rule.scope else {
            preconditionFailure("a row of one member")
        }
        let named = members.filter { $0.scope == .named }.map(\.name)
        (self.rule, self.suffix) = (rule, Array(suffix.utf8))
        excepted = Set((named + names).map { Array($0.utf8) })
    }

    func contains(_ name: String) -> Bool {
        let name = Array(name.utf8)
        return !excepted.contains(name) && !name.suffix(suffix.count).elementsEqual(suffix)
    }
}

extension DocumentReader {
    fileprivate mutating func check(_ member: MemberRule, in bytes: Span<UInt8>) {
        guard let value = value(member.name, in: bytes) else {
            if let rule = member.presence.rule, demands(member.presence) { breaks(member.name, rule) }
            return
        }
        guard member.type.contains(value) else {
            if let rule = member.type.rule ?? member.rules.first { breaks(member.name, rule) }
            return
        }
        let broken = member.rules.first { !satisfies($0, member.name, value, in: bytes) }
        if let broken { breaks(member.name, broken) }
    }

    private func demands(_ presence: Presence) -> Bool {
        switch presence {
        case .required: true
        case .optional: false
        case .wholeWrap: KeyWrap.names.contains { has($0) }
        }
    }

    private func satisfies(
        _ rule: DocumentRule, _ name: String, _ value: DocumentValue, in bytes: Span<UInt8>
    ) -> Bool {
        var reader = self
        switch value {
        case .given(let text): return rule.isSatisfied(by: text)
        // An invite's code is a secret.
        case .text where rule == .code: return reader.code(in: bytes) != nil
        case .text: return reader.text(name, rule, in: bytes) { rule.isSatisfied(by: $0) ? true : nil } != nil
        case .number(let number): return rule.isSatisfied(by: number)
        case .bool: return true
        case .nested(let value): return rule.isSatisfied(by: value)
        }
    }

    fileprivate mutating func check(_ relation: RelationRule, in bytes: Span<UInt8>) {
        let isReadable = relation.reads.allSatisfy { name in
            !broken.contains { $0.member.hasSameBytes(as: name) }
        }
        guard isReadable, !holds(relation.rule, in: bytes) else { return }
        breaks(relation.member, relation.rule)
    }

    private func holds(_ rule: DocumentRule, in bytes: Span<UInt8>) -> Bool {
        var reader = self
        switch rule {
        case .versionForWrap: return !has("wrappedCoupleKey") || version(in: bytes) != 0
        case .wrapForVersion: return has("wrappedCoupleKey") || (version(in: bytes) ?? 0) == 0
        case .otherPerson: return reader.parties(in: bytes).map { $0.sender != $0.recipient } ?? true
        default: return true
        }
    }

    private func version(in bytes: Span<UInt8>) -> Double? {
        guard case .number(let version) = value("encryptionVersion", in: bytes) else { return nil }
        return version
    }

    /// The version of a couple that breaks no rule. A missing one is 2 beside a wrap, else 0.
    func coupleVersion(in bytes: Span<UInt8>) -> EncryptionVersion {
        guard let version = version(in: bytes) else { return has("wrappedCoupleKey") ? .strict : .plaintext }
        return EncryptionVersion(rawValue: Int(version)) ?? .plaintext
    }
}

extension ValueType {
    fileprivate func contains(_ value: DocumentValue) -> Bool {
        switch (self, value) {
        case (.string, .text), (.string, .given), (.number, .number), (.boolean, .bool): true
        case (.list, .nested(let value)): value.elements != nil
        case (.map, .nested(let value)): value.members(first: 0) != nil
        default: false
        }
    }
}

// MARK: - One value

extension DocumentRule {
    /// Whether a text satisfies the rule.
    package func isSatisfied(by text: String) -> Bool {
        switch self {
        case .identifier: (try? UserID(parsing: text)) != nil
        case .wrappedCoupleKey: KeyWrap.isKey(text)
        case .kdfSalt: KeyWrap.isSalt(text)
        case .weakSalt: !KeyWrap.isWeak(salt: text)
        case .kdfParams: WrapCost.isExactly(text)
        case .code: (try? InviteCode(parsing: SecretBytes(copying: Array(text.utf8).span))) != nil
        case .recoveryPhrase: InvitedPhrase.isWellFormed(text)
        case .platform: DeviceDocument.isPlatform(text)
        case .lookup: (try? PairingCode.Lookup(parsing: text)) != nil
        case .purpose: text.hasSameBytes(as: PairingTranscript.purpose)
        default: isSatisfied(byToken: text)
        }
    }

    private func isSatisfied(byToken text: String) -> Bool {
        switch self {
        case .sealed: (try? SealedToken(parsing: text)) != nil
        case .commitment: (try? Commitment(parsing: text.utf8)) != nil
        case .keybox: (try? KeyboxToken(parsing: text)) != nil
        case .field: (try? FieldToken(parsing: text))?.form == .couple
        case .publicKey: (try? PublicKeyToken(parsing: text.utf8)) != nil
        case .x25519PublicKey: (try? X25519PublicKey(parsing: text)) != nil
        case .offer: PairOffer.token(text) != nil
        case .reply: PairReply.token(text) != nil
        case .grant: TokenFormat.grant.pairingPayload(text) != nil
        case .messageContent: hasBytes(text) { $0 >= AESGCM.tagByteCount }
        case .messageIV: hasBytes(text) { $0 == AESGCM.nonceByteCount }
        case .fondField: hasBytes(text) { $0 >= AESGCM.overheadByteCount }
        default: false
        }
    }

    private func hasBytes(_ text: String, _ isRight: (Int) -> Bool) -> Bool {
        (try? Base64.standard.decode(text)).map { isRight($0.count) } ?? false
    }

    /// Whether a number satisfies the rule.
    fileprivate func isSatisfied(by number: Double) -> Bool {
        guard let integer = Int64(exactly: number), let range = form.numbers else { return false }
        return range.contains(integer) && !form.refused.contains(.number(integer))
    }

    /// Whether a list or a map satisfies the rule.
    fileprivate func isSatisfied(by value: JSONValue) -> Bool {
        guard let form = form.elements, let count = self.form.count else { return false }
        // One more than may be there is enough.
        let members = value.members(first: count.upperBound + 1)
        let elements =
            members?.map(\.value) ?? value.elements.map { Array($0.prefix(count.upperBound + 1)) } ?? []
        let areIDs = members?.allSatisfy { Self.identifier.isSatisfied(by: $0.name) } ?? true
        return count.contains(elements.count) && areIDs && form.isSatisfied(by: elements)
    }
}

extension ElementForm {
    fileprivate func isSatisfied(by elements: [JSONValue]) -> Bool {
        switch self {
        case .isTrue: return elements.allSatisfy(\.isTrue)
        case .values(let rule): return elements.allSatisfy { $0.string.map(rule.isSatisfied(by:)) ?? false }
        case .unique(let rule):
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count && texts.allSatisfy(rule.isSatisfied(by:))
                && Set(texts.map { Array($0.utf8) }).count == texts.count
        }
    }
}

extension JSONValue {
    fileprivate var isTrue: Bool {
        if case .bool(true) = self { true } else { false }
    }
}
