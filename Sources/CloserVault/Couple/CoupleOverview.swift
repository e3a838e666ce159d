package import CloserKeys

/// All that a vault says of a couple, at one moment.
package struct CoupleOverview: Sendable {
    package let couple: Couple
    package let state: PairingState
    /// By user id.
    package let partners: [Partner]
    /// The invites that were made or answered here, those that were made later behind the others.
    package let pairings: [StoredPairing]
}

extension CoupleOverview {
    fileprivate init(of couple: Couple, in transaction: Transaction) throws(VaultError) {
        self.init(
            couple: couple, state: try transaction.state(of: couple),
            partners: try transaction.partners(of: couple.id).sorted { $0.userID.text < $1.userID.text },
            pairings: try transaction.pairings(of: couple.id))
    }
}

extension Vault {
    /// - Throws: ``VaultError``: `.couple(.missing)`, `.damaged`.
    package func overview(of id: CoupleID) throws(VaultError) -> CoupleOverview {
        try read { (transaction) throws(VaultError) in
            try CoupleOverview(of: transaction.couple(id), in: transaction)
        }
    }

    /// Every couple, by its id, at one moment.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    package var overviews: [CoupleOverview] {
        get throws(VaultError) {
            try read { (transaction) throws(VaultError) in
                var overviews: [CoupleOverview] = []
                for couple in try transaction.records(Couple.self) {
                    overviews.append(try CoupleOverview(of: couple, in: transaction))
                }
                return overviews.sorted { $0.couple.id.text < $1.couple.id.text }
            }
        }
    }

    /// The couples whose keys others may have, or will have, sorted: all but those that only this device had.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    package var sharedCoupleIDs: [CoupleID] {
        get throws(VaultError) {
            try read { (transaction) throws(VaultError) in
                var ids: [CoupleID] = []
                for couple in try transaction.records(Couple.self)
                where try !transaction.isNotYetPaired(couple) {
                    ids.append(couple.id)
                }
                return ids.sorted { $0.text < $1.text }
            }
        }
    }
}
