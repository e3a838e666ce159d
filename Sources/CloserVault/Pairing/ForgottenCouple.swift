internal import CloserKeys
internal import CloserWire

/// What stays of a couple that was forgotten: one of that name that is made anew comes after it, and takes no key back that was
/// given up.
struct ForgottenCouple: Record {
    static let kind = RecordKind.forgotten
    let couple: CoupleID
    let epoch: UInt32
    let retired: FormerKeys
    /// The keys that it had: a pairing brings a newer one.
    let keys: FormerKeys

    /// What stayed when it was forgotten before, and came back by a recovery, stays.
    init(_ couple: Couple, after former: ForgottenCouple?) {
        self.couple = couple.id
        epoch = max(couple.epoch, former?.epoch ?? 0)
        retired = couple.retired.union(former?.retired)
        keys = FormerKeys(couple.key, of: couple.id).union(former?.keys)
    }

    private init(keysOf former: ForgottenCouple) {
        (couple, epoch, keys) = (former.couple, 0, former.keys)
        retired = FormerKeys(of: couple)
    }

    /// What stays once the couple is here again.
    var keysAlone: ForgottenCouple { ForgottenCouple(keysOf: self) }

    static func id(_ couple: CoupleID) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(couple) }
    var maximumByteCount: Int { 256 + retired.maximumByteCount + keys.maximumByteCount }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        epoch = try fields.epoch(in: bytes)
        let (retiredIDs, keyIDs) = (try fields.keyIDs(in: bytes), try fields.keyIDs(in: bytes))
        let (retiredMarks, keyMarks) = (try fields.marks(in: bytes), try fields.marks(in: bytes))
        retired = FormerKeys(of: couple, ids: Set(retiredIDs), marks: Set(retiredMarks))
        keys = FormerKeys(of: couple, ids: Set(keyIDs), marks: Set(keyMarks))
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: couple.text)
        output.append(field: [UInt8](bigEndian: UInt64(epoch)))
        output.append(field: Couple.bytes(retired.ids))
        output.append(field: Couple.bytes(keys.ids))
        output.append(field: retired.markBytes)
        output.append(field: keys.markBytes)
    }
}
