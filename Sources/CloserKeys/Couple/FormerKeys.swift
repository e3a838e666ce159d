internal import CloserPrimitives
package import CloserTink
internal import CloserWire

/// Retired keys of a couple: their ids, and for each a mark that recognises its bytes under any id (closer-keys-formats(7), THE
/// COUPLE KEY, Subkeys).
///
/// The keys themselves are gone. Only a holder of a key can compute its mark, which has 16 bytes and opens nothing.
package struct FormerKeys: Equatable, Sendable {
    /// The couple whose keys they were. One key has different marks in two couples.
    package let couple: CoupleID
    /// The ids that they had.
    package internal(set) var ids: Set<UInt32>
    /// 16 bytes of each key's subkey `retired`. A key that an older version of the program retired has no mark.
    package internal(set) var marks: Set<[UInt8]>

    /// How long a mark is.
    package static let markByteCount = 16

    /// The keys with these ids and marks.
    package init(of couple: CoupleID, ids: Set<UInt32> = [], marks: Set<[UInt8]> = []) {
        (self.couple, self.ids, self.marks) = (couple, ids, marks)
    }

    /// All keys of a couple.
    package init(_ key: CoupleKey, of couple: CoupleID) {
        self.couple = couple
        ids = Set(key.keyset.entries.map(\.id))
        marks = Set(key.keyset.entries.compactMap { Self.mark(of: $0, couple) })
    }

    /// Whether the key is one of these, by its id or by its bytes.
    package func contains(_ entry: KeyEntry) -> Bool {
        if ids.contains(entry.id) { return true }
        guard !marks.isEmpty, let mark = Self.mark(of: entry, couple) else { return false }
        return marks.contains(mark)
    }

    /// These keys and those of `other`, which are of one couple.
    package func union(_ other: FormerKeys?) -> FormerKeys {
        guard let other else { return self }
        return FormerKeys(of: couple, ids: ids.union(other.ids), marks: marks.union(other.marks))
    }

    /// These keys without those of `other`, which are of one couple.
    package func subtracting(_ other: FormerKeys) -> FormerKeys {
        FormerKeys(of: couple, ids: ids.subtracting(other.ids), marks: marks.subtracting(other.marks))
    }

    /// Nil for a destroyed key, which has no bytes.
    private static func mark(of entry: KeyEntry, _ couple: CoupleID) -> [UInt8]? {
        guard case .aesGCM(let key)? = entry.material else { return nil }
        return CoupleKey.subkey(.retired, of: key, couple: couple).withBytes {
            Array(copying: $0.extracting(first: markByteCount))
        }
    }
}
