public import CloserPrimitives
internal import CloserWire

/// A list of keys. One of them, the primary, makes new ciphertexts, and all that are enabled open old ones.
///
/// A keyset is a value: to add or disable a key makes another one. Its description hides its keys. To write or read them take
/// ``InsecureCleartextKeyset``.
public struct Keyset: Sendable {
    /// 32 keys. More would be a mistake or an attack, since every key with the same prefix is tried.
    public static let maximumKeyCount = 32

    /// The keys, in the order in which they are written.
    package private(set) var entries: [KeyEntry]
    /// The id of the key that seals.
    public private(set) var primaryID: UInt32

    /// Checks the rules that concern the keyset as a whole (closer-keys-formats(7), TINK, Reading a keyset).
    init(entries: [KeyEntry], primaryID: UInt32) throws(KeysetError) {
        guard !entries.isEmpty else { throw .empty }
        guard entries.count <= Self.maximumKeyCount else { throw .tooManyKeys(maximum: Self.maximumKeyCount) }
        (self.entries, self.primaryID) = (entries, primaryID)
        try checkIDs()
        // A keyset that is too large to be read again after it was written is refused here.
        guard isReadable else {
            throw .tooLarge(maximumByteCount: Self.maximumBinaryByteCount)
        }
    }

    /// A keyset of one new key, the primary. If no prefix is given it has that of its template.
    public init(_ template: KeyTemplate, prefix: OutputPrefix? = nil, from randomness: Randomness = .system) {
        let entry = KeyEntry(
            id: Self.newID(besides: [], from: randomness), prefix: prefix ?? template.prefix,
            material: template.newKey(from: randomness))
        (entries, primaryID) = ([entry], entry.id)
    }

    /// A keyset of one existing key under a new id.
    package init(
        importing material: KeyMaterial, prefix: OutputPrefix = .tink, from randomness: Randomness = .system
    ) {
        let entry = KeyEntry(
            id: Self.newID(besides: [], from: randomness), prefix: prefix, material: material)
        (entries, primaryID) = ([entry], entry.id)
    }

    /// A keyset of one AES-256-GCM key that CryptoKit or another program made, 32 bytes.
    ///
    /// - Throws: `.wrongKeySize`.
    public init(
        aes256GCM key: consuming SecretBytes, prefix: OutputPrefix = .tink,
        from randomness: Randomness = .system
    ) throws(KeysetError) {
        self.init(importing: .aesGCM(try AESGCMKey(adopting: key)), prefix: prefix, from: randomness)
    }

    /// A keyset of one bare AES key, whose ciphertexts lack a prefix. Its id, 0, is a filler.
    package init(raw key: AESGCMKey) {
        entries = [KeyEntry(id: 0, prefix: .raw, material: .aesGCM(key))]
        primaryID = 0
    }

    /// The key that seals.
    package var primary: KeyEntry {
        guard let entry = entries.first(where: { $0.id == primaryID && $0.status == .enabled }) else {
            preconditionFailure("a checked keyset has an enabled primary")
        }
        return entry
    }

    /// Room for the keyset in JSON.
    var maximumByteCount: Int { entries.reduce(64) { $0 + $1.maximumByteCount } }

    /// The kind of all keys that are there, or nil if there are several.
    package var kind: Kind? {
        let kind = primary.material?.kind
        return entries.allSatisfy { $0.material == nil || $0.material?.kind == kind } ? kind : nil
    }

    /// These keys; those of AES-GCM have a schedule of their own.
    func forThread() -> Keyset {
        var copy = self
        copy.entries = entries.map { entry in
            guard case .aesGCM(let key)? = entry.material else { return entry }
            return KeyEntry(
                id: entry.id, status: entry.status, prefix: entry.prefix, material: .aesGCM(key.forThread()))
        }
        return copy
    }

