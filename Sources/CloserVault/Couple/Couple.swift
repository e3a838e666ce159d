public import CloserKeys
internal import CloserTink
internal import CloserWire

/// A couple as this device knows it.
public struct Couple: Sendable {
    /// The name of the couple.
    public let id: CoupleID
    /// The couple key: its primary seals, the others still open.
    package internal(set) var key: CoupleKey
    /// The wrap that the server should hold now.
    package internal(set) var wrap: KeyWrap
    /// How the keys came, by id; the others came by an invite or a recovery.
    var origins: [UInt32: KeyOrigin] = [:]
    /// How many pairings and rekeys this device has accepted. A rekey must have the next number.
    public internal(set) var epoch: UInt32 = 0
    /// The epoch of the last pairing, or else of the first rekey; nil if there was neither.
    var privateSince: UInt32?
    /// The keys that were given up here, for good.
    var retired: FormerKeys
    /// SHA-256 of the rekey document that was accepted last; nil if none was.
    var acceptedRekey: [UInt8]?
    /// Whether a person has the recovery phrase; nil if that is unknown, as after an invite.
    public internal(set) var phrase: Couple.PhraseState?
    /// Who has sealed their texts, as far as this device saw; nil for a couple that began at version 2.
    var migrated: Set<UserID>?

    /// When keys of before this device came here, in seconds since 1970, as for a phone that replaces another; nil if none did.
    var recoveredAt: UInt64?
    /// The id of the key that came in a way which a quantum computer cannot follow later; nil if none did. No way of today sets it.
    let postQuantumKeyID: UInt32?

    /// A couple whose key came by an invite, for tests.
    package init(_ id: CoupleID, _ key: CoupleKey, _ wrap: KeyWrap) {
        (self.id, self.key, self.wrap, retired) = (id, key, wrap, FormerKeys(of: id))
        postQuantumKeyID = nil
    }

    /// How the key of this id came to this device.
    public func origin(ofKey keyID: UInt32) -> KeyOrigin { origins[keyID] ?? .invite }

    /// The key for the couple's fields, and which of its keys may be used for them.
    public func fieldKey(requiring requirement: FieldKey.Requirement = .none) -> FieldKey {
        FieldKey(key, of: id, origins: origins, requirement: requirement)
    }

    /// How the key that seals came.
    var primaryOrigin: KeyOrigin { origin(ofKey: key.keyset.primaryID) }

    /// Whether the key that seals is one that only the two devices have.
    var isPrivate: Bool { primaryOrigin.isPrivate }

    /// Whether it has a key of this id, enabled.
    func opens(underKey id: UInt32) -> Bool {
        key.keyset.entries.contains { $0.id == id && $0.status == .enabled }
    }

    /// The ids of the keys that were given up here, sorted.
    package var retiredKeyIDs: [UInt32] { retired.ids.sorted() }

    /// The keys that others may hold, in the keyset's order, beside a primary that only the two devices hold; none beside another one.
    package var exposedKeyIDs: [UInt32] {
        guard isPrivate else { return [] }
        return key.keyset.entries.map(\.id).filter { !origin(ofKey: $0).isPrivate }
    }

    /// Whether this device has given any of its keys away.
    package var hasGivenKeys: Bool { origins.values.contains(.given) }

    /// The keys that only the two devices have.
    var privateKeyIDs: Set<UInt32> { Set(origins.filter { $0.value.isPrivate }.keys) }

    /// Whether any of the keys proves anything against the server.
    var hasProvingKeys: Bool { origins.values.contains { KeyOrigin.invite.provesLess(than: $0) } }

    /// The keys whose proof is worth as much as that of the primary. Empty if the server may hold the primary, too.
    var provingKeyIDs: Set<UInt32> {
        guard KeyOrigin.invite.provesLess(than: primaryOrigin) else { return [] }
        return Set(origins.filter { !$0.value.provesLess(than: primaryOrigin) }.keys)
    }

    /// From now on the primary is what a rekey of this epoch brought. What was given away before proves less than it for ever,
    /// also once this one is given, too.
    mutating func rekeys(at epoch: UInt32) {
        origins = origins.mapValues { $0 == .given ? .exposed : $0 }
        origins[key.keyset.primaryID] = .rekey
        self.epoch = epoch
        privateSince = privateSince ?? epoch
        phrase = .notConfirmed
    }

    /// From now on the server may hold each of the keys that there are, or all but one.
    mutating func expose(besides primaryID: UInt32? = nil) {
        for entry in key.keyset.entries where entry.id != primaryID { origins[entry.id] = .exposed }
        if primaryID == nil { privateSince = nil }
    }

    /// From now on another device has each of the keys. What the server may have held before proves as little as before.
    mutating func give() {
        for entry in key.keyset.entries {
            origins[entry.id] = origin(ofKey: entry.id).provesLess(than: .given) ? .exposed : .given
        }
    }

    /// Identifies the key in public. Both partners see one fingerprint.
    public var fingerprint: String { key.fingerprint(couple: id) }

    /// The document for the server.
    public var document: CoupleDocument { CoupleDocument(wrap, migrated: migrated) }
}

