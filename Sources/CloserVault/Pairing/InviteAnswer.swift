internal import CloserFiles
public import CloserKeys

// A partner's invite is answered (closer-keys-pairing(7), STEPS).

extension Vault {
    /// Answers an invite with the code that the inviter told. While it waits for the grant, the same offer and code give the same
    /// reply.
    ///
    /// The keys that this device has of the couple go with it, sealed: whoever made the code gets them, and none counts as private.
    ///
    /// It blocks until the change is on the disk: some milliseconds as a rule, and up to half a minute while other processes
    /// write.
    ///
    /// - Parameters:
    ///   - offer: The document that the partner's device made.
    ///   - code: The pairing code, which the partner passed on by voice or on paper.
    ///   - couple: Which couple it must be an invite to; nil for the one that the offer names.
    ///   - partner: Who must have made it; nil for whoever knows the code.
    ///   - allowingNewKey: Whether the partner may have another key than before, as with a new device.
    /// - Throws: ``VaultError``: `.refused`; `.pairing` with `.otherCouple`, `.ownInvite`, `.inviteUsed`, `.notTheNamed`, `.otherPartner`,
    ///   `.partnerKeyChanged` or `.inviteOpen`.
    public func accept(
        _ offer: PairOffer, code: borrowing PairingCode, to couple: CoupleID? = nil,
        from partner: UserID? = nil, allowingNewKey: Bool = false
    ) throws(VaultError) -> PairReply {
        let expected = ExpectedPartner(user: partner, mayHaveNewKey: allowingNewKey)
        return try accept(offer, code: code, to: couple, expected, at: WallClock.now)
    }

    func accept(
        _ offer: PairOffer, code: borrowing PairingCode, to couple: CoupleID?, _ expected: ExpectedPartner,
        at now: @autoclosure () -> UInt64
    ) throws(VaultError) -> PairReply {
        try change { (transaction) throws(VaultError) in
            guard code.lookup == offer.lookup else { throw .refused(.otherCode) }
            guard couple.map({ $0 == offer.couple }) ?? true else { throw .pairing(.otherCouple) }
            if let reply = try transaction.reply(again: offer, code) { return reply }
            let now = now()
            // It may have answered another offer since.
            try transaction.check(offer.inviter, of: offer.couple, expected)
            if let open = try transaction.livePairing(of: offer.couple, .open) {
                guard let end = open.end, end <= now else { throw .pairing(.inviteOpen) }
                transaction.put(open.closed(.expired))
            }
            return try transaction.answer(offer, code, at: now)
        }
    }
}

extension Transaction {
    /// The reply to an offer that was answered before and still waits; nil if its code is new here. A code answers one offer.
    fileprivate func reply(
        again offer: PairOffer, _ code: borrowing PairingCode
    ) throws(VaultError) -> PairReply? {
        let known = try pairings(offer.lookup)
        guard !known.contains(where: \.isInvite) else { throw .pairing(.ownInvite) }
        guard let known = known.first else { return nil }
        guard known.status == .waiting, known.offer == offer, known.has(code), let reply = known.reply else {
            throw .pairing(.inviteUsed)
        }
        return reply
    }

    fileprivate mutating func answer(
        _ offer: PairOffer, _ code: borrowing PairingCode, at now: UInt64
    ) throws(VaultError) -> PairReply {
        let answer: AnsweredInvite
        do {
            answer = try AnsweredInvite(
                answering: offer, with: code, as: try device.party(), holding: try hold(of: offer.couple))
        } catch let error as VaultError { throw error } catch let error as PairingError {
            throw .refused(error)
        } catch { throw .damaged }
        if let older = try livePairing(of: offer.couple, .waiting) { put(older.closed(.givenUp)) }
        put(StoredPairing(answer, code: code, madeAt: now))
        // They went with it, to whoever made the code, whatever becomes of the pairing.
        if let couple = try record(Couple.self, Couple.id(offer.couple)) { try give(couple) }
        return answer.reply
    }
}
