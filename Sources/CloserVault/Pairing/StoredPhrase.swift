internal import CloserKeys
internal import CloserPrimitives

/// The recovery phrase of a couple that only this device has: a pairing hands it over, and it goes.
struct StoredPhrase: Record {
    static let kind = RecordKind.phrase
    let couple: CoupleID
    private let text: StoredSecret

    init(_ phrase: borrowing RecoveryPhrase, of couple: CoupleID) {
        (self.couple, text) = (couple, StoredSecret(phrase.text.withBytes { SecretBytes(copying: $0) }))
    }

    func phrase() throws(VaultError) -> RecoveryPhrase {
        do { return try RecoveryPhrase(exactly: text.copy()) } catch { throw .damaged }
    }

    func isSame(as phrase: borrowing RecoveryPhrase) -> Bool { text.bytes.isEqual(to: phrase.text) }

    static func id(_ couple: CoupleID) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(couple) }
    var maximumByteCount: Int { 256 + text.bytes.count }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        text = StoredSecret(try fields.secret(in: bytes))
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: couple.text)
        text.bytes.withBytes { output.append(field: $0) }
    }
}

extension Transaction {
    /// The phrase of a couple, if only this device can have its keys; otherwise nil. Others may have them once a partner's key is known
    /// here, a document was taken, or the keys were exposed.
    func phraseOfAlone(_ id: CoupleID) throws(VaultError) -> StoredPhrase? {
        guard let couple = try record(Couple.self, Couple.id(id)),
            couple.primaryOrigin == .pairing,
            try partners(of: id).allSatisfy({ $0.key == nil })
        else { return nil }
        return try record(StoredPhrase.self, StoredPhrase.id(id))
    }

    /// A couple that only this device has gets another phrase: a pairing hands that one over.
    mutating func replacePhraseOfAlone(by phrase: StoredPhrase) throws(VaultError) {
        if try phraseOfAlone(phrase.couple) != nil { put(phrase) }
    }
}
