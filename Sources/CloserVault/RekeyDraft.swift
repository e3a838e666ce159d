public import CloserKeys
internal import CloserTink

/// A new key of a couple, made and not yet stored, with its phrase and what the partner gets (security §5).
///
/// Between the two, the phrase can be brought to paper or to a file: whatever fails there, the vault is as before.
public struct RekeyDraft: ~Copyable, Sendable {
    /// The couple as it will be.
    public let couple: Couple
    /// Shown once.
    public let phrase: RecoveryPhrase
    /// What the partner's device accepts.
    public let document: RekeyDocument
    fileprivate let partnerKey: PublicKeyToken

    fileprivate init(_ couple: Couple, _ device: Device, _ partner: Partner) throws(RekeyError) {
        guard partner.isVerified, let partnerKey = partner.key else { throw .notVerified }
        var couple = couple
        let phrase = RecoveryPhrase.random()
        do {
            couple.key = try couple.key.rotated()
            let rekey = Rekey(epoch: couple.epoch + 1, key: couple.key, phrase: phrase.copy())
            let route = RekeyRoute(couple: couple.id, from: device.userID, to: partner.userID)
            let keybox = try rekey.sealed(on: route, with: device.identity, to: partnerKey)
            document = RekeyDocument(keybox, on: route, epoch: rekey.epoch)
        } catch { throw .keyset(error) }
        couple.wrap = KeyWrap(couple.key, under: phrase)
        couple.rekeyedIDs.insert(couple.key.keyset.primaryID)
        couple.epoch += 1
        (self.couple, self.partnerKey) = (couple, partnerKey)
        self.phrase = phrase
    }
}

extension Vault {
    /// The rekey that this device sent last, if it was to this partner.
    public func sentRekey(of id: Identifier, to partner: Identifier) throws -> RekeyDocument? {
        let document = try read { transaction in
            _ = try transaction.couple(id)
            return try transaction.record(StoredRekey.self, StoredRekey.id(id))?.document
        }
        return document?.recipientID == partner ? document : nil
    }

    /// Makes a new couple key for this device and a partner whose key was compared. The old keys stay for reading.
    public func draftRekey(_ id: Identifier, to userID: Identifier) throws -> RekeyDraft {
        let (couple, device, partner) = try read { transaction in
            (try transaction.couple(id), try transaction.device, try transaction.partner(userID, of: id))
        }
        guard userID != device.userID else { throw RekeyError.partnerIsSelf }
        guard partner.isVerified else { throw RekeyError.notVerified }
        guard RekeyRoute.sends(device.userID, before: userID) else { throw RekeyError.partnerSends }
        return try RekeyDraft(couple, device, partner)
    }

    /// Stores what was drafted: from now on the new key seals here. An invite of before has only the old key.
    public func store(_ draft: borrowing RekeyDraft) throws {
        let (couple, document, partnerKey) = (draft.couple, draft.document, draft.partnerKey)
        try change { transaction in
            let existing = try transaction.couple(couple.id)
            let partner = try transaction.partner(document.recipientID, of: couple.id)
            guard existing.epoch + 1 == couple.epoch, couple.key.hasAllKeys(of: existing.key),
                partner.isVerified, partner.key == partnerKey
            else { throw RekeyError.changedMeanwhile }
            try transaction.put(couple)
            try transaction.put(StoredRekey(document, couple: couple.id))
            try transaction.delete(.invite, StoredInvite.id(couple.id))
        }
    }
}
