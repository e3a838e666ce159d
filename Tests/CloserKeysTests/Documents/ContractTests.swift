import CloserPrimitives
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserKeys

/// The table of contracts, held against the vectors, the documents' own readers, the man page, and its form as JSON.
@Suite("The server's contract, as data")
struct ContractTests {
    /// A document that another implementation made, and the rule that it breaks.
    struct Case: Sendable {
        let kind: DocumentKind
        let text: String
        let error: String?
        let isFirst: Bool

        /// Whether it is an accepted invite, which is right without its phrase, and joins nobody.
        var isWiped: Bool {
            (try? JSONValue(parsing: text.utf8))?["status"]?.string == "accepted" && error == nil
        }
    }

    private static let cases = Result {
        let file = TestData.root.appending(path: "vectors/v1/documents.json")
        let groups = try #require(try JSONValue(parsing: Data(contentsOf: file))["testGroups"]?.array)
        return try groups.filter { $0["type"]?.string == "document.check" }.flatMap { group in
            let kind = try #require(DocumentKind(rawValue: group.text("document")))
            return (group["tests"]?.array ?? []).map { test in
                Case(
                    kind: kind, text: test.text("text"), error: test["error"]?.string,
                    isFirst: test["previous"] == nil)
            }
        }
    }

    private func rules(_ read: () throws(DocumentError) -> Void) -> [BrokenRule]? {
        do throws(DocumentError) { try read() } catch {
            guard case .broken(let rules) = error else { return nil }
            return rules
        }
        return []
    }

    private func read(_ kind: DocumentKind, _ text: String) throws(DocumentError) {
        let bytes = Array(text.utf8)
        switch kind {
        case .couple: _ = try CoupleDocument(parsing: bytes)
        case .invite: _ = try InviteDocument(parsing: SecretBytes(testOnly: bytes))
        case .answer: _ = try AnswerDocument(parsing: bytes)
        case .releaseKey: _ = try ReleaseKeyDocument(parsing: bytes)
        case .rekey: _ = try RekeyDocument(parsing: bytes)
        case .device: _ = try DeviceDocument(parsing: bytes)
        case .pairOffer: _ = try PairOffer(parsing: bytes)
        case .pairReply: _ = try PairReply(parsing: bytes)
        case .pairGrant: _ = try PairGrant(parsing: bytes)
        case .chatMessage, .chatKey, .gameSlot, .fitLinkMessage, .fitLinkUser, .fondUser, .legacyAnswer:
            _ = try DocumentReader(bytes.span, as: kind)
        }
    }

    @Test(
        "the table finds in each case what other implementations found, and what the document's own reader finds"
    )
    func vectors() throws {
        let cases = try Self.cases.get().filter(\.isFirst)
        #expect(cases.count > 800 && Set(cases.map(\.kind)) == Set(DocumentKind.allCases))
        for each in cases {
            let table = rules { () throws(DocumentError) in
                let bytes = Array(each.text.utf8)
                try each.kind.check(DocumentReader(bytes.span), in: bytes.span)
            }
            #expect((table.map { $0.first?.id } ?? "malformed") == each.error, "\(each)")
            // A phone passes over what only a write must not have.
            let own = rules { () throws(DocumentError) in try read(each.kind, each.text) }
            #expect(own == table?.filter { !each.kind.isOfWrite($0) } || each.isWiped, "\(each)")
        }
    }

    @Test("a form has what satisfies its rule, and nothing else where no code is named")
    func forms() throws {
        var found: [DocumentRule: Set<Bool>] = [:]
        for each in try Self.cases.get() {
            guard let members = (try? JSONValue(parsing: each.text.utf8))?.members else { continue }
            for row in each.kind.rows where row.type == .string {
                guard let text = members[row.name == "content" ? "text" : row.name]?.string else { continue }
                for rule in row.rules {
                    let isRight = rule.isSatisfied(by: text)
                    found[rule, default: []].insert(isRight)
                    let hasForm = try rule.form.contains(text)
                    #expect(hasForm || !isRight, "\(rule): \(text)")
                    #expect(!rule.form.code.isEmpty || hasForm == isRight, "\(rule): \(text)")
                }
            }
        }
        let ofTexts = DocumentKind.allCases.flatMap(\.rows).filter { $0.type == .string }.flatMap(\.rules)
        #expect(found.filter { $0.value.count == 2 }.count == Set(ofTexts).count)
    }

