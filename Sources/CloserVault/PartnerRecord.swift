public import CloserKeys

/// What this device knows of the other one: the key it was given, whether people compared it, and how it writes.
public struct Partner: Sendable {
    public let couple: Identifier
    public let userID: Identifier
    /// The first key that was used for this partner, or the one accepted since; another is refused (security §2, W4).
    public internal(set) var key: PublicKeyToken?
    /// The key whose safety number was compared. The partner is verified as long as it is ``key``.
    public internal(set) var verifiedKey: PublicKeyToken?
    /// Whether an answer of theirs had a valid MAC. Once true, answers without one are refused for ever.
    public internal(set) var authenticates = false

    init(_ userID: Identifier, of couple: Identifier) { (self.userID, self.couple) = (userID, couple) }

    public var isVerified: Bool { key != nil && key == verifiedKey }
}

extension Partner: Record {
    static let kind = RecordKind.partner
    static func id(_ userID: Identifier, of couple: Identifier) -> RecordID {
        RecordID(couple.bytes, userID.bytes)
    }
    var recordID: RecordID { Self.id(userID, of: couple) }
    var owner: Identifier? { couple }
    var group: RecordID? { nil }
    var maximumByteCount: Int { 512 + (key?.text.count ?? 0) + (verifiedKey?.text.count ?? 0) }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        userID = try fields.identifier(in: bytes)
        key = try fields.optional(in: bytes) { try PublicKeyToken(parsing: $0.utf8) }
        verifiedKey = try fields.optional(in: bytes) { try PublicKeyToken(parsing: $0.utf8) }
        authenticates = try fields.flag(in: bytes)
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: couple.text)
        output.append(field: userID.text)
        output.append(field: key?.text ?? [])
        output.append(field: verifiedKey?.text ?? [])
        output.append(field: authenticates)
    }
}

/// The version that a couple once had: nothing below it is taken again, not even after the couple was forgotten.
struct VersionPin: Record {
    static let kind = RecordKind.versionPin
    let couple: Identifier
    let version: EncryptionVersion

    init(_ version: EncryptionVersion, of couple: Identifier) {
        (self.version, self.couple) = (version, couple)
    }

    static func id(_ couple: Identifier) -> RecordID { RecordID(couple.bytes) }
    var recordID: RecordID { Self.id(couple) }
    var owner: Identifier? { nil }
    var group: RecordID? { nil }
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
