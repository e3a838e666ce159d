package import CloserKeys

/// All that a vault says of a couple, at one moment.
package struct CoupleOverview: Sendable {
    package let id: CoupleID
    /// Its keys; nil as long as this device only waits for the grant that brings them.
    package let couple: Couple?
    /// Nil without a key.
    package let state: PairingState?
    /// Nil without a key.
    package let migration: Migration?
    /// Who this device's user is.
    package let ours: UserID
    /// By user id.
    package let partners: [Partner]
    /// The invites that were made or answered here, those that were made later behind the others.
    package let pairings: [StoredPairing]
    /// Whether this vault keeps the couple's recovery phrase.
    package let keepsPhrase: Bool

    /// The pairing of which something may still come, or else the last one.
    package var pairing: StoredPairing? { pairings.last { $0.status.isLive } ?? pairings.last }
}

extension CoupleOverview {
    fileprivate init(of id: CoupleID, _ couple: Couple?, in transaction: Transaction) throws(VaultError) {
        let pairings = try transaction.pairings(of: id)
        guard couple != nil || pairings.contains(where: { $0.status.isLive }) else {
            throw .couple(.missing)
        }
        var (state, migration): (PairingState?, Migration?)
        if let couple {
            (state, migration) = (try transaction.state(of: couple), try transaction.migration(of: couple))
        }
        self.init(
            id: id, couple: couple, state: state, migration: migration, ours: try transaction.device.userID,
            partners: try transaction.partners(of: id).sorted { $0.userID.text < $1.userID.text },
            pairings: pairings, keepsPhrase: try transaction.keptPhrase(of: id) != nil)
    }
}

extension Vault {
    /// - Throws: ``VaultError``: `.couple(.missing)` if there is no such couple, and no answer waits that would bring it; `.damaged`.
    package func overview(of id: CoupleID) throws(VaultError) -> CoupleOverview {
        try read { (transaction) throws(VaultError) in
            try CoupleOverview(of: id, transaction.record(Couple.self, Couple.id(id)), in: transaction)
        }
    }

    /// Every couple, and every answer that waits for the grant of one, by the couple's id, at one moment.
    package var overviews: [CoupleOverview] {
        get throws(VaultError) {
            try read { (transaction) throws(VaultError) in
                var overviews: [CoupleOverview] = []
                for couple in try transaction.records(Couple.self) {
                    overviews.append(try CoupleOverview(of: couple.id, couple, in: transaction))
                }
                let known = Set(overviews.map(\.id))
                for id in try transaction.waitingCoupleIDs.subtracting(known) {
                    overviews.append(try CoupleOverview(of: id, nil, in: transaction))
                }
                return overviews.sorted { $0.id.text < $1.id.text }
            }
        }
    }

    /// The couples for which an answer waits for its grant, sorted.
    package var waitingCoupleIDs: [CoupleID] {
        get throws(VaultError) {
            try read { (transaction) throws(VaultError) in try transaction.waitingCoupleIDs }
                .sorted { $0.text < $1.text }
        }
    }

    /// The couples whose keys others may have, or will have, sorted: all but those that only this device had.
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
