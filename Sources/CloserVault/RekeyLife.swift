public import CloserKeys
internal import CloserPrimitives
internal import CloserTink

// A partner's rekey is taken, and an old key given up (security §5). Sending begins with a ``RekeyDraft``.

extension Vault {
    /// Takes a partner's rekey, if it was made by the very device that was verified here, is the next one and loses no
    /// key. Otherwise nothing changes.
    ///
    /// `allowingGap` takes one of a higher number, too: it brings all keys, so nothing is lost with those between.
    @discardableResult
    public func accept(
        _ document: RekeyDocument, of id: Identifier, from userID: Identifier, allowingGap: Bool = false
    ) throws -> Couple {
        let (couple, device, partner) = try read { transaction in
            (try transaction.couple(id), try transaction.device, try transaction.partner(userID, of: id))
        }
        let rekey = try device.open(document, of: id, from: partner)
        var new = couple
        try new.take(rekey, allowingGap: allowingGap)
        // Costs what it must cost to try a phrase, so it is done before the vault is locked.
        new.wrap = KeyWrap(new.key, under: rekey.phrase)
        try change { transaction in
            let current = try transaction.couple(id)
            guard current.epoch == couple.epoch, current.key.hasAllKeys(of: couple.key),
                couple.key.hasAllKeys(of: current.key),
                try transaction.partner(userID, of: id).verifiedKey == partner.verifiedKey
            else { throw RekeyError.changedMeanwhile }
            try transaction.put(new)
            try transaction.delete(.invite, StoredInvite.id(id))
            try transaction.raisePin(of: id, to: .strict)
        }
        return new
    }

    /// Gives up an old key: what it sealed cannot be read here any more, and answers proven under it are not taken.
    @discardableResult
    public func retire(_ keyID: UInt32, of id: Identifier) throws -> Couple {
        try change { transaction in
            var couple = try transaction.couple(id)
            do throws(KeysetError) { couple.key = try couple.key.retiring(keyID) } catch {
                throw RekeyError.keyset(error)
            }
            couple.retiredIDs.insert(keyID)
            try transaction.put(couple)
            return couple
        }
    }
}

extension Device {
    fileprivate func open(
        _ document: RekeyDocument, of couple: Identifier, from partner: Partner
    ) throws(RekeyError) -> Rekey {
        guard partner.userID != userID else { throw .partnerIsSelf }
        guard partner.isVerified, let key = partner.key else { throw .notVerified }
        guard RekeyRoute.sends(partner.userID, before: userID) else { throw .weSend }
        guard document.recipientID == userID else { throw .forAnother }
        guard document.senderID == partner.userID else { throw .fromAnother }
        let route = RekeyRoute(couple: couple, from: partner.userID, to: userID)
        do {
            return try Rekey(
                opening: document.keybox, epoch: document.epoch, on: route, with: identity, from: key)
        } catch { throw .opening(error) }
    }
}

extension Couple {
    /// What is authentic may still be old, or lose something.
    fileprivate mutating func take(_ rekey: borrowing Rekey, allowingGap: Bool) throws(RekeyError) {
        guard rekey.epoch > epoch, rekey.epoch - epoch == 1 || allowingGap else {
            throw .epoch(rekey.epoch, expected: epoch < .max ? epoch + 1 : epoch)
        }
        guard rekey.key.hasAllKeys(of: key) else { throw .losesKeys }
        guard rekey.key.hasNewPrimary(comparedTo: key) else { throw .oldPrimary }
        do { key = try withoutRetired(rekey.key) } catch { throw .keyset(error) }
        epoch = rekey.epoch
        rekeyedIDs.insert(key.keyset.primaryID)
    }
}
