public import CloserKeys

// A couple ends on this device. What must not come back stays known.

extension Vault {
    /// Forgets the couple, its answers and its partners, and closes its offers. The vault keeps the couple's highest version, its
    /// epoch, the marks of its retired keys, and whether the partner authenticates answers.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, or `.damaged` if a partner's record fails to open.
    public func forget(_ id: CoupleID) throws(VaultError) {
        try change { (transaction) throws(VaultError) in
            let couple = try transaction.couple(id)
            for kind in [RecordKind.couple, .invite, .rekey, .answer, .phrase, .keptPhrase] {
                transaction.delete(kind, under: RecordID(id.bytes))
            }
            let former = try transaction.record(ForgottenCouple.self, ForgottenCouple.id(id))
            transaction.put(ForgottenCouple(couple, after: former))
            // Also those that are over: what they gave, or took, is no more.
            for pairing in try transaction.pairings(of: id)
            where pairing.status.isLive || pairing.hasGrant {
                transaction.put(pairing.closed(pairing.isOffer ? .cancelled : .givenUp))
            }
            for partner in try transaction.partners(of: id) { transaction.forget(partner) }
        }
    }
}
