internal import CloserKeys

/// The version that a couple once had: lower ones are refused, even after the couple was forgotten.
struct VersionPin: Record {
    static let kind = RecordKind.versionPin
    let couple: CoupleID
    let version: EncryptionVersion

    init(_ version: EncryptionVersion, of couple: CoupleID) {
        (self.version, self.couple) = (version, couple)
    }

    static func id(_ couple: CoupleID) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(couple) }
    var maximumByteCount: Int { 256 }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        let number = try fields.bytes(in: bytes)
        guard number.count == 1, let version = EncryptionVersion(rawValue: Int(number[0])) else {
            throw .damaged
        }
        self.version = version
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: couple.text)
        output.append(field: [UInt8(version.rawValue)])
    }
}

extension Transaction {
    /// A pin only rises (docs/threat-model.md#w9).
    mutating func raisePin(of couple: CoupleID, to version: EncryptionVersion) throws(VaultError) {
        put(VersionPin(max(try pinnedVersion(of: couple), version), of: couple))
    }

    /// The version of the document that this device prints counts as one that it saw.
    mutating func raisePin(of couple: Couple) throws(VaultError) {
        try raisePin(of: couple.id, to: couple.document.version)
    }

    func pinnedVersion(of couple: CoupleID) throws(VaultError) -> EncryptionVersion {
        try record(VersionPin.self, VersionPin.id(couple))?.version ?? .plaintext
    }
}
