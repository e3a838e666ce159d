public import CloserKeys
public import CloserPrimitives
internal import CloserWire

/// An offer that this device made or answered with a pairing code (closer-keys-pairing(7), STEPS). A closed one has lost its
/// secrets, and stays, so that its code is refused.
public struct StoredPairing: Sendable {
    /// The couple.
    public let couple: CoupleID
    /// The first half of the code.
    public let lookup: PairingCode.Lookup
    /// What became of it.
    public private(set) var status: Status
    /// When it was made.
    public let madeAt: Timestamp
    /// When an open offer ends; nil for one that was answered.
    public let end: Timestamp?
    /// Three documents in JSON, as this program wrote them: the offer; the one reply to it, or our own; and what was granted, or taken. The
    /// last two are empty until they are there. They are parsed when they are asked for: most steps look at the status alone.
    private let offerText: [UInt8]
    private var replyText: [UInt8] = []
    private var grantText: [UInt8] = []
    /// The second half of the code; nil once it is closed.
    private var code: StoredSecret?
    /// The scalar of an open offer, or the keys of an answer that waits; nil once it is closed.
    private var secret: StoredSecret?

    /// What became of an offer.
    public enum Status: String, CaseIterable, Sendable {
        /// Made here: it waits for its one reply.
        case open
        /// Made here: the reply got its grant.
        case granted
        /// Made here: the one reply was made with another code or for another offer, or its check was interrupted.
        case burned
        /// Made here: the reply knew the code, and its keys were unusable.
        case failed
        /// Made here: its time ran out.
        case expired
        /// Answered here: it waits for the grant.
        case waiting
        /// Answered here: the grant was taken.
        case done
        /// Answered here: a later reply replaced it, or the person verified another key or forgot the couple.
        case givenUp
        /// A person cancelled it, or the couple was paired again or forgotten since.
        case cancelled

        /// Whether it is open or waits for a grant.
        public var isLive: Bool { self == .open || self == .waiting }
    }

    /// Which side this device is.
    public var isOffer: Bool { end != nil }

    /// The user who made the offer, as the offer names them.
    ///
    /// - Throws: ``VaultError``: `.damaged`.
    package func inviter() throws(VaultError) -> UserID { try offer().inviter.user }

    func offer() throws(VaultError) -> PairOffer {
        let offer: PairOffer
        do { offer = try PairOffer(parsing: offerText) } catch { throw .damaged }
        guard offer.couple == couple, offer.lookup == lookup else { throw .damaged }
        return offer
    }

    func reply() throws(VaultError) -> PairReply? {
        guard hasReply else { return nil }
        do { return try PairReply(parsing: replyText) } catch { throw .damaged }
    }

    func grant() throws(VaultError) -> PairGrant? {
        guard hasGrant else { return nil }
        do { return try PairGrant(parsing: grantText) } catch { throw .damaged }
    }

    var hasReply: Bool { !replyText.isEmpty }
    var hasGrant: Bool { !grantText.isEmpty }

    /// Whether this is the reply that the offer judges, or has judged.
    func judges(_ reply: PairReply) throws(VaultError) -> Bool {
        if replyText == reply.bytes { return true }
        return try self.reply() == reply
    }

    /// One that was made just now.
    init(_ open: borrowing OpenOffer, code: borrowing PairingCode, madeAt: Timestamp, end: Timestamp) {
        (couple, lookup, offerText) = (open.offer.couple, open.offer.lookup, open.offer.bytes)
        (status, self.madeAt, self.end) = (.open, madeAt, end)
        self.code = StoredSecret(code.copyOfSecret())
        secret = StoredSecret(open.withScalar { SecretBytes(copying: $0) })
    }

    /// One that was answered just now.
    init(_ answer: borrowing AnsweredOffer, code: borrowing PairingCode, madeAt: Timestamp) {
        (couple, lookup, offerText) = (answer.offer.couple, answer.offer.lookup, answer.offer.bytes)
        (status, self.madeAt, end, replyText) = (.waiting, madeAt, nil, answer.reply.bytes)
        self.code = StoredSecret(code.copyOfSecret())
        secret = StoredSecret(answer.withKeys { SecretBytes(copying: $0) })
    }

    /// Whether an offer was made under a clock that was ahead of this one, so that its end says nothing: it is ahead by more than the
    /// longest offer, or the making by more than a day.
    func isAhead(of now: Timestamp) -> Bool {
        madeAt > now.advanced(by: .seconds(86_400))
            || end.map { $0 > now.advanced(by: Vault.offerTimes.upperBound) } ?? false
    }

    func copyOfCode() -> PairingCode? { code.map { PairingCode(lookup: lookup, secret: $0.copy()) } }

    func has(_ code: borrowing PairingCode) -> Bool {
        guard let ours = self.code else { return false }
        return code.lookup == lookup && code.copyOfSecret().isEqual(to: ours.bytes)
    }

    /// The offer, to judge a reply; nil unless it is open.
    func openOffer() throws(VaultError) -> OpenOffer? {
        guard status == .open, let secret else { return nil }
        let offer = try offer()
        do { return try OpenOffer(resuming: offer, scalar: secret.shortLivedCopy()) } catch {
            throw .damaged
        }
    }

    /// The answer, to take a grant; nil unless it waits.
    func answer() throws(VaultError) -> AnsweredOffer? {
        guard status == .waiting, let reply = try reply(), let secret else { return nil }
        let offer = try offer()
        do { return try AnsweredOffer(resuming: reply, to: offer, keys: secret.shortLivedCopy()) } catch {
            throw .damaged
        }
    }

