// JSON Merge Patch (RFC 7396): what a server makes of a part that is to be merged.

extension JSONValue {
    /// This value after a patch: objects are merged member by member, `null` takes a member out, and anything else replaces what was there.
    package func merging(patch: JSONValue) -> JSONValue {
        guard let changes = patch.members else { return patch }
        var merged = members ?? []
        let places = Dictionary(
            merged.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { $1 })
        var removed: Set<Int> = []
        for change in changes {
            let place = places[Array(change.name.utf8)]
            if case .null = change.value {
                if let place { removed.insert(place) }
                continue
            }
            let value = (place.map { merged[$0].value } ?? .null).merging(patch: change.value)
            if let place { merged[place].value = value } else { merged.append(Member(change.name, value)) }
        }
        return .object(merged.indices.filter { !removed.contains($0) }.map { merged[$0] })
    }
}
