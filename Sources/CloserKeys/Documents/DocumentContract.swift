/// What a server demands of one kind of document: its members, what holds between them, and who may write what.
///
/// The contracts are values, so that every reader of them says the same: the check of shapes, the man page's table, and
/// `vectors/contract/rules.json`, from which a backend in another language makes its own check.
package struct DocumentContract: Sendable {
    /// Where a server keeps it, with an id in braces for each part that varies. An id that a document has, too, must agree.
    package let paths: [String]
    /// The members that have a rule, in the order in which broken rules are told. Others are ignored.
    package let members: [MemberRule]
    let names: Set<String>
    /// The names of these members, and others of which a reader must know whether they are there.
    let readNames: Set<String>
    /// What the texts of other members may be; nil if the kind holds no content.
    package let texts: TextRules?
    /// Members that a message in a thread lacks.
    package let notInThread: [String]
    /// What holds between members that satisfy their own rules.
    package let relations: [RelationRule]
    /// Who writes it; nil if the document names no user who could.
    package let writes: WriteRules?

    init(
        paths: [String] = [], _ members: [MemberRule], texts: TextRules? = nil, notInThread: [String] = [],
        relations: [RelationRule] = [], writes: WriteRules? = nil
    ) {
        (self.paths, self.members, self.texts, self.notInThread) = (paths, members, texts, notInThread)
        (self.relations, self.writes, names) = (relations, writes, Set(members.map(\.name)))
        readNames = names.union(notInThread)
    }
}

/// What the texts of a document may be, in members without a row and at any depth. Numbers and truth values are free. It is a rule of
/// the write: a phone ignores members that it does not know.
package struct TextRules: Sendable {
    /// The members that may be a text in the clear, and what that text is.
    package let named: [(name: String, rule: DocumentRule)]
    /// Whether a member whose name ends in `At` holds times.
    package var hasTimes = false
    /// Whether a member of any name may hold tokens.
    package var hasTokens = false
    /// Whether all texts may be in the clear before the couple is encrypted, and one that may not be is told as `content`.
    package var isClearBefore = false

    /// A result names so many members in the clear at most: a document may have 100,000.
    static let maximumToldCount = 16
}

package struct MemberRule: Sendable {
    package let name: String
    /// Whether it may be missing. A member that is null is missing.
    package let presence: Presence
    package let type: ValueType
    /// What its value must satisfy, in the order of the check, which ends with the first broken one.
    package let rules: [DocumentRule]
    /// Whether only a write is held against it.
    package let isOfWrite: Bool

    init(
        _ name: String, _ presence: Presence, _ type: ValueType, _ rules: DocumentRule...,
        isOfWrite: Bool = false
    ) {
        (self.name, self.presence, self.type, self.rules) = (name, presence, type, rules)
        self.isOfWrite = isOfWrite
    }

    /// Every rule that the member can break alone, in the order of the check.
    package var ids: [DocumentRule] {
        [presence.rule, presence == .absent ? nil : type.rule].compactMap { $0 } + rules
    }
}

/// Whether a member may be missing.
package enum Presence: Equatable, Sendable {
    case required
    case optional
    /// The three members of a wrap are there together.
    case wholeWrap
    /// It is there until an invite is accepted.
    case untilAccepted
    /// It is missing.
    case absent

    /// The rule that a missing member breaks, or one that is there and must not be.
    package var rule: DocumentRule? {
        switch self {
        case .required, .untilAccepted: .present
        case .optional: nil
        case .wholeWrap: .wholeWrap
        case .absent: .absent
        }
    }
}

/// The JSON type of a member.
package enum ValueType: String, Sendable {
    case string, boolean, number
    /// An array.
    case list
    /// An object whose names are ids.
    case map
    /// A text, a number, or the object that an SDK of Firestore makes of a time.
    case time

    /// The rule that a value of another type breaks; nil if that is the member's own rule.
    package var rule: DocumentRule? {
        switch self {
        case .string: .string
        case .boolean: .boolean
        case .number, .list, .map, .time: nil
        }
    }
}

/// What holds between members.
package struct RelationRule: Sendable {
    package let rule: DocumentRule
    /// The member that is told to break it.
    package let member: String
    /// The members that it compares. It is checked when each of these satisfies its own rules.
    package let reads: [String]
    /// Whether only a write is held against it.
    package let isOfWrite: Bool

    init(_ rule: DocumentRule, _ member: String, reading reads: [String], isOfWrite: Bool = false) {
        (self.rule, self.member, self.reads, self.isOfWrite) = (rule, member, reads, isOfWrite)
    }
}

// MARK: - Writing

/// Who may create a document, and change what of it.
package struct WriteRules: Sendable {
    package let creators: [WriterRole]
    /// Members that are false in a new document, if they are there.
    package let initiallyFalse: [String]
    /// The member, or the id of the path, that names the owner, and of which a fault of the writer is told; nil for `userIds`.
    package let owner: String?
    /// Whether it belongs to a couple, and its own text does not name the users. Where the couple's document is given, only they write it.
    package let isOfCouple: Bool
    /// Members that no update changes.
    package let fixed: [String]
    /// The updates that there are. A change that none of them allows breaks ``DocumentRule/notAnUpdate``. Members are
    /// compared by their canonical form.
    package let updates: [UpdateRule]

    init(
        createdBy creators: [WriterRole], initiallyFalse: [String] = [], owner: String? = nil,
        isOfCouple: Bool = false, fixed: [String] = [], updates: [UpdateRule] = []
    ) {
        (self.creators, self.initiallyFalse, self.owner) = (creators, initiallyFalse, owner)
        (self.isOfCouple, self.fixed, self.updates) = (isOfCouple, fixed, updates)
    }
}

/// Who writes.
package enum WriterRole: String, Sendable {
    /// The user whom the document, or its path, names as its author.
    case owner
    /// One of the couple's two users.
    case member
    /// The server itself, without a user.
    case server
}

/// One way to change a document.
package struct UpdateRule: Sendable {
    /// Its name, for a server's own rules.
    package let name: String
    package let writers: [WriterRole]
    /// What it may change: members, or `member.<uid>` for the writer's own entry of a map. `*` stands for every member.
    package let changes: [String]
    /// The maps of which it may change the writer's own entry.
    let ownMaps: [String]
    /// The encryption version before and after; nil leaves both open.
    package let versions: VersionStep?
    /// A map that has an entry for each of the couple's users afterwards.
    package let complete: String?
    /// A map that has no entry afterwards.
    package let empty: String?
    /// A number that is greater afterwards.
    package let rises: String?

    init(
        _ name: String, by writers: WriterRole..., changes: [String], versions: VersionStep? = nil,
        complete: String? = nil, empty: String? = nil, rises: String? = nil
    ) {
        (self.name, self.writers, self.changes) = (name, writers, changes)
        (self.versions, self.complete, self.empty, self.rises) = (versions, complete, empty, rises)
        let own = ".<uid>"
        ownMaps = changes.filter { $0.hasSuffix(own) }.map { String($0.dropLast(own.count)) }
    }
}

/// From which encryption versions of a couple to which.
package struct VersionStep: Sendable {
    package let from: ClosedRange<Int>
    package let to: ClosedRange<Int>
}
