public import CloserPrimitives
public import CloserTink

// A couple key changes by one key at a time: a new primary, or an old key less (formats §3).
extension CoupleKey {
    /// The same keys with a new primary. `.tooManyKeys` when 32 are there already: retire some.
    public func rotated(from randomness: Randomness = .system) throws(KeysetError) -> CoupleKey {
        let added = try keyset.adding(.aes256GCM, from: randomness)
        let known = Set(keyset.entries.map(\.id))
        guard let new = added.entries.first(where: { !known.contains($0.id) }) else {
            preconditionFailure("a keyset that was added to has no new key")
        }
        return try CoupleKey(try added.promoting(new.id))
    }

    /// The same without an old key: what that key sealed cannot be read any more.
    public func retiring(_ id: UInt32) throws(KeysetError) -> CoupleKey {
        try CoupleKey(try keyset.removing(id))
    }

    /// Whether the primary is none of `other`'s keys, neither by its id nor by its bytes.
    public func hasNewPrimary(comparedTo other: CoupleKey) -> Bool {
        other.keyset.entries.allSatisfy { entry in
            guard case .aesGCM(let key)? = entry.material else { return entry.id != keyset.primaryID }
            let isSame = key.withBytes { a in primaryKey.withBytes { a.isEqual(to: $0) } }
            return entry.id != keyset.primaryID && !isSame
        }
    }
}
