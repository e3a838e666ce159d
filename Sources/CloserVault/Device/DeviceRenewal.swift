internal import CloserPrimitives
internal import CloserTink

// A device of the user was lost. Its finder has the key of the vault, and all that the vault had.

extension Vault {
    /// Locks a lost device out: draws a new vault key under `new`, a new identity key and a new X25519 key, in one change.
    ///
    /// The older identity keys and seven older X25519 keys stay, so that what was sealed to them opens. Every key of every couple counts
    /// as exposed. Open offers and waiting replies are given up, and rekeys that were sent are deleted. Afterwards publish
    /// ``Device/publicKey``, link the other devices again, and pair again with each partner.
    ///
    /// Keep `new` where this device will find it before you call this, beside the former key, which the vault has until this returns. Or use
    /// ``KeychainStore/renew(_:)``. A vault without its key is lost.
    ///
    /// - Returns: The id of the oldest identity key, if it was removed: an identity has at most ``/CloserTink/Keyset/maximumKeyCount`` keys.
    /// - Throws: ``VaultError``: `.formerCredential` if `new` opens the vault already, `.authenticationFailed` if another device was
    ///   faster, and as each verb that changes.
    @discardableResult
    public func renew(locking new: borrowing Credential) throws(VaultError) -> UInt32? {
        try protect(by: new, newVaultKey: true) { (transaction) throws(VaultError) in try transaction.renew()
        }
    }
}

extension Transaction {
    fileprivate mutating func renew() throws(VaultError) -> UInt32? {
        let (device, removed) = try device.renewed()
        put(device)
        for pairing in try records(StoredPairing.self) where pairing.status.isLive {
            put(pairing.closed(.cancelled))
        }
        for couple in try records(Couple.self) {
            expose(couple)
            try closeGrants(of: couple.id)
        }
        delete(.rekey, under: RecordID())
        try restartChats(endingKeys: true)
        return removed
    }
}

extension Device {
    /// With new keys in front of the older ones. Also gives the id of the oldest identity key, if it makes room.
    fileprivate func renewed() throws(VaultError) -> (Device, removed: UInt32?) {
        var (identity, removed) = (identity, nil as UInt32?)
        if identity.entries.count == Keyset.maximumKeyCount {
            removed = identity.entries.first { $0.id != identity.primaryID }?.id
        }
        do throws(KeysetError) {
            if let removed { identity = try identity.removing(removed) }
            identity = try identity.rotating()
        } catch { throw .keyset(error) }
        return (
            Device(userID, identity, [X25519.PrivateKey()] + x25519Keys.prefix(Self.maximumX25519Count - 1)),
            removed
        )
    }
}
