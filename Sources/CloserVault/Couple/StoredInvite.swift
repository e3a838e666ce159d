internal import CloserKeys
internal import CloserPrimitives

/// The invite of a couple that this device made, to be printed again.
struct StoredInvite: Record {
    static let kind = RecordKind.invite
    let couple: CoupleID
    private let document: StoredSecret

    init(_ document: consuming SecretBytes, couple: CoupleID) {
        (self.couple, self.document) = (couple, StoredSecret(document))
    }

    func copy() -> SecretBytes { document.copy() }

    static func id(_ couple: CoupleID) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(couple) }
    var maximumByteCount: Int { 256 + document.bytes.count }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        document = StoredSecret(try fields.secret(in: bytes))
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: couple.text)
        document.bytes.withBytes { output.append(field: $0) }
    }
}
