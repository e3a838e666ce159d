internal import CloserPrimitives
package import CloserWire

/// A rule that the apps' server applies to what it stores, by the name that scripts compare (closer-keys-formats(7),
/// DOCUMENTS).
///
/// Two rules of one name are the same. The rules are in ``allCases``.
public struct DocumentRule: Sendable {
    /// The name, which is the end of ``BrokenRule/id``.
    public let name: String
    /// What the rule demands, to be read behind the member's name.
    public let requirement: String
    /// What satisfies the rule, as far as a schema can say it.
    package let form: RuleForm
    let check: Check

    /// How a rule is checked.
    enum Check: Sendable {
        /// By the member's row: whether it is there, and of which type.
        case row
        /// By the text.
        case text(@Sendable (String) -> Bool)
        /// By the text, which is a secret.
        case secret(@Sendable (consuming SecretBytes) -> Bool)
        /// By the form alone, of a number, a list or a map.
        case form
        /// By members of the document that satisfy their own rules.
        case members(@Sendable (DocumentReader, Span<UInt8>) -> Bool)
        /// By what is beside the document: the one before, its path, and who writes it. See ``DocumentWrite``.
        case write
    }

    init(_ name: String, _ requirement: String, _ form: RuleForm, _ check: Check) {
        (self.name, self.requirement, self.form, self.check) = (name, requirement, form, check)
    }
}

extension DocumentRule: Hashable {
    /// Whether both have the same name.
    public static func == (one: Self, other: Self) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension DocumentRule: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// A rule and the member that breaks it. As JSON it is what `closer-keys check --json` prints of it: `rule`, which is ``id``, `member` and
/// `requirement`.
public struct BrokenRule: Equatable, Sendable, Encodable {
    /// The member's name.
    public let member: String
    /// What it must have met.
    public let rule: DocumentRule

    /// Takes a member's name and the rule that it breaks.
    public init(_ member: String, _ rule: DocumentRule) { (self.member, self.rule) = (member, rule) }

    /// What scripts compare, such as `kdfSalt.present`.
    public var id: String { "\(member).\(rule.name)" }

    private enum CodingKeys: String, CodingKey { case rule, member, requirement }

    /// Writes the three members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .rule)
        try container.encode(member, forKey: .member)
        try container.encode(rule.requirement, forKey: .requirement)
    }
}

/// Why a text is refused as the document that it should be.
public enum DocumentError: Error, Equatable, Sendable {
    /// Not one JSON object, strict: no duplicate names, nothing behind it, at most 16 levels.
    case notAnObject(JSONFault)
    /// An object that breaks these rules of the server, at least one, in the order of the document's members.
    case broken([BrokenRule])
}

extension DocumentError: WordedError {
    package var words: ErrorWords { words(of: nil) }

    /// The words for a document that has a name.
    package func words(of name: String?) -> ErrorWords {
        let document = name.map { "the \($0) document" } ?? "the document"
        switch self {
        case .notAnObject(let fault): return fault.words(of: document)
        case .broken(let broken) where broken.contains(where: \.lowersTheVersion): return .loweredVersion
        case .broken(let broken):
            let first = broken.first.map { "\($0.member) \($0.rule.requirement)" } ?? "it breaks a rule"
            return ErrorWords(
                .malformed, "\(document): \(first)", "the error names every rule that it breaks")
        }
    }
}

extension BrokenRule {
    /// Whether the document's author may want texts in the clear again: true for `versionForWrap` and `notLowered`.
    public var lowersTheVersion: Bool { rule == .versionForWrap || rule == .notLowered }
}

extension ErrorWords {
    /// The rules that a document breaks which lowers the encryption version of a couple (docs/threat-model.md#w9).
    package static let loweredVersion = ErrorWords(
        .downgrade, "the document has a lower encryption version than before",
        "stop: a lower version makes the apps write plaintext")
}
