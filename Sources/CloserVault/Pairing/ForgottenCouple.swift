internal import CloserKeys
internal import CloserTink
internal import CloserWire

/// What stays of a couple that was forgotten: one of that name that is made anew comes after it, and takes no key back that was
/// given up.
struct ForgottenCouple: Record {
    static let kind = RecordKind.forgotten
    let couple: CoupleID
    let epoch: UInt32
    let retiredIDs: Set<UInt32>
    /// The keys that it had: whatever became of them, a pairing brings a newer one.
    let keyIDs: Set<UInt32>

    /// What stayed when it was forgotten before, and came back by a recovery, stays.
    init(_ couple: Couple, after former: ForgottenCouple?) {
        self.couple = couple.id
        epoch = max(couple.epoch, former?.epoch ?? 0)
        retiredIDs = couple.retiredIDs.union(former?.retiredIDs ?? [])
        keyIDs = Set(couple.key.keyset.entries.map(\.id)).union(former?.keyIDs ?? [])
    }

    private init(keysOf former: ForgottenCouple) {
        (couple, epoch, retiredIDs, keyIDs) = (former.couple, 0, [], former.keyIDs)
    }

    /// What stays once the couple is here again.
    var keysAlone: ForgottenCouple { ForgottenCouple(keysOf: self) }

    static func id(_ couple: CoupleID) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(couple) }
    var maximumByteCount: Int { 256 + 4 * (retiredIDs.count + keyIDs.count) }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        epoch = try fields.epoch(in: bytes)
        retiredIDs = Set(try fields.keyIDs(in: bytes))
        keyIDs = Set(try fields.keyIDs(in: bytes))
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: couple.text)
        output.append(field: [UInt8](bigEndian: UInt64(epoch)))
        output.append(field: Couple.bytes(retiredIDs))
        output.append(field: Couple.bytes(keyIDs))
    }
}
