internal import CloserWire

/// A write that a server is asked for: of which kind, where, by whom, and in place of what.
///
/// The document is whole, as it would be stored: a server that is sent a part merges it first.
public struct DocumentWrite: Sendable {
    /// What is written.
    public let kind: DocumentKind
    /// Where: a path of the kind; nil if the document has all ids itself.
    public let path: DocumentPath?
    /// Who writes.
    public let writer: Writer
    /// The couple to which the document belongs: its `userIds` write it, and below version 1 legacy answers are in the clear.
    public let couple: CoupleDocument?
    /// Members of your app that may hold texts in the clear.
    public let alsoText: Set<String>
    private let previous: Stored?

    /// Who asks a server for a write.
    public enum Writer: Equatable, Sendable {
        /// A user whose token was checked.
        case user(UserID)
        /// The server's own code.
        case server
        /// A request without a user, who may write nothing that names its writer.
        case nobody

        /// The user; nil for the others.
        var user: UserID? { if case .user(let user) = self { user } else { nil } }
    }

    /// What the new document replaces.
    private struct Stored: Sendable {
        let members: [JSONValue.Member]
        let version: EncryptionVersion?
    }

    /// A write of a new document, or one in the place of `previous`, of which a couple's has a right version and wrap.
    ///
    /// - Throws: ``DocumentError`` for `previous`, and for a user who writes what names no user, a grant.
    public init(
        of kind: DocumentKind, at path: DocumentPath? = nil, by writer: Writer,
        replacing previous: (some Collection<UInt8>)? = [UInt8]?.none, in couple: CoupleDocument? = nil,
        alsoText: Set<String> = []
    ) throws(DocumentError) {
        (self.kind, self.path, self.writer, self.couple) = (kind, path, writer, couple)
        self.alsoText = alsoText
        guard kind.namesItsWriter || writer.user == nil else {
            throw .broken([BrokenRule("userId", .present)])
        }
        guard let previous else {
            self.previous = nil
            return
        }
        let bytes = Array(previous)
        self.previous = Stored(
            members: try JSONValue.documentMembers(of: bytes),
            version: kind == .couple ? try EncryptionVersion(storedIn: bytes.span) : nil)
    }

    /// The rules that the write breaks; empty if a server may store the document.
    ///
    /// They come in groups, and a group is checked if the one before holds: the document with the ids of its path; the encryption
    /// version, which is at least `required` and the former one; the writer; the change.
    ///
    /// - Throws: ``DocumentCheckError``.
    public func brokenRules(
        in document: some Collection<UInt8>, requiring required: EncryptionVersion = .plaintext
    ) throws(DocumentCheckError) -> [BrokenRule] {
        try kind.brokenRules(in: document, at: path) { (reader, bytes) throws(DocumentError) in
            try check(reader, in: bytes, requiring: required)
        }
    }

    /// Checks the write of a document of this kind. Gives the version of a couple.
    @discardableResult
    package func check(
        _ document: DocumentReader, in bytes: Span<UInt8>, requiring required: EncryptionVersion = .plaintext
    ) throws(DocumentError) -> EncryptionVersion? {
        guard path?.kinds.contains(kind) ?? true else { throw .broken([BrokenRule("path", .samePath)]) }
        let version = try kind.check(
            document, in: bytes, after: previous?.version, requiring: required, of: couple,
            alsoText: alsoText)
        guard let rules = kind.contract.writes else { return version }
        let members = try JSONValue.documentMembers(of: Array(copying: bytes))
        let change = DocumentChange(from: previous?.members, to: members)
        let update = AskedUpdate(
            change: change, writer: writer.user, roles: try roles(in: change, rules),
            users: users(in: change), versions: versions(to: version))
        let broken =
            previous == nil ? rules.brokenInitially(by: update) : rules.broken(by: update, in: kind)
        guard broken.isEmpty else { throw .broken(broken) }
        return version
    }

    /// From which encryption version to which.
    private func versions(to after: EncryptionVersion?) -> (Int, Int)? {
        guard let before = previous?.version, let after else { return nil }
        return (before.rawValue, after.rawValue)
    }

    // MARK: - The writer

    /// What the writer is, of which the contract must allow one.
    private func roles(in change: DocumentChange, _ rules: WriteRules) throws(DocumentError) -> Set<
        WriterRole
    > {
        let roles = roles(in: change, ownedBy: rules.owner)
        if writer != .server, rules.isOfCouple, couple != nil, !roles.contains(.member) {
            throw .broken([BrokenRule("userIds", .notAMember)])
        }
        let allowed =
            previous == nil || rules.updates.isEmpty ? rules.creators : rules.updates.flatMap(\.writers)
        guard roles.isDisjoint(with: allowed) else { return roles }
        let broken =
            if allowed.contains(.member) {
                BrokenRule("userIds", .notAMember)
            } else {
                BrokenRule(rules.owner ?? "userIds", allowed.contains(.owner) ? .notTheOwner : .notTheServer)
            }
        throw .broken([broken])
    }

