public import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// How far a couple is from the server's reach (closer-keys-couple(1), STATES).
public enum PairingState: String, Sendable {
    /// The server could have read the invite. Never called end-to-end encrypted.
    case serverKnown
    /// Safety numbers were compared.
    case verified
    /// The key was replaced by one that the server never saw.
    case rekeyed
}

/// A couple as this device knows it.
public struct Couple: Sendable {
    /// The name of the couple.
    public let id: CoupleID
    /// The couple key: its primary seals, the others still open.
    public internal(set) var key: CoupleKey
    /// The wrap that the server should hold now.
    public internal(set) var wrap: KeyWrap
    /// The ids of the keys that came by a rekey; the others came by an invite or a recovery.
    var rekeyedIDs: Set<UInt32> = []
    /// How many rekeys there were: a rekey must have the next number.
    public internal(set) var epoch: UInt32
    /// The keys that were given up here: they do not come back.
    var retiredIDs: Set<UInt32> = []
    /// SHA-256 of the rekey document that was accepted last; nil if none was.
    var acceptedRekey: [UInt8]?

    /// A key that came in. Each rekey added one to it, so their number can be told as long as none was retired.
    init(_ id: CoupleID, _ key: CoupleKey, _ wrap: KeyWrap) {
        (self.id, self.key, self.wrap) = (id, key, wrap)
        epoch = UInt32(key.keyset.entries.count - 1)
    }

    /// How the key of this id came to this device.
    public func origin(ofKey keyID: UInt32) -> KeyOrigin { rekeyedIDs.contains(keyID) ? .rekey : .invite }

    /// The key for the couple's fields, and which of its keys may be used for them.
    public func fieldKey(requiring requirement: FieldKey.Requirement = .none) -> FieldKey {
        FieldKey(key, of: id, rekeyedKeyIDs: rekeyedIDs, requirement: requirement)
    }

    /// Whether the key that seals came by a rekey.
    var isRekeyed: Bool { origin(ofKey: key.keyset.primaryID) == .rekey }

    /// Says without a secret which key it is; both partners see the same.
    public var fingerprint: String { key.fingerprint(couple: id) }

    /// What the server stores.
    public var document: CoupleDocument { CoupleDocument(wrap) }
}

extension Couple: Record {
    static let kind = RecordKind.couple
    static func id(_ couple: CoupleID) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(id) }
    var maximumByteCount: Int {
        1024 + Keyset.maximumBinaryByteCount + wrap.wrappedCoupleKey.utf8.count + wrap.kdfParams.utf8.count
            + 4 * (rekeyedIDs.count + retiredIDs.count) + (acceptedRekey?.count ?? 0)
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        id = try fields.identifier(in: bytes)
        let keyset = try fields.keyset(in: bytes)
        do { key = try CoupleKey(keyset) } catch { throw .damaged }
        wrap = KeyWrap(
            wrappedCoupleKey: try fields.text(in: bytes), kdfSalt: try fields.text(in: bytes),
            kdfParams: try fields.text(in: bytes))
        rekeyedIDs = Set(try fields.keyIDs(in: bytes))
        epoch = try fields.epoch(in: bytes)
        retiredIDs = Set(try fields.keyIDs(in: bytes))
        acceptedRekey = fields.isAtEnd ? nil : try fields.digest(in: bytes)
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: id.text)
        output.append(field: key.keyset)
        output.append(field: wrap.wrappedCoupleKey)
        output.append(field: wrap.kdfSalt)
        output.append(field: wrap.kdfParams)
        output.append(field: Self.bytes(rekeyedIDs))
        output.append(field: [UInt8](bigEndian: UInt64(epoch)))
        output.append(field: Self.bytes(retiredIDs))
        if let acceptedRekey { output.append(field: acceptedRekey) }
    }
}

extension Couple {
    private static func bytes(_ ids: Set<UInt32>) -> [UInt8] {
        ids.sorted().reduce(into: []) { $0.append(bigEndian: $1) }
    }

    /// What came in, without the keys that were given up here; its primary stays in any case.
    func withoutRetired(_ key: CoupleKey) throws(KeysetError) -> CoupleKey {
        var rest = key
        for id in retiredIDs where id != key.keyset.primaryID {
            if rest.keyset.entries.contains(where: { $0.id == id }) { rest = try rest.retiring(id) }
        }
        return rest
    }
}

extension RecordFields {
    fileprivate mutating func keyIDs(in bytes: Span<UInt8>) throws(VaultError) -> [UInt32] {
        let ids = try self.bytes(in: bytes)
        guard ids.count % 4 == 0 else { throw .damaged }
        return stride(from: 0, to: ids.count, by: 4).map { start in
            UInt32(bigEndian: ids[start..<start + 4])
        }
    }
}