    /// This pairing with nothing more to come, and without its secrets, once its grant was made or taken, or without one. An offer that is
    /// given up after it began to judge a reply is burned: whether that came from a guess is unknown.
    func closed(_ status: Status, by grant: PairGrant? = nil) -> StoredPairing {
        let isUnknown = self.status == .open && hasReply && [.expired, .cancelled].contains(status)
        var closed = self
        (closed.status, closed.code, closed.secret) = (isUnknown ? .burned : status, nil, nil)
        closed.grantText = grant?.bytes ?? grantText
        return closed
    }

    /// This pairing once it judges a reply, and no other one.
    func judging(_ reply: PairReply) -> StoredPairing {
        var judging = self
        judging.replyText = reply.bytes
        return judging
    }
}

extension StoredPairing: Record {
    static let kind = RecordKind.pairing
    var recordID: RecordID { RecordID(couple.bytes, Array(lookup.text.utf8)) }
    var maximumByteCount: Int {
        1024 + offerText.count + replyText.count + grantText.count
            + (code?.bytes.count ?? 0) + (secret?.bytes.count ?? 0)
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        let text = try fields.text(in: bytes)
        guard let status = Status(rawValue: text) else { throw .damaged }
        self.status = status
        madeAt = Timestamp(secondsSince1970: try fields.number(in: bytes))
        let end = try fields.number(in: bytes)
        self.end = end == 0 ? nil : Timestamp(secondsSince1970: end)
        (offerText, replyText) = (try fields.bytes(in: bytes), try fields.bytes(in: bytes))
        grantText = try fields.bytes(in: bytes)
        code = try fields.storedSecret(in: bytes)
        secret = try fields.storedSecret(in: bytes)
        (couple, lookup) = try fields.pairingName()
        guard status.isLive == (code != nil), status.isLive == (secret != nil) else { throw .damaged }
        guard code.map({ $0.bytes.count == PairingCode.Lookup.symbolCount }) ?? true else { throw .damaged }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: status.rawValue)
        output.append(field: [UInt8](bigEndian: madeAt.secondsSince1970))
        output.append(field: [UInt8](bigEndian: end?.secondsSince1970 ?? 0))
        output.append(field: offerText)
        output.append(field: replyText)
        output.append(field: grantText)
        output.append(field: code)
        output.append(field: secret)
    }

    func checkWhole() throws(VaultError) { _ = (try offer(), try reply(), try grant()) }
}

extension RecordFields {
    /// The couple and the first half of the code, of which a pairing's id consists.
    fileprivate func pairingName() throws(VaultError) -> (CoupleID, PairingCode.Lookup) {
        let bytes = id.bytes
        var parts = RecordFields(count: bytes.count)
        let couple: CoupleID = try parts.identifier(in: bytes.span)
        let lookup = try parts.parsed(try parts.text(in: bytes.span)) {
            try PairingCode.Lookup(parsing: $0)
        }
        try parts.finish()
        return (couple, lookup)
    }
}

extension Transaction {
    /// All of a couple, those that were made later behind the others.
    func pairings(of couple: CoupleID) throws(VaultError) -> [StoredPairing] {
        try records(StoredPairing.self, under: RecordID(couple.bytes)).sorted { $0.madeAt < $1.madeAt }
    }

    /// Those of any couple whose code begins so: one, as a rule.
    func pairings(_ lookup: PairingCode.Lookup) throws(VaultError) -> [StoredPairing] {
        try records(StoredPairing.self).filter { $0.lookup == lookup }
    }

    /// The offer that is open here, or the answer that waits.
    func livePairing(of couple: CoupleID, _ status: StoredPairing.Status) throws(VaultError) -> StoredPairing?
    {
        try pairings(of: couple).first { $0.status == status }
    }

    /// The couples for which an answer waits for its grant.
    var waitingCoupleIDs: Set<CoupleID> {
        get throws(VaultError) {
            Set(try records(StoredPairing.self).filter { $0.status == .waiting }.map(\.couple))
        }
    }

    /// Refuses to touch the keys of a couple while an answer waits for its grant: they were sent with it.
    func checkNothingWaits(of couple: CoupleID) throws(VaultError) {
        guard try livePairing(of: couple, .waiting) == nil else { throw .pairing(.answerWaiting) }
    }

    /// Gives up the answer that waits if it is to another user, or to another key of theirs, than people vouch for now.
    mutating func giveUpAnswers(
        of id: CoupleID, unlessTo user: UserID, with key: PublicKeyToken
    ) throws(VaultError) {
        guard let waiting = try livePairing(of: id, .waiting) else { return }
        let inviter = try waiting.offer().inviter
        guard inviter.user != user || !inviter.publicKey.isSameKey(as: key) else { return }
        put(waiting.closed(.givenUp))
    }

    /// Refuses an unverified key that differs from the inviter's, while a reply waits for that inviter's grant.
    func checkAnswers(of id: CoupleID, areTo user: UserID, with key: PublicKeyToken) throws(VaultError) {
        guard let inviter = try livePairing(of: id, .waiting)?.offer().inviter else { return }
        guard inviter.user == user, inviter.publicKey.isSameKey(as: key) else {
            throw .pairing(.answerWaiting)
        }
    }

    /// Closes every open offer of the vault. The keys that it may have given elsewhere are private no longer, nor are those that only
    /// this device had: another offer may have given them.
    mutating func closeOffers() throws(VaultError) {
        let open = try records(StoredPairing.self).filter { $0.status == .open }
        for couple in try records(Couple.self) {
            let isAlone = try isNotYetPaired(couple)
            if isAlone || open.contains(where: { $0.couple == couple.id }) { try give(couple) }
        }
        for pairing in open { put(pairing.closed(.cancelled)) }
    }
}