    private func roles(in change: DocumentChange, ownedBy owner: String?) -> Set<WriterRole> {
        guard let writer = writer.user else { return writer == .server ? [.server] : [] }
        let owners = owner.map { name in
            [change.before, change.after].compactMap { $0.map { self.owner(name, in: $0) } }
        }
        let isOwner = owners?.allSatisfy { $0?.hasSameBytes(as: writer.text) ?? false } ?? false
        let isMember = users(in: change).contains { $0.hasSameBytes(as: writer.text) }
        return Set((isOwner ? [.owner] : []) + (isMember ? [.member] : []))
    }

    /// The user in the member `name`, or in the path if the document lacks the member. Nil if the member has no text.
    private func owner(_ name: String, in document: [JSONValue.Member]) -> String? {
        switch document[name] {
        case nil, .null: path?[name]
        case let value?: value.string
        }
    }

    /// The two of the couple, who were stored before where something was.
    private func users(in change: DocumentChange) -> [String] {
        guard kind == .couple else { return couple?.members?.map(\.text) ?? [] }
        return ((change.before ?? change.after)?["userIds"]?.array ?? []).compactMap(\.string)
    }
}

extension EncryptionVersion {
    /// The version of a stored couple, of which version and wrap are right. The other members may be what an update repairs.
    fileprivate init(storedIn bytes: Span<UInt8>) throws(DocumentError) {
        let document = try DocumentReader(bytes, of: .couple)
        let names = ["encryptionVersion"] + KeyWrap.names
        let broken = DocumentKind.couple.contract.brokenForm(of: document, in: bytes)
            .filter { names.contains($0.member) }
        guard broken.isEmpty else { throw .broken(broken) }
        self = document.coupleVersion
    }
}

extension JSONValue {
    fileprivate static func documentMembers(of bytes: [UInt8]) throws(DocumentError) -> [Member] {
        do throws(JSONFault) { return try members(of: bytes) } catch { throw .notAnObject(error) }
    }
}

// MARK: - The change

private struct AskedUpdate {
    let change: DocumentChange
    let writer: UserID?
    let roles: Set<WriterRole>
    /// The couple's two users, as far as they are known.
    let users: [String]
    /// The encryption version before and after.
    let versions: (Int, Int)?

    /// Whether a map has an entry for each user of the couple afterwards.
    func completes(_ map: String) -> Bool {
        let names = (change.after?[map]?.members ?? []).map(\.name)
        return !users.isEmpty && users.allSatisfy { user in names.contains { $0.hasSameBytes(as: user) } }
    }

    /// Whether a number is greater afterwards.
    func raises(_ name: String) -> Bool {
        (change.before?[name]?.number ?? .infinity) < (change.after?[name]?.number ?? 0)
    }

    /// Whether a map has no entry afterwards, or is missing.
    func empties(_ map: String) -> Bool { (change.after?[map]?.members ?? []).isEmpty }
}

extension DocumentKind {
    /// Whether the document, its path or its couple names a user who may write it. A grant names no user.
    package var namesItsWriter: Bool { contract.writes != nil }
}

extension WriteRules {
    /// The members of a new document that have another value than they must begin with, and maps with an entry of another user.
    fileprivate func brokenInitially(by asked: AskedUpdate) -> [BrokenRule] {
        let started = initiallyFalse.filter {
            if case .bool(true)? = asked.change.after?[$0] { true } else { false }
        }
        guard let writer = asked.writer else { return broken(started) }
        let maps = updates.flatMap(\.ownMaps)
        let forged = asked.change.members(inOrder: []).filter { member in
            maps.contains { $0.hasSameBytes(as: member.name) } && !member.isOwnEntry(of: writer)
        }
        return broken(started + forged.map(\.name))
    }

    /// The members that no update of the writer changes, or all that were changed if no single update changes them together.
    fileprivate func broken(by asked: AskedUpdate, in kind: DocumentKind) -> [BrokenRule] {
        let order = kind.contract.members.map(\.name)
        let changed = asked.change.members(inOrder: order)
        let possible = updates.filter { !asked.roles.isDisjoint(with: $0.writers) }
        func isAllowed(_ member: ChangedMember, by update: UpdateRule) -> Bool {
            !fixed.contains(member.name) && member.isCovered(by: update, of: asked.writer)
        }
        let isOne = possible.contains { update in
            update.allows(asked) && changed.allSatisfy { isAllowed($0, by: update) }
        }
        guard !isOne else { return [] }
        let never = changed.filter { member in !possible.contains { isAllowed(member, by: $0) } }
        let names = (never.isEmpty ? changed : never).map(\.name)
        return broken(names.isEmpty ? Array(order.prefix(1)) : names)
    }

    private func broken(_ names: [String]) -> [BrokenRule] { names.map { BrokenRule($0, .notAnUpdate) } }
}

extension UpdateRule {
    fileprivate func allows(_ asked: AskedUpdate) -> Bool {
        guard complete.map(asked.completes) ?? true, empty.map(asked.empties) ?? true,
            rises.map(asked.raises) ?? true
        else { return false }
        guard let versions, let step = asked.versions else { return true }
        return versions.from.contains(step.0) && versions.to.contains(step.1)
    }
}
