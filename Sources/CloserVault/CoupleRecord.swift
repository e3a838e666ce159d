public import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// How a couple key came to this device (security §3.1).
public enum KeyOrigin: Equatable, Sendable {
    /// By an invite or a recovery phrase: the server may hold it.
    case invite
    /// By a rekey between devices that verified each other.
    case rekey
}

/// How far a couple is from the server's reach (security §5).
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
    public let id: Identifier
    public internal(set) var key: CoupleKey
    /// The wrap that the server should hold now.
    public internal(set) var wrap: KeyWrap
    /// The ids of the keys that came by a rekey; the others came by an invite or a recovery.
    var rekeyedIDs: Set<UInt32> = []
    /// How many rekeys there were: a rekey must have the next number.
    public internal(set) var epoch: UInt32

    /// A key that came in. Each rekey added one to it, so their number can be told as long as none was retired.
    init(_ id: Identifier, _ key: CoupleKey, _ wrap: KeyWrap) {
        (self.id, self.key, self.wrap) = (id, key, wrap)
        epoch = UInt32(key.keyset.entries.count - 1)
    }

    public func origin(ofKey keyID: UInt32) -> KeyOrigin { rekeyedIDs.contains(keyID) ? .rekey : .invite }

    /// Says without a secret which key it is; both partners see the same.
    public var fingerprint: String { key.fingerprint(couple: id) }

    /// What the server stores.
    public var document: CoupleDocument { CoupleDocument(wrap) }
}

extension Couple: Record {
    static let kind = RecordKind.couple
    static func id(_ couple: Identifier) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(id) }
    var owner: Identifier? { id }
    var group: RecordID? { nil }
    var maximumByteCount: Int {
        1024 + Keyset.maximumBinaryByteCount + wrap.wrappedCoupleKey.utf8.count + wrap.kdfParams.utf8.count
            + 4 * rekeyedIDs.count
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        id = try fields.identifier(in: bytes)
        let keyset = try fields.keyset(in: bytes)
        do { key = try CoupleKey(keyset) } catch { throw .damaged }
        wrap = KeyWrap(
            wrappedCoupleKey: try fields.text(in: bytes), kdfSalt: try fields.text(in: bytes),
            kdfParams: try fields.text(in: bytes))
        rekeyedIDs = Set(try fields.keyIDs(in: bytes))
        epoch = UInt32(truncatingIfNeeded: try fields.number(in: bytes))
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: id.text)
        output.append(field: key.keyset)
        output.append(field: wrap.wrappedCoupleKey)
        output.append(field: wrap.kdfSalt)
        output.append(field: wrap.kdfParams)
        output.append(field: rekeyedIDs.sorted().reduce(into: [UInt8]()) { $0.append(bigEndian: $1) })
        output.append(field: [UInt8](bigEndian: UInt64(epoch)))
    }
}

extension RecordFields {
    fileprivate mutating func keyIDs(in bytes: Span<UInt8>) throws(VaultError) -> [UInt32] {
        let ids = try self.bytes(in: bytes)
        guard ids.count % 4 == 0 else { throw .damaged }
        return stride(from: 0, to: ids.count, by: 4).map { start in
            ids[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
    }
}
