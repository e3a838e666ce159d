public import CloserKeys
public import CloserPrimitives

// The couples of a vault, and what is known of each.

extension Vault {
    /// The couple of this name.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, or `.pairing(.answerWaiting)` if a grant will bring it.
    public func couple(_ id: CoupleID) throws(VaultError) -> Couple {
        try read { (transaction) throws(VaultError) in try transaction.couple(id) }
    }

    /// All couples, sorted by name.
    ///
    /// - Throws: ``VaultError``: `.damaged` if one of them fails to open.
    public var couples: [Couple] {
        get throws(VaultError) {
            try read { (transaction) throws(VaultError) in try transaction.records(Couple.self) }
                .sorted { $0.id.text < $1.id.text }
        }
    }

    /// The ids of all couples, sorted. It opens none of them: in a vault with hundreds, the keys of all at once would need more
    /// guarded pages than a process gets.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public var coupleIDs: [CoupleID] {
        get throws(VaultError) {
            try read { (transaction) throws(VaultError) in
                var ids: [CoupleID] = []
                for entry in transaction.index.entries(of: .couple, under: nil) {
                    guard let id = try? CoupleID(parsing: entry.name.id.firstPart) else { throw .damaged }
                    ids.append(id)
                }
                return ids.sorted { $0.text < $1.text }
            }
        }
    }

    /// Says why a couple lacks a key, if this vault knows it.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.missing`, `.retiredKey` or `.keyOfAnother`.
    package func explainLack(ofKey keyID: UInt32, in id: CoupleID) throws(VaultError) {
        guard try !couple(id).retiredKeyIDs.contains(keyID) else { throw .couple(.retiredKey(keyID)) }
        for other in try coupleIDs where other != id {
            guard try !couple(other).opens(underKey: keyID) else { throw .couple(.keyOfAnother(other)) }
        }
    }

    /// Whether the server may hold the couple's key.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    public func pairingState(of id: CoupleID) throws(VaultError) -> PairingState {
        try read { (transaction) throws(VaultError) in try transaction.state(of: try transaction.couple(id)) }
    }

    /// The couple's partners, as far as they are known: one, as a rule. Empty for an unknown couple.
    ///
    /// - Throws: ``VaultError``: `.damaged`.
    public func partners(of id: CoupleID) throws(VaultError) -> [Partner] {
        try read { (transaction) throws(VaultError) in try transaction.partners(of: id) }
            .sorted { $0.userID.text < $1.userID.text }
    }

    /// The invite that was made here, to be handed out again: a JSON document with its code.
    ///
    /// - Throws: ``VaultError``: `.pairing(.required)`; `.couple` with `.missing`, `.neverInvited` or `.noInvite`.
    public func invite(of id: CoupleID) throws(VaultError) -> SecretBytes {
        let invite = try read { (transaction) throws(VaultError) in
            try transaction.checkAllowsInvites()
            guard try !transaction.couple(id).isPrivate else { throw .couple(.neverInvited) }
            return try transaction.record(StoredInvite.self, StoredInvite.id(id))
        }
        guard let invite else { throw .couple(.noInvite) }
        return invite.copy()
    }

    /// Puts the phrase of the invite that was made here under another code, for an app that refuses a code which it has already. Phrase and
    /// wrap stay, and the former invite still opens with its code. It blocks for Argon2id, twice, some 0.2 s.
    ///
    /// - Throws: ``VaultError``: as ``invite(of:)``, and `.unwrap(.outOfMemory)`.
    public func renewInvite(of id: CoupleID) throws(VaultError) -> SecretBytes {
        let former = try invite(of: id)
        let renewed: InviteDocument?
        do { renewed = try InviteDocument(parsing: former).underAnotherCode() } catch let error as UnwrapError
        {
            throw .unwrap(error)
        } catch { throw .damaged }
        guard let bytes = renewed?.bytes else { throw .damaged }
        let stored = StoredInvite(bytes, couple: id)
        try change { (transaction) throws(VaultError) in
            guard try transaction.record(StoredInvite.self, StoredInvite.id(id)) != nil else {
                throw .couple(.noInvite)
            }
            transaction.put(stored)
        }
        return stored.copy()
    }
}

extension Transaction {
    func couple(_ id: CoupleID) throws(VaultError) -> Couple {
        guard let couple = try record(Couple.self, Couple.id(id)) else {
            try checkNothingWaits(of: id)
            throw .couple(.missing)
        }
        return couple
    }
}
