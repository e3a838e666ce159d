internal import CloserWire

/// What a write makes of a document's members. Values are compared by their canonical form (RFC 8785), and a member that is
/// null is missing.
struct DocumentChange {
    /// The members that were stored; nil for a new document.
    let before: [JSONValue.Member]?
    /// The members that would be.
    let after: [JSONValue.Member]?

    init(from before: [JSONValue.Member]?, to after: [JSONValue.Member]) {
        (self.before, self.after) = (before, after)
    }

    /// The members that differ: those of `order` first, then the others by their bytes.
    func members(inOrder order: [String]) -> [ChangedMember] {
        var changed = Self.differences(before ?? [], after ?? [])
        let first = order.compactMap { name in changed.first { $0.name.hasSameBytes(as: name) } }
        changed.removeAll { member in order.contains { $0.hasSameBytes(as: member.name) } }
        return first + changed
    }

    /// What differs, by the bytes of the names.
    fileprivate static func differences(
        _ before: [JSONValue.Member], _ after: [JSONValue.Member]
    ) -> [ChangedMember] {
        let hasSameNames =
            before.count == after.count && zip(before, after).allSatisfy { $0.name.hasSameBytes(as: $1.name) }
        guard !hasSameNames else {
            let changed = zip(before, after).compactMap { ChangedMember($0.name, $0.present, $1.present) }
            return changed.sorted { precedes($0.name, $1.name) }
        }
        return merged(sorted(before), sorted(after))
    }

    /// Walks through both together, since a stranger may send many members.
    private static func merged(_ before: [JSONValue.Member], _ after: [JSONValue.Member]) -> [ChangedMember] {
        var (old, new) = (before[...], after[...])
        var changed: [ChangedMember] = []
        while let name = [old.first?.name, new.first?.name].compactMap(\.self).min(by: precedes) {
            let values = (take(name, from: &old), take(name, from: &new))
            if let member = ChangedMember(name, values.0, values.1) { changed.append(member) }
        }
        return changed
    }

    private static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        members.filter { $0.present != nil }.sorted { precedes($0.name, $1.name) }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private static func take(_ name: String, from members: inout ArraySlice<JSONValue.Member>) -> JSONValue? {
        guard let first = members.first, first.name.hasSameBytes(as: name) else { return nil }
        return members.removeFirst().value
    }
}

extension JSONValue.Member {
    fileprivate var present: JSONValue? { if case .null = value { nil } else { value } }
}

struct ChangedMember {
    let name: String
    let before: JSONValue?
    let after: JSONValue?

    /// Nil if both are the same.
    fileprivate init?(_ name: String, _ before: JSONValue?, _ after: JSONValue?) {
        guard !Self.isSame(before, after) else { return nil }
        (self.name, self.before, self.after) = (name, before, after)
    }

    private static func isSame(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (.string(let one)?, .string(let other)?): one.hasSameBytes(as: other)
        case (.number(let one)?, .number(let other)?): one == other
        case (let one?, let other?): one.canonicalBytes == other.canonicalBytes
        default: false
        }
    }

    /// Whether an update covers the change: of the member, of every member, or of the writer's own entry of a map.
    func isCovered(by update: UpdateRule, of writer: UserID?) -> Bool {
        update.changes.contains { $0 == "*" || $0.hasSameBytes(as: name) }
            || update.ownMaps.contains { $0.hasSameBytes(as: name) } && isOwnEntry(of: writer)
    }

    /// Whether no entry but the writer's differs. A missing map has no entries, and the server none of its own.
    func isOwnEntry(of writer: UserID?) -> Bool {
        let maps = [before, after].map { $0.map(\.members) ?? [] }
        guard let before = maps[0], let after = maps[1] else { return false }
        return DocumentChange.differences(before, after).allSatisfy { entry in
            writer.map { entry.name.hasSameBytes(as: $0.text) } ?? false
        }
    }
}