    /// These keys without their secrets.
    ///
    /// - Throws: `.wrongKind` unless they are ECIES keys.
    public func publicKeyset() throws(KeysetError) -> Keyset {
        let entries = try entries.map { (entry) throws(KeysetError) in try entry.publicEntry() }
        return try Keyset(entries: entries, primaryID: primaryID)
    }

    /// The primary alone and without its secret: what a device publishes.
    ///
    /// - Throws: `.wrongKind` unless it is an ECIES key.
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
    /// How many keys there are.
    public var description: String { "Keyset(\(entries.count) keys, redacted)" }
    /// A mirror without children, so that `dump` finds no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Rotation

// Add a key, let every reader learn it, then make it the primary: or both at once. Each step gives another keyset.

extension Keyset {
    /// The keyset with one more key, which is enabled; the primary stays. If no prefix is given it has that of its
    /// template.
    ///
    /// - Throws: `.wrongKind` if the keyset's keys are of another kind, `.tooManyKeys` or `.tooLarge` if it is full.
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

    /// The keyset with keys of another behind its own. Their ids must be new.
    ///
    /// - Throws: `.tooManyKeys`, `.tooLarge` or `.duplicateKeyID`.
    package func appending(_ others: [KeyEntry]) throws(KeysetError) -> Keyset {
        try Keyset(entries: entries + others, primaryID: primaryID)
    }

    /// The keyset without the keys that `isKept` refuses. It must keep the primary.
    package func keeping(_ isKept: (KeyEntry) -> Bool) throws(KeysetError) -> Keyset {
        try Keyset(entries: entries.filter(isKept), primaryID: primaryID)
    }

    /// The keyset with another primary.
    ///
    /// - Throws: `.noSuchKey`, or `.notEnabled`.
    public func promoting(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard entries.contains(where: { $0.id == id && $0.status == .enabled }) else { throw .notEnabled(id) }
        return try Keyset(entries: entries, primaryID: id)
    }

    /// The keyset with a new key of the primary's kind, parameters and prefix, which is the primary now. The old ones still
    /// open.
    ///
    /// To let every reader learn the new key before anything is sealed under it, take ``adding(_:prefix:from:)`` and
    /// ``promoting(_:)``.
    ///
    /// - Throws: `.wrongKind` if the keyset has several kinds of keys or public ones, `.tooManyKeys` or `.tooLarge` if it is full.
    public func rotating(from randomness: Randomness = .system) throws(KeysetError) -> Keyset {
        let template = try primary.template
        let added = try adding(template, prefix: template.prefix(beside: primary), from: randomness)
        return try Keyset(entries: added.entries, primaryID: added.entries[entries.count].id)
    }

    /// The keyset with one key enabled again.
    ///
    /// - Throws: `.noSuchKey`, `.destroyed`, or `.duplicateKeyID` if an enabled key has the same id.
    public func enabling(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard entries.contains(where: { $0.id == id && $0.status != .destroyed }) else {
            throw .destroyed(id)
        }
        return try setting(.enabled, of: id, from: .disabled)
    }

    /// The keyset with one key disabled: what that key sealed cannot be read until that key is enabled again.
    ///
    /// - Throws: `.noSuchKey`, or `.isPrimary`.
    public func disabling(_ id: UInt32) throws(KeysetError) -> Keyset {
        guard entries.contains(where: { $0.id == id }) else { throw .noSuchKey(id) }
        guard id != primaryID else { throw .isPrimary(id) }
        return try setting(.disabled, of: id, from: .enabled)
    }

    private func setting(
        _ status: KeyEntry.Status, of id: UInt32, from former: KeyEntry.Status
    ) throws(KeysetError) -> Keyset {
        let entries = entries.map { entry in
            guard entry.id == id, entry.status == former else { return entry }
            var changed = entry
            changed.status = status
            return changed
        }
        return try Keyset(entries: entries, primaryID: primaryID)
    }

    /// The keyset without a key. What only that key opens cannot be read any more.
    ///
    /// - Throws: `.noSuchKey`, or `.isPrimary`.
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
