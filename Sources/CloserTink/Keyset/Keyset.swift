public import CloserPrimitives

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
