public import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

// A partner's rekey is taken, and an old key is given up (closer-keys-formats(7), REKEYING). Sending begins with a
// ``RekeyDraft``.

/// A partner's rekey that was opened and checked, but is not stored yet.
///
/// Bring the phrase to paper or to a file before you store it: if that fails, the vault is as before.
public struct RekeyAcceptance: ~Copyable, Sendable {
    /// The couple as it will be.
    public let couple: Couple
    /// The couple's new recovery phrase. The partner has it, too.
    public let phrase: RecoveryPhrase
    fileprivate let user: UserID
    fileprivate let before: RekeyMembers

    fileprivate init(_ couple: Couple, _ phrase: consuming RecoveryPhrase, after before: RekeyMembers) {
        (self.couple, user, self.before) = (couple, before.partner.userID, before)
        self.phrase = phrase
    }
}

extension RekeyAcceptance: CoupleStep {
    borrowing func newPhrase() -> StoredPhrase? { StoredPhrase(phrase, of: couple.id) }

    borrowing func apply(to transaction: inout Transaction) throws(VaultError) {
        try transaction.checkNothingWaits(of: couple.id)
        let now = try transaction.members(of: couple.id, with: user)
        guard now.isUnchanged(since: before) else { throw .rekey(.changedMeanwhile) }
        var new = couple
        // It may have come further since.
        new.migrated = now.couple.migrated
        transaction.put(new)
        transaction.delete(.invite, under: StoredInvite.id(couple.id))
        transaction.delete(.phrase, under: StoredPhrase.id(couple.id))
        try transaction.raisePin(of: new)
    }
}

extension Vault {
    /// Opens a partner's rekey. It must be from the device that was verified here, have the next epoch, and keep every key.
    ///
    /// `allowingGap` also accepts a higher epoch, because a rekey brings all keys.
    ///
    /// Nil if it is the rekey that was accepted last: the couple stays as it is.
    ///
    /// It blocks for Argon2id, some 0.1 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.rekey` with `.partnerIsSelf`, `.notVerified`, `.weSend`, `.forAnother`,
    ///   `.fromAnother`, `.epoch`, `.epochTooHigh`, `.losesKeys` or `.oldPrimary`; `.rekeyDocument`; `.keyset`, `.outOfMemory`.
    public func draftAcceptance(
        for document: RekeyDocument, of id: CoupleID, partner userID: UserID, allowingGap: Bool = false
    ) throws(VaultError) -> RekeyAcceptance? {
        let (before, device) = try read { (transaction) throws(VaultError) in
            try transaction.checkNothingWaits(of: id)
            return (try transaction.members(of: id, with: userID), try transaction.device)
        }
        return try before.taking(document, as: device, allowingGap: allowingGap, wrappingBy: wrap)
    }

    /// Stores the accepted rekey. After that, the partner's new key seals here.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, or `.rekey(.changedMeanwhile)` if the couple or the partner changed since.
    public func store(_ acceptance: borrowing RekeyAcceptance) throws(VaultError) { try carryOut(acceptance) }

    /// Removes an old key. What it sealed stays closed here, and answers proven under it are refused.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, `.pairing(.answerWaiting)`; `.keyset` with `.isPrimary` or `.noSuchKey`.
    @discardableResult
    public func retire(_ keyID: UInt32, of id: CoupleID) throws(VaultError) -> Couple {
        try change { (transaction) throws(VaultError) in
            try transaction.checkNothingWaits(of: id)
            var couple = try transaction.couple(id)
            let before = FormerKeys(couple.key, of: id)
            do throws(KeysetError) { couple.key = try couple.key.retiring(keyID) } catch {
                throw .keyset(error)
            }
            // Bytes that another of the couple's keys has, too, are kept.
            couple.retired = couple.retired.union(before).subtracting(FormerKeys(couple.key, of: id))
            couple.origins[keyID] = nil
            transaction.put(couple)
            return couple
        }
    }
}

/// A couple and the partner who rekeys it.
struct RekeyMembers {
    let couple: Couple
    let partner: Partner
    /// What the device had, or had given up, when it forgot this couple: what became of that since is unknown.
    let formerKeys: FormerKeys?
    /// Our identity key, to which a rekey is sealed.
    let identityID: UInt32

