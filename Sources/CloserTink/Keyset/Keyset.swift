public import CloserPrimitives
internal import CloserWire

/// A list of keys of which one, the primary, makes new ciphertexts, and all that are enabled open old ones.
///
/// A value: adding or disabling gives another keyset. It never prints its keys, and nothing here writes them;
/// ``InsecureCleartextKeyset`` does.
public struct Keyset: Sendable {
    /// More would be a mistake or an attack: every key of the same prefix is tried.
    public static let maximumKeyCount = 32

    public private(set) var entries: [KeyEntry]
    public private(set) var primaryID: UInt32

    /// Checks the rules of formats §2.4 that concern the whole.
    init(entries: [KeyEntry], primaryID: UInt32) throws(KeysetError) {
        guard !entries.isEmpty else { throw .empty }
        guard entries.count <= Self.maximumKeyCount else { throw .tooManyKeys(maximum: Self.maximumKeyCount) }
        (self.entries, self.primaryID) = (entries, primaryID)
        try checkIDs()
        // As it would be written: nobody shall hold a keyset that cannot be read again.
        guard binary().count <= Self.maximumBinaryByteCount else {
            throw .tooLarge(maximumByteCount: Self.maximumBinaryByteCount)
        }
    }

    /// One new key, which is the primary; with its template's prefix, if none is given.
    public init(
        _ template: KeyTemplate, prefix: OutputPrefix? = nil, from randomness: Randomness = .system
    ) {
        let entry = KeyEntry(
            id: Self.newID(besides: [], from: randomness), prefix: prefix ?? template.prefix,
            material: template.newKey(from: randomness))
        (entries, primaryID) = ([entry], entry.id)
    }

    /// An existing key, which is the primary, with a new id: a key that CryptoKit or another program made.
    public init(
        importing material: KeyMaterial, prefix: OutputPrefix = .tink, from randomness: Randomness = .system
    ) {
        let entry = KeyEntry(
            id: Self.newID(besides: [], from: randomness), prefix: prefix, material: material)
        (entries, primaryID) = ([entry], entry.id)
    }

    /// A bare AES key, without a prefix and with an id that means nothing.
    package init(raw key: AESGCMKey) {
        entries = [KeyEntry(id: 0, prefix: .raw, material: .aesGCM(key))]
        primaryID = 0
    }

    /// The key that seals.
    public var primary: KeyEntry {
        guard let entry = entries.first(where: { $0.id == primaryID && $0.status == .enabled }) else {
            preconditionFailure("a keyset without an enabled primary passed its checks")
        }
        return entry
    }

    /// Room for the keyset in either form.
    var maximumByteCount: Int { entries.reduce(64) { $0 + $1.maximumByteCount } }

    /// The kind of all keys that are there, or nil if there are several.
    public var kind: KeyMaterial.Kind? {
        let kind = primary.material?.kind
        return entries.allSatisfy { $0.material == nil || $0.material?.kind == kind } ? kind : nil
    }

    /// The same keys without their secrets. Only for ECIES keys.
    public func publicKeyset() throws(KeysetError) -> Keyset {
        let entries = try entries.map { (entry) throws(KeysetError) in try entry.publicEntry() }
        return try Keyset(entries: entries, primaryID: primaryID)
    }

    /// The primary alone and without its secret. Only for ECIES keys.
    public func publicPrimary() throws(KeysetError) -> Keyset {
        try Keyset(entries: [try primary.publicEntry()], primaryID: primaryID)
    }

    private func checkIDs() throws(KeysetError) {
        var seen: Set<UInt32> = []
        for entry in entries where entry.status == .enabled {
            guard seen.insert(entry.id).inserted else { throw .duplicateKeyID(entry.id) }
        }
        guard entries.contains(where: { $0.id == primaryID }) else { throw .primaryMissing(primaryID) }
        guard seen.contains(primaryID) else { throw .primaryNotEnabled(primaryID) }
    }
}

extension Keyset: CustomStringConvertible, CustomReflectable {
    public var description: String { "Keyset(\(entries.count) keys, redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Rotation

// Add a key, let every reader learn it, then make it the primary. Each step gives another keyset.

extension Keyset {
    /// The keyset with one more key, enabled and not primary; with its template's prefix, if none is given.
    public func adding(
        _ template: KeyTemplate, prefix: OutputPrefix? = nil, from randomness: Randomness = .system
    ) throws(KeysetError) -> Keyset {
        let id = Self.newID(besides: entries.map(\.id), from: randomness)
        let entry = KeyEntry(
            id: id, prefix: prefix ?? template.prefix, material: template.newKey(from: randomness))
        guard let added = entry.material?.kind, kind == added else {
            throw .wrongKind(expected: kind ?? .aesGCM)
        }
        return try Keyset(entries: entries + [entry], primaryID: primaryID)
    }

    /// The keyset with another primary, which must be enabled.
    public func promoting(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard entries.contains(where: { $0.id == id && $0.status == .enabled }) else { throw .notEnabled(id) }
        return try Keyset(entries: entries, primaryID: id)
    }

    /// The keyset with a key that opens nothing any more. It can be read again by nobody but who enables it.
    public func disabling(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard id != primaryID else { throw .isPrimary(id) }
        let entries = entries.map { entry in
            guard entry.id == id, entry.status == .enabled else { return entry }
            var disabled = entry
            disabled.status = .disabled
            return disabled
        }
        return try Keyset(entries: entries, primaryID: primaryID)
    }

    /// The keyset without a key. What that key alone opens cannot be read any more.
    public func removing(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard id != primaryID else { throw .isPrimary(id) }
        return try Keyset(entries: entries.filter { $0.id != id }, primaryID: primaryID)
    }

    /// A random id that is not 0 and not taken.
    static func newID(besides taken: [UInt32], from randomness: Randomness) -> UInt32 {
        while true {
            let id = UInt32(bigEndian: randomness.bytes(4))
            if id != 0, !taken.contains(id) { return id }
        }
    }
}