extension Couple: Record {
    static let kind = RecordKind.couple
    static func id(_ couple: CoupleID) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(id) }
    var maximumByteCount: Int {
        1024 + Keyset.maximumBinaryByteCount + wrap.wrappedCoupleKey.utf8.count + wrap.kdfParams.utf8.count
            + 5 * origins.count + retired.maximumByteCount + (acceptedRekey?.count ?? 0)
            + Couple.PhraseState.maximumByteCount + 2 * (4 + Identifier.maximumCount)
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        id = try fields.identifier(in: bytes)
        let keyset = try fields.keyset(in: bytes)
        do { key = try CoupleKey(keyset) } catch { throw .damaged }
        wrap = KeyWrap(
            wrappedCoupleKey: try fields.text(in: bytes), kdfSalt: try fields.text(in: bytes),
            kdfParams: try fields.text(in: bytes))
        origins = try fields.origins(in: bytes)
        privateSince = try fields.optional(in: bytes) { (fields) throws(VaultError) in
            try fields.epoch(in: bytes)
        }
        epoch = try fields.epoch(in: bytes)
        let retiredIDs = try fields.keyIDs(in: bytes)
        acceptedRekey = try fields.optional(in: bytes) { (fields) throws(VaultError) in
            try fields.digest(in: bytes)
        }
        retired = FormerKeys(of: id, ids: Set(retiredIDs), marks: Set(try fields.marks(in: bytes)))
        phrase = try fields.phraseState(in: bytes)
        migrated = try fields.users(in: bytes)
        recoveredAt = try fields.optional(in: bytes) { (fields) throws(VaultError) in
            try fields.number(in: bytes)
        }
        postQuantumKeyID = try fields.optional(in: bytes) { (fields) throws(VaultError) in
            try fields.epoch(in: bytes)
        }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: id.text)
        output.append(field: key.keyset)
        output.append(field: wrap.wrappedCoupleKey)
        output.append(field: wrap.kdfSalt)
        output.append(field: wrap.kdfParams)
        output.append(field: Self.bytes(origins))
        output.append(field: privateSince.map { [UInt8](bigEndian: UInt64($0)) } ?? [])
        output.append(field: [UInt8](bigEndian: UInt64(epoch)))
        output.append(field: Self.bytes(retired.ids))
        output.append(field: acceptedRekey ?? [])
        output.append(field: retired.markBytes)
        output.append(field: phrase?.bytes ?? [])
        output.append(field: migrated != nil)
        output.append(field: Self.bytes(migrated ?? []))
        output.append(field: recoveredAt.map { [UInt8](bigEndian: $0) } ?? [])
        output.append(field: postQuantumKeyID.map { [UInt8](bigEndian: UInt64($0)) } ?? [])
    }
}

extension Couple {
    private static func bytes(_ origins: [UInt32: KeyOrigin]) -> [UInt8] {
        origins.sorted { $0.key < $1.key }.reduce(into: []) { bytes, origin in
            bytes.append(bigEndian: origin.key)
            bytes.append(origin.value.number)
        }
    }

    private static func bytes(_ users: Set<UserID>) -> [UInt8] {
        [UInt8](lengthPrefixed: users.map(\.text).sorted().map { Array($0.utf8) })
    }

    static func bytes(_ ids: Set<UInt32>) -> [UInt8] {
        ids.sorted().reduce(into: []) { $0.append(bigEndian: $1) }
    }

    /// Whether each key of `other` is here, or was given up here.
    package func knowsAllKeys(of other: CoupleKey) -> Bool {
        (try? withoutRetired(other)).map(key.hasAllKeys) ?? false
    }

    /// What came in, without the keys that were given up here; its primary stays in any case.
    func withoutRetired(_ key: CoupleKey) throws(KeysetError) -> CoupleKey {
        try CoupleKey(try key.keyset.keeping { $0.id == key.keyset.primaryID || !retired.contains($0) })
    }
}

extension FormerKeys {
    /// All marks, in the order of their bytes.
    var markBytes: [UInt8] { marks.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self) }
    /// At least as many as both have, with the counts before them.
    var maximumByteCount: Int { 8 + 4 * ids.count + Self.markByteCount * marks.count }
}

extension KeyOrigin {
    fileprivate init(stored number: UInt8) throws(VaultError) {
        guard let origin = KeyOrigin(number: number) else { throw .damaged }
        self = origin
    }
}

extension RecordFields {
    fileprivate mutating func origins(in bytes: Span<UInt8>) throws(VaultError) -> [UInt32: KeyOrigin] {
        let all = try self.bytes(in: bytes)
        guard all.count % 5 == 0 else { throw .damaged }
        var origins: [UInt32: KeyOrigin] = [:]
        for start in stride(from: 0, to: all.count, by: 5) {
            origins[UInt32(bigEndian: all[start..<start + 4])] = try KeyOrigin(stored: all[start + 4])
        }
        return origins
    }

    /// A flag, and user ids, each behind its count, in one field.
    fileprivate mutating func users(in bytes: Span<UInt8>) throws(VaultError) -> Set<UserID>? {
        let isThere = try flag(in: bytes)
        var (all, users) = (RecordFields(range: try range(in: bytes)), Set<UserID>())
        while !all.isAtEnd { users.insert(try all.identifier(in: bytes)) }
        guard isThere || users.isEmpty else { throw .damaged }
        return isThere ? users : nil
    }

    mutating func marks(in bytes: Span<UInt8>) throws(VaultError) -> [[UInt8]] {
        let (all, count) = (try self.bytes(in: bytes), FormerKeys.markByteCount)
        guard all.count % count == 0 else { throw .damaged }
        return stride(from: 0, to: all.count, by: count).map { Array(all[$0..<$0 + count]) }
    }

    mutating func keyIDs(in bytes: Span<UInt8>) throws(VaultError) -> [UInt32] {
        let ids = try self.bytes(in: bytes)
        guard ids.count % 4 == 0 else { throw .damaged }
        return stride(from: 0, to: ids.count, by: 4).map { start in
            UInt32(bigEndian: ids[start..<start + 4])
        }
    }
}