    @Test("RE2 can read the patterns: no lookahead, no repetition above 1,000")
    func patterns() throws {
        for pattern in DocumentRule.allCases.compactMap(\.form.pattern) {
            #expect(
                pattern.hasPrefix("^") && pattern.hasSuffix("$") && !pattern.contains("(?=")
                    && !pattern.contains("(?!"))
            for count in pattern.matches(of: /\{(\d+)/) { #expect(try #require(Int(count.1)) <= 1000) }
        }
    }

    @Test("every rule is in the table")
    func complete() {
        let contracts = DocumentKind.allCases.map(\.contract)
        let rules = DocumentKind.allCases.flatMap { kind in
            kind.rows.flatMap(\.ids) + kind.contract.relations.map(\.rule)
        }
        let left = Set(DocumentRule.allCases).subtracting(rules)
        #expect(
            left == [
                .notAnUpdate, .notAMember, .notTheOwner, .notTheServer, .samePath, .notInThread, .plaintext,
                .date, .messageType, .messageStatus,
            ])
        #expect(Set(DocumentRule.allCases).count == DocumentRule.allCases.count)
        for contract in contracts {
            let names = contract.members.map(\.name)
            #expect(Set(names).count == names.count)
            for relation in contract.relations { #expect(Set(relation.reads).isSubset(of: names)) }
        }
    }

    @Test("vectors/contract/rules.json is the table; CLOSER_KEYS_WRITE_CONTRACT=1 writes it")
    func file() throws {
        let made = Data((ContractJSON.all.lines() + "\n").utf8)
        let file = TestData.root.appending(path: "vectors/contract/rules.json")
        if ProcessInfo.processInfo.environment["CLOSER_KEYS_WRITE_CONTRACT"] == "1" {
            try made.write(to: file)
        }
        #expect(try Data(contentsOf: file) == made, "scripts/checks.d/contract --write")
    }

    @Test("the man page has the rows of each kind")
    func page() throws {
        let file = TestData.root.appending(path: "man/closer-keys-check.1")
        let blocks = try CheckPage(String(contentsOf: file, encoding: .utf8)).blocks
        for kind in DocumentKind.allCases {
            let block = try #require(blocks.first { $0.kinds.contains(kind) }, "\(kind)")
            for member in kind.rows {
                let related = kind.contract.relations.filter { $0.member == member.name }.map(\.rule)
                #expect(block.rows[member.name] == Set(member.ids + related), "\(kind): \(member.name)")
            }
        }
        for block in blocks {
            let names = block.kinds.flatMap { $0.rows.map(\.name) }
            #expect(Set(block.rows.keys) == Set(names))
        }
    }
}

extension DocumentKind {
    /// The rows of its members, and the one for the texts of all others.
    fileprivate var rows: [MemberRule] {
        let hasContent = contract.texts?.isClearBefore ?? false
        return contract.members + (hasContent ? [MemberRule("content", .optional, .string, .field)] : [])
    }

    /// Whether only a write is held against the rule.
    fileprivate func isOfWrite(_ broken: BrokenRule) -> Bool {
        contract.texts != nil && [.plaintext, .field].contains(broken.rule)
            || contract.members.contains { $0.name == broken.member && $0.isOfWrite }
            || contract.relations.contains { $0.rule == broken.rule && $0.isOfWrite }
    }
}

extension RuleForm {
    fileprivate func contains(_ text: String) throws -> Bool {
        let whole = NSRange(text.startIndex..., in: text)
        let fits = try pattern.map {
            try NSRegularExpression(pattern: $0).firstMatch(in: text, range: whole)?.range == whole
        }
        return fits ?? true && length?.contains(text.unicodeScalars.count) ?? true
            && !refused.contains(.text(text))
            && (texts.isEmpty || texts.contains(text))
    }
}

/// The lists of members in RULES of closer-keys-check(1), each with the kinds that are named before it.
private struct CheckPage {
    struct Block {
        let kinds: [DocumentKind]
        var rows: [String: Set<DocumentRule>]
    }
    var blocks: [Block] = []

    init(_ page: String) {
        let rules =
            page.components(separatedBy: "\n.Sh RULES\n").last?.components(separatedBy: "\n.Sh ").first ?? ""
        for part in rules.components(separatedBy: "\n.El").dropLast() {
            let kinds = part.matches(of: /(?m)^\.Cm ([a-z-]+)/).compactMap {
                DocumentKind(rawValue: String($0.1))
            }
            guard !kinds.isEmpty, part.contains("-compact") else { continue }
            let rows = part.matches(of: /(?m)^\.It (\S+)\n(.+)$/).map { row in
                (
                    String(row.1),
                    Set(
                        row.2.replacing(#"\%"#, with: "").split(separator: ", ").compactMap { name in
                            DocumentRule.allCases.first { $0.name == name }
                        })
                )
            }
            blocks.append(Block(kinds: kinds, rows: Dictionary(uniqueKeysWithValues: rows)))
        }
    }
}
