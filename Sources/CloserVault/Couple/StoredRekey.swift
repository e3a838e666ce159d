internal import CloserKeys
internal import CloserWire

/// The rekey that this device sent last, to be handed out again: the partner must see one of each number.
struct StoredRekey: Record {
    static let kind = RecordKind.rekey
    let couple: CoupleID
    let document: RekeyDocument
    /// The key that it is sealed to.
    let partnerKey: PublicKeyToken

    static func id(_ couple: CoupleID) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(couple) }
    var maximumByteCount: Int { 1024 + document.keybox.text.count + partnerKey.text.count }

    init(_ document: RekeyDocument, couple: CoupleID, to partnerKey: PublicKeyToken) {
        (self.document, self.couple, self.partnerKey) = (document, couple, partnerKey)
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        let sender: UserID = try fields.identifier(in: bytes)
        let recipient: UserID = try fields.identifier(in: bytes)
        let keybox = try fields.parsed(try fields.text(in: bytes)) { try KeyboxToken(parsing: $0) }
        let epoch = try fields.epoch(in: bytes)
        document = RekeyDocument(
            keybox, on: RekeyRoute(couple: couple, from: sender, to: recipient), epoch: epoch)
        partnerKey = try fields.parsed(try fields.text(in: bytes)) { try PublicKeyToken(parsing: $0.utf8) }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        for text in [couple.text, document.senderID.text, document.recipientID.text] {
            output.append(field: text)
        }
        output.append(field: document.keybox.text)
        output.append(field: [UInt8](bigEndian: UInt64(document.epoch)))
        output.append(field: partnerKey.text)
    }
}
