public import CloserKeys

/// What this device knows of a partner: their keys, what vouches for them, and whether their answers carry a proof.
public struct Partner: Sendable {
    /// The couple.
    public let couple: CoupleID
    /// The other user.
    public let userID: UserID
    /// The first key that was used for this partner, or the one accepted since; another is refused (docs/threat-model.md#w4).
    public internal(set) var key: PublicKeyToken?
    /// Their key for chats, as a pairing named it, else nil.
    public internal(set) var x25519Key: X25519PublicKey?
    /// The key that was vouched for, as ``verifiedBy`` says. The partner is verified as long as it is ``key``.
    public internal(set) var verifiedKey: PublicKeyToken?
    /// What vouches for ``verifiedKey``, else nil.
    public internal(set) var verifiedBy: Verification?
    /// Whether an answer of theirs had a valid MAC. Once true, answers without one are refused for ever.
    public internal(set) var authenticates = false

    init(_ userID: UserID, of couple: CoupleID) { (self.userID, self.couple) = (userID, couple) }

    /// What showed that a key is the partner's.
    public enum Verification: String, CaseIterable, Sendable {
        /// People compared safety numbers.
        case safetyNumber
        /// The party that named it knew the code of a pairing.
        case code
    }

    /// Whether the key that is used for them is the one that was vouched for.
    public var isVerified: Bool { key != nil && key == verifiedKey }

    /// From now on this is their key, and why.
    mutating func verify(_ key: PublicKeyToken, by verification: Verification) {
        (self.key, verifiedKey, verifiedBy) = (key, key, verification)
    }
}

extension Partner: Record {
    static let kind = RecordKind.partner
    static func id(_ userID: UserID, of couple: CoupleID) -> RecordID {
        RecordID(couple.bytes, userID.bytes)
    }
    var recordID: RecordID { Self.id(userID, of: couple) }
    var maximumByteCount: Int { 640 + (key?.text.count ?? 0) + (verifiedKey?.text.count ?? 0) }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        userID = try fields.identifier(in: bytes)
        key = try fields.optional(in: bytes) { try PublicKeyToken(parsing: $0.utf8) }
        verifiedKey = try fields.optional(in: bytes) { try PublicKeyToken(parsing: $0.utf8) }
        authenticates = try fields.flag(in: bytes)
        x25519Key = try fields.optional(in: bytes) { try X25519PublicKey(parsing: $0) }
        verifiedBy = try fields.optional(in: bytes) { text throws(VaultError) in
            guard let verification = Verification(rawValue: text) else { throw .damaged }
            return verification
        }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: couple.text)
        output.append(field: userID.text)
        output.append(field: key?.text ?? [])
        output.append(field: verifiedKey?.text ?? [])
        output.append(field: authenticates)
        output.append(field: x25519Key?.description ?? "")
        output.append(field: verifiedBy?.rawValue ?? "")
    }
}

extension Sequence<Partner> {
    /// The given key of one of a couple's partners, else the one that is pinned. Beside a partner who was verified there is no other.
    ///
    /// - Throws: ``VaultError``: `.verification` with `.noKey` or `.partnerIs`.
    package func key(
        of userID: UserID, or given: PublicKeyToken? = nil
    ) throws(VaultError) -> PublicKeyToken {
        if let key = given ?? first(where: { $0.userID == userID })?.key { return key }
        guard let partner = first(where: \.isVerified) else { throw .verification(.noKey) }
        throw .verification(.partnerIs(partner.userID))
    }
}

extension Transaction {
    /// What is known of a partner, who may be new.
    func partner(_ userID: UserID, of couple: CoupleID) throws(VaultError) -> Partner {
        try record(Partner.self, Partner.id(userID, of: couple)) ?? Partner(userID, of: couple)
    }

    func partners(of couple: CoupleID) throws(VaultError) -> [Partner] {
        try records(Partner.self, under: RecordID(couple.bytes))
    }

    /// The partner with that key: the first one is stored, another one refused (docs/threat-model.md#w4).
    mutating func pin(
        _ key: PublicKeyToken, of userID: UserID, of couple: CoupleID
    ) throws(VaultError) -> Partner {
        guard try !key.hasSameX(as: device.publicKey) else { throw .answer(.partnerKeyIsOurs) }
        var partner = try partner(userID, of: couple)
        guard partner.key == nil || partner.key == key else { throw .answer(.partnerKeyChanged) }
        try checkIsOnlyPartner(userID, of: couple)
        guard partner.key == nil else { return partner }
        try exposeUnpaired(couple)
        partner.key = key
        try checkAnswers(of: couple, areTo: userID, with: key)
        put(partner)
        return partner
    }

    /// A couple is two people: beside a partner who was verified there is no other.
    func checkIsOnlyPartner(_ userID: UserID, of couple: CoupleID) throws(VaultError) {
        let others = try partners(of: couple).filter { $0.userID != userID }
        guard !others.contains(where: \.isVerified) else { throw .pairing(.otherPartner) }
    }

    /// A couple is two people, so an unverified user makes room.
    mutating func forgetOthers(than userID: UserID, of couple: CoupleID) throws(VaultError) {
        for other in try partners(of: couple) where other.userID != userID && other.key != nil {
            forget(other)
        }
    }

    /// Forgets a partner, and keeps that they prove their answers.
    mutating func forget(_ partner: Partner) {
        guard partner.authenticates else { return delete(Partner.kind, under: partner.recordID) }
        var rest = Partner(partner.userID, of: partner.couple)
        rest.authenticates = true
        put(rest)
    }
}