    /// Whether the couple is as it was: its keys, their origins, the verified key and our identity.
    func isUnchanged(since before: RekeyMembers) -> Bool {
        couple.hasSameKeys(as: before.couple) && couple.origins == before.couple.origins
            && partner.verifiedKey == before.partner.verifiedKey && formerKeys == before.formerKeys
            && identityID == before.identityID
    }

    /// The couple as it will be, and its phrase; nil if this very document was taken last, and what it brought is still private. The new
    /// wrap costs what it must cost to try a phrase, so it is made before the vault is locked.
    fileprivate func taking(
        _ document: RekeyDocument, as device: Device, allowingGap: Bool,
        wrappingBy wrap: (CoupleKey, borrowing RecoveryPhrase) throws(VaultError) -> KeyWrap
    ) throws(VaultError) -> RekeyAcceptance? {
        let rekey = try device.open(document, of: couple.id, from: partner)
        let digest = SHA256.hash(document.bytes.span)
        if couple.isPrivate, couple.acceptedRekey == digest { return nil }
        var new = couple
        try new.take(rekey.grant.hold, allowingGap: allowingGap)
        guard formerKeys?.contains(new.key.keyset.primary) != true else { throw .rekey(.oldPrimary) }
        new.wrap = try wrap(new.key, rekey.grant.phrase)
        new.acceptedRekey = digest
        return RekeyAcceptance(new, rekey.grant.phrase.copy(), after: self)
    }
}

extension Transaction {
    func members(of id: CoupleID, with userID: UserID) throws(VaultError) -> RekeyMembers {
        let former = try record(ForgottenCouple.self, ForgottenCouple.id(id))
        var couple = try couple(id)
        // What came back by a recovery counts as kept again.
        couple.retired = try retired(of: id).subtracting(FormerKeys(couple.key, of: id))
        return RekeyMembers(
            couple: couple, partner: try partner(userID, of: id),
            formerKeys: former.map { $0.keys.union($0.retired) }, identityID: try device.identity.primaryID)
    }
}

extension Device {
    fileprivate func open(
        _ document: RekeyDocument, of couple: CoupleID, from partner: Partner
    ) throws(VaultError) -> Rekey {
        guard partner.userID != userID else { throw .rekey(.partnerIsSelf) }
        guard partner.isVerified, let key = partner.key else { throw .rekey(.notVerified) }
        guard RekeyRoute.sends(partner.userID, before: userID) else { throw .rekey(.weSend) }
        guard document.recipientID == userID else { throw .rekey(.forAnother) }
        guard document.senderID == partner.userID else { throw .rekey(.fromAnother) }
        let route = RekeyRoute(couple: couple, from: partner.userID, to: userID)
        do {
            return try Rekey(
                opening: document.keybox, epoch: document.epoch, on: route, with: identity, from: key)
        } catch { throw .rekeyDocument(error) }
    }
}

extension Couple {
    /// An authentic rekey may still be an old one, or lose a key.
    fileprivate mutating func take(_ rekey: CoupleHold, allowingGap: Bool) throws(VaultError) {
        guard rekey.epoch < .max, rekey.epoch <= epoch || rekey.epoch - epoch <= CoupleHold.maximumEpochGap
        else { throw .rekey(.epochTooHigh(rekey.epoch)) }
        guard rekey.epoch > epoch, rekey.epoch - epoch == 1 || allowingGap else {
            throw .rekey(.epoch(rekey.epoch, expected: epoch < .max ? epoch + 1 : epoch))
        }
        // A key that opens nothing would keep its id from a key that comes later.
        let offered = rekey.key.enabledOnly
        guard offered.hasAllKeys(of: key.enabledOnly) else {
            let sealing = key.keyset.primaryID
            throw .rekey(.losesKeys(primary: offered.keyset.entries.allSatisfy { $0.id != sealing }))
        }
        guard offered.hasNewPrimary(comparedTo: key), !retired.contains(offered.keyset.primary) else {
            throw .rekey(.oldPrimary)
        }
        do { key = try withoutRetired(offered) } catch { throw .keyset(error) }
        rekeys(at: rekey.epoch)
    }
}
