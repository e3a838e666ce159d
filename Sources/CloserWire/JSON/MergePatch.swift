// JSON Merge Patch (RFC 7396): what a server makes of a part that is to be merged.

extension JSONValue {
    /// This value after a patch: objects are merged member by member, `null` takes a member out, and anything else replaces what was there.
    package func merging(patch: JSONValue) -> JSONValue {
        guard let changes = patch.members else { return patch }
        var merged = members ?? []
        for change in changes {
            let index = merged.firstIndex { $0.name.hasSameBytes(as: change.name) }
            let before = index.map { merged[$0].value } ?? .null
            if let index { merged.remove(at: index) }
            if case .null = change.value { continue }
            merged.append(Member(change.name, before.merging(patch: change.value)))
        }
        return .object(merged)
    }
}
