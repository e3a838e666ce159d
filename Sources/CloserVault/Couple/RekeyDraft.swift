public import CloserKeys
internal import CloserTink

/// A new key of a couple, made but not stored yet, with its phrase and what the partner gets (closer-keys-formats(7), REKEYING).
///
/// Bring the phrase to paper or to a file before you store it: if that fails, the vault is as before.
@frozen public struct RekeyDraft: ~Copyable, Sendable {
    /// The couple as it will be.
    public let couple: Couple
    /// Shown once.
    public let phrase: RecoveryPhrase
    /// What the partner's device accepts.
    public let document: RekeyDocument
    fileprivate let partnerKey: PublicKeyToken
    fileprivate let basis: CoupleBasis

    fileprivate init(
        _ before: Couple, on basis: CoupleBasis, _ device: Device, _ partner: Partner, epoch: UInt32,
        wrappingBy wrap: (CoupleKey, borrowing RecoveryPhrase) throws(VaultError) -> KeyWrap
    ) throws(VaultError) {
        guard partner.isVerified, let partnerKey = partner.key else { throw .rekey(.notVerified) }
        var couple = before
        let phrase = RecoveryPhrase.random()
        let document: RekeyDocument
        do {
            couple.key = try couple.key.rotated()
            let hold = CoupleHold(epoch: epoch, key: couple.key.enabledOnly)
            let rekey = Rekey(CoupleGrant(hold, phrase: phrase.copy()))
            let route = RekeyRoute(couple: couple.id, from: device.userID, to: partner.userID)
            let keybox = try rekey.sealed(on: route, with: device.identity, to: partnerKey)
            document = RekeyDocument(keybox, on: route, epoch: epoch)
        } catch .tooManyKeys { throw .rekey(.tooManyKeys) } catch { throw .keyset(error) }
        couple.wrap = try wrap(couple.key, phrase)
        couple.rekeys(at: epoch)
        (self.couple, self.basis, self.partnerKey, self.document) = (couple, basis, partnerKey, document)
        self.phrase = phrase
    }
}

extension RekeyDraft: CoupleStep {
    borrowing func newPhrase() -> StoredPhrase? { StoredPhrase(phrase, of: couple.id) }

    borrowing func apply(to transaction: inout Transaction) throws(VaultError) {
        let id = couple.id
        try transaction.checkNothingWaits(of: id)
        var new = couple
        // It may have come further since.
        new.migrated = try transaction.couple(id).migrated
        let partner = try transaction.partner(document.recipientID, of: id)
        guard try !basis.hasChanged(in: transaction), partner.isVerified, partner.key == partnerKey else {
            throw .rekey(.changedMeanwhile)
        }
        transaction.put(new)
        transaction.put(StoredRekey(document, couple: id, to: partnerKey))
        transaction.delete(.invite, under: StoredInvite.id(id))
        transaction.delete(.phrase, under: StoredPhrase.id(id))
    }
}

extension Vault {
    /// Whether it is this device that makes a new key and sends it, so that the two never send at once: the user whose id sorts first does.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public func sendsRekey(partner: UserID) throws(VaultError) -> Bool {
        RekeyRoute.sends(try device.userID, before: partner)
    }

    /// The rekey that this device sent last, to be sent again. Nil if it went to another partner or to a former key of theirs, or
    /// if its key is no longer the private key that seals here.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    public func sentRekey(of id: CoupleID, partner userID: UserID) throws(VaultError) -> RekeyDocument? {
        try read { (transaction) throws(VaultError) in
            let couple = try transaction.couple(id)
            let sent = try transaction.record(StoredRekey.self, StoredRekey.id(id))
            let partner = try transaction.partner(userID, of: id)
            guard let sent, sent.document.recipientID == userID, sent.partnerKey == partner.key,
                couple.primaryOrigin == .rekey, couple.epoch == sent.document.epoch
            else { return nil }
            return sent.document
        }
    }

    /// Makes a new couple key for this device and a partner whose key was compared. The old keys stay for reading.
    ///
    /// `epoch` is by default the next number. A recovered device may need a higher one, by 1000 at most: no device accepts a
    /// greater step.
    ///
    /// It blocks for Argon2id, some 0.1 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.rekey` with `.partnerIsSelf`, `.notVerified`, `.partnerSends`, `.epoch`,
    ///   `.epochTooHigh` or `.tooManyKeys`; `.outOfMemory`.
    public func draftRekey(
        of id: CoupleID, partner userID: UserID, epoch: UInt32? = nil
    ) throws(VaultError) -> RekeyDraft {
        let (couple, basis, device, partner) = try read { (transaction) throws(VaultError) in
            try transaction.checkNothingWaits(of: id)
            return (
                try transaction.couple(id), try transaction.basis(of: id), try transaction.device,
                try transaction.partner(userID, of: id)
            )
        }
        guard userID != device.userID else { throw .rekey(.partnerIsSelf) }
        guard partner.isVerified else { throw .rekey(.notVerified) }
        guard RekeyRoute.sends(device.userID, before: userID) else { throw .rekey(.partnerSends) }
        let last = couple.epoch
        guard let next = epoch ?? (last < .max ? last + 1 : nil), next < .max,
            next <= last || next - last <= CoupleHold.maximumEpochGap
        else { throw .rekey(.epochTooHigh(epoch ?? .max)) }
        guard next > last else { throw .rekey(.epoch(next, expected: last + 1)) }
        return try RekeyDraft(couple, on: basis, device, partner, epoch: next, wrappingBy: wrap)
    }

    /// Stores the draft. After that, the new key seals here. An older invite has only the old key.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, or `.rekey(.changedMeanwhile)` if the couple or the partner changed since.
    public func store(_ draft: borrowing RekeyDraft) throws(VaultError) { try carryOut(draft) }
}
