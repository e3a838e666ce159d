internal import CloserPrimitives
public import CloserTink
internal import CloserWire

/// Keys that a couple gave up for good: their ids, and for each a mark that finds its bytes under any other id
/// (closer-keys-formats(7), THE COUPLE KEY, Subkeys).
///
/// The key itself is gone. A mark is 16 bytes that only who has the key can compute, and is useless for opening.
public struct FormerKeys: Equatable, Sendable {
    /// Whose keys they were: the marks of another couple are others.
    public let couple: CoupleID
    /// The ids that they had.
    public internal(set) var ids: Set<UInt32>
    /// 16 bytes of each one's subkey `retired`. A vault that an older program wrote has none of those that it gave up.
    public internal(set) var marks: Set<[UInt8]>

    /// How long a mark is.
    public static let markByteCount = 16

    /// Keys that were remembered; none without ids and marks.
    public init(of couple: CoupleID, ids: Set<UInt32> = [], marks: Set<[UInt8]> = []) {
        (self.couple, self.ids, self.marks) = (couple, ids, marks)
    }

    /// All keys of a couple.
    public init(_ key: CoupleKey, of couple: CoupleID) {
        self.couple = couple
        ids = Set(key.keyset.entries.map(\.id))
        marks = Set(key.keyset.entries.compactMap { Self.mark(of: $0, couple) })
    }

    /// Whether the key is one of these, by its id or by its bytes.
    public func contains(_ entry: KeyEntry) -> Bool {
        if ids.contains(entry.id) { return true }
        guard !marks.isEmpty, let mark = Self.mark(of: entry, couple) else { return false }
        return marks.contains(mark)
    }

    /// These and others of the same couple.
    public func union(_ other: FormerKeys?) -> FormerKeys {
        guard let other else { return self }
        return FormerKeys(of: couple, ids: ids.union(other.ids), marks: marks.union(other.marks))
    }

    /// These without others of the same couple.
    public func subtracting(_ other: FormerKeys) -> FormerKeys {
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
