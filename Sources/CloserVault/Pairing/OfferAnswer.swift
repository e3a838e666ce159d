public import CloserKeys
internal import CloserPrimitives

// A partner's offer is answered (closer-keys-pairing(7), STEPS).

extension Vault {
    /// Accepts an offer with the code that the inviter told this person. Until the grant is accepted, the same offer and code give
    /// the same reply again, without a question.
    ///
    /// The reply holds the keys that this device has of the couple, sealed: the maker of the code gets them, and all of them count
    /// as exposed. So name the couple that the person means, rather than the offer's. Without ``PairingConsents/sendingKeys``, a couple
    /// with keys is refused: ask the person, and call it again.
    ///
    /// - Parameters:
    ///   - offer: The document that the partner's device made.
    ///   - code: The pairing code, which the partner passed on by voice or on paper.
    ///   - couple: Which couple it must be an offer to.
    ///   - partner: Who must have made it; nil for everyone who knows the code.
    ///   - consents: What the person agreed to.
    /// - Throws: ``VaultError``: `.refused`; `.pairing` with `.otherCouple`, `.ownOffer`, `.inviteUsed`, `.notTheNamed`, `.otherPartner`,
    ///   `.partnerKeyChanged`, `.offerOpen`, `.olderCopy` or `.wouldSendKeys`.
    public func accept(
        _ offer: PairOffer, code: borrowing PairingCode, of couple: CoupleID, partner: UserID? = nil,
        consents: PairingConsents = []
    ) throws(VaultError) -> PairReply {
        try accept(offer, code: code, ifOf: couple, partner: partner, consents)
    }

    /// Without a couple it takes the offer's, if that is new here.
    package func accept(
        _ offer: PairOffer, code: borrowing PairingCode, ifOf couple: CoupleID?, partner: UserID?,
        _ consents: PairingConsents
    ) throws(VaultError) -> PairReply {
        try change { (transaction) throws(VaultError) in
            try transaction.check(offer, ifOf: couple, partner, consents, at: now)
            guard code.lookup == offer.lookup else { throw .refused(.otherCode) }
            if let reply = try transaction.reply(again: offer, code) { return reply }
            if let open = try transaction.livePairing(of: offer.couple, .open) {
                transaction.put(open.closed(.expired))
            }
            return try transaction.answer(offer, code, at: now)
        }
    }

    /// Refuses what ``accept(_:code:ifOf:partner:_:)`` refuses for any code, so that a person answers all questions first.
    package func check(
        _ offer: PairOffer, ifOf couple: CoupleID?, partner: UserID?, _ consents: PairingConsents
    ) throws(VaultError) {
        try read { (transaction) throws(VaultError) in
            try transaction.check(offer, ifOf: couple, partner, consents, at: now)
        }
    }
}

extension Transaction {
    fileprivate func check(
        _ offer: PairOffer, ifOf couple: CoupleID?, _ partner: UserID?, _ consents: PairingConsents,
        at now: Timestamp
    ) throws(VaultError) {
        guard couple.map({ $0 == offer.couple }) ?? true else { throw .pairing(.otherCouple) }
        guard try !isAnswered(offer) else { return }
        let known = try known(offer.couple)
        if couple == nil, let known { throw .pairing(.coupleNotNamed(offer.couple, known)) }
        let names = [offer.couple.text, offer.inviter.user.text]
        guard known != nil || !names.contains(where: Identifier.isReserved) else {
            throw .couple(.reservedName)
        }
        // It may have answered another offer since.
        try check(offer.inviter, of: offer.couple, partner, consents)
        let open = try livePairing(of: offer.couple, .open)
        guard open?.isOver(at: now) ?? true else { throw .pairing(.offerOpen) }
        if !consents.contains(.newCode) { try checkIsNewest() }
        let held = try hold(of: offer.couple)
        guard consents.contains(.sendingKeys) || held == nil else { throw .pairing(.wouldSendKeys) }
    }

    /// Whether a reply to this offer waits for its grant. A code answers one offer.
    private func isAnswered(_ offer: PairOffer) throws(VaultError) -> Bool {
        let known = try pairings(offer.lookup)
        guard !known.contains(where: \.isOffer) else { throw .pairing(.ownOffer) }
        guard let known = known.first else { return false }
        guard known.status == .waiting, try known.offer() == offer else { throw .pairing(.inviteUsed) }
        return true
    }

    /// The reply to an offer that was answered before and still waits; nil if its code is new here.
    fileprivate func reply(
        again offer: PairOffer, _ code: borrowing PairingCode
    ) throws(VaultError) -> PairReply? {
        guard let known = try pairings(offer.lookup).first else { return nil }
        guard known.has(code), let reply = try known.reply() else { throw .pairing(.inviteUsed) }
        return reply
    }

    fileprivate mutating func answer(
        _ offer: PairOffer, _ code: borrowing PairingCode, at now: Timestamp
    ) throws(VaultError) -> PairReply {
        let answer: AnsweredOffer
        do {
            answer = try AnsweredOffer(
                answering: offer, with: code, as: try device.party(), holding: try hold(of: offer.couple))
        } catch let error as VaultError { throw error } catch let error as PairingError {
            throw .refused(error)
        } catch { throw .damaged }
        if let older = try livePairing(of: offer.couple, .waiting) { put(older.closed(.givenUp)) }
        put(StoredPairing(answer, code: code, madeAt: now))
        // They went with it, to the maker of the code, also if the pairing fails.
        if let couple = try record(Couple.self, Couple.id(offer.couple)) { try give(couple) }
        return answer.reply
    }
}
