public import CloserKeys
internal import CloserPrimitives

/// A reply that is ready to be checked: the slow derivation is done.
public struct ConfirmationDraft: ~Copyable, Sendable {
    /// The couple's recovery phrase, if the reply is granted.
    public let phrase: RecoveryPhrase
    /// Whether this phrase is new: a couple that only this device had keeps its own.
    public let isNewPhrase: Bool
    /// Questions that both must release before the pairing is finished: after it, the partner's answer cannot be revealed here.
    package let openQuestions: [QuestionID]
    fileprivate let wrappingKey: WrappingKey
    fileprivate let couple: CoupleID
    fileprivate let reply: PairReply
    fileprivate let partner: UserID?
    fileprivate let consents: PairingConsents

    fileprivate init(
        _ phrase: consuming RecoveryPhrase, isNew: Bool, _ wrappingKey: consuming WrappingKey,
        _ couple: CoupleID, _ reply: PairReply, _ partner: UserID?, _ consents: PairingConsents,
        openQuestions: [QuestionID]
    ) {
        (isNewPhrase, self.couple, self.openQuestions) = (isNew, couple, openQuestions)
        (self.reply, self.partner, self.consents) = (reply, partner, consents)
        self.wrappingKey = wrappingKey
        self.phrase = phrase
    }
}

/// What a step of an offer comes to. A verdict is on the disk before it is spoken.
private enum Verdict {
    case granted(PairGrant)
    case refused(VaultError)
}

extension Vault {
    /// The grant that this reply got before; nil if the reply was not checked yet.
    ///
    /// It blocks until the change is on the disk if the offer is found to be over.
    ///
    /// - Throws: ``VaultError``: `.pairing` with `.noOffer`, `.inviteUsed`, `.inviteClosed` or `.offerAhead`.
    public func grant(for reply: PairReply, of id: CoupleID) throws(VaultError) -> PairGrant? {
        // The time counts when the change has the lock: another process may make it wait.
        let verdict = try change { (transaction) throws(VaultError) in
            try transaction.formerVerdict(on: reply, to: id, at: now)
        }
        return try verdict?.spoken()
    }

    /// Prepares the check of a reply, and checks all that costs the maker of the reply no guess.
    ///
    /// It blocks for Argon2id, some 0.1 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// - Parameters:
    ///   - reply: The document with which the partner's device answered.
    ///   - id: The couple that the offer is for.
    ///   - partner: Who must have answered; nil for everyone who knows the code.
    ///   - consents: What the person agreed to, of the partner.
    /// - Throws: ``VaultError``: `.refused`; `.pairing` with `.noOffer`, `.notTheNamed`, `.otherPartner` or `.partnerKeyChanged`;
    ///   `.outOfMemory`.
    public func draftConfirmation(
        for reply: PairReply, of id: CoupleID, partner: UserID? = nil, consents: PairingConsents = []
    ) throws(VaultError) -> ConfirmationDraft {
        let (stored, open) = try read { (transaction) throws(VaultError) in
            _ = try transaction.offer(for: reply, to: id)
            try transaction.check(reply.acceptor, of: id, partner, consents)
            let isKnown = try !transaction.partners(of: id).isEmpty
            let open = isKnown ? try transaction.openQuestions(of: id, to: reply.acceptor) : []
            return (try transaction.phraseOfAlone(id), open)
        }
        let phrase = try stored?.phrase() ?? RecoveryPhrase.random()
        let wrappingKey = try wrappingKey(of: phrase)
        return ConfirmationDraft(
            phrase, isNew: stored == nil, wrappingKey, id, reply, partner, consents, openQuestions: open)
    }

    /// Stores which reply will be checked, before its tag is read. ``store(_:)-(ConfirmationDraft)`` calls this. Call it yourself only to hand a new
    /// phrase over in between.
    ///
    /// - Throws: ``VaultError``: what ``store(_:)-(ConfirmationDraft)`` throws before the check.
    public func prepare(_ draft: borrowing ConfirmationDraft) throws(VaultError) {
        _ = try bind(draft)?.spoken()
    }

    /// Checks the reply. Each verdict closes the offer, and is on the disk when this returns or throws. The same reply gets the
    /// same grant again, until the couple is paired again or forgotten.
    ///
    /// It makes two changes: the first stores which reply is checked, before its tag is read. So an attacker who prevents the
    /// second change has used up the one guess.
    ///
    /// It blocks until both are on the disk: some milliseconds as a rule, and up to a minute while other processes write.
    ///
    /// - Throws: ``VaultError``: `.refused`; `.pairing` with `.noOffer`, `.inviteUsed`, `.inviteClosed`, `.offerAhead`, `.notTheNamed`,
    ///   `.otherPartner`, `.partnerKeyChanged` or `.changedMeanwhile`.
    public func store(_ draft: borrowing ConfirmationDraft) throws(VaultError) -> PairGrant {
        if let former = try bind(draft) { return try former.spoken() }
        let verdict = try change { (transaction) throws(VaultError) in
            try transaction.checked(draft, at: now) { (transaction) throws(VaultError) in
                try transaction.judge(draft)
            }
        }
        guard let verdict else { throw .damaged }
        return try verdict.spoken()
    }

    /// What was said before; nil if the offer judges this reply from now on.
    private func bind(_ draft: borrowing ConfirmationDraft) throws(VaultError) -> Verdict? {
        try change { (transaction) throws(VaultError) in
            try transaction.checked(draft, at: now) { (transaction) throws(VaultError) in
                let offer = try transaction.offer(for: draft.reply, to: draft.couple)
                if !offer.hasReply { transaction.put(offer.judging(draft.reply)) }
                return nil
            }
        }
    }
}

extension Verdict {
    fileprivate func spoken() throws(VaultError) -> PairGrant {
        switch self {
        case .granted(let grant): return grant
        case .refused(let error): throw error
        }
    }
}

extension Transaction {
    /// The offer that a reply is to.
    fileprivate func offer(for reply: PairReply, to id: CoupleID) throws(VaultError) -> StoredPairing {
        let offer = try pairings(of: id).first { $0.isOffer && $0.lookup == reply.lookup }
        guard let offer else { throw .pairing(.noOffer) }
        return offer
    }

    /// What was said of it before; nil while the offer is open. One whose time is over is closed for good.
    fileprivate mutating func formerVerdict(
        on reply: PairReply, to id: CoupleID, at now: Timestamp
    ) throws(VaultError) -> Verdict? {
        let offer = try offer(for: reply, to: id)
        if offer.status == .granted, offer.hasGrant {
            guard try offer.judges(reply), let grant = try offer.grant() else {
                return .refused(.pairing(.inviteUsed))
            }
            return .granted(grant)
        }
        guard offer.status == .open, let end = offer.end else {
            return .refused(.pairing(.inviteClosed(offer.status)))
        }
        guard now < end else {
            let closed = offer.closed(.expired)
            put(closed)
            return .refused(.pairing(.inviteClosed(closed.status)))
        }
        // It stays open: clocks are put right.
        guard !offer.isAhead(of: now) else { throw .pairing(.offerAhead(offer.madeAt)) }
        guard offer.hasReply, try !offer.judges(reply) else { return nil }
        return .refused(.pairing(.inviteUsed))
    }

    /// What was said before, or else what `body` says once all is checked that costs no guess.
    fileprivate mutating func checked(
        _ draft: borrowing ConfirmationDraft, at now: Timestamp,
        _ body: (inout Transaction) throws(VaultError) -> Verdict?
    ) throws(VaultError) -> Verdict? {
        if let former = try formerVerdict(on: draft.reply, to: draft.couple, at: now) {
            // It came of another draft: the phrase of this one is void.
            if case .granted = former, draft.isNewPhrase { throw .pairing(.changedMeanwhile) }
            return former
        }
        try check(draft.reply.acceptor, of: draft.couple, draft.partner, draft.consents)
        let stored = try phraseOfAlone(draft.couple)
        guard stored.map({ $0.isSame(as: draft.phrase) }) ?? draft.isNewPhrase,
            (stored == nil) == draft.isNewPhrase
        else { throw .pairing(.changedMeanwhile) }
        return try body(&self)
    }

    /// The one verdict of the offer.
    fileprivate mutating func judge(_ draft: borrowing ConfirmationDraft) throws(VaultError) -> Verdict {
        let pairing = try offer(for: draft.reply, to: draft.couple)
        guard let open = try pairing.openOffer() else { throw .damaged }
        var couple = try couple(draft.couple)
        if draft.isNewPhrase { couple.phrase = .notConfirmed }
        let (retired, migration) = (try retired(of: couple.id), try migration(of: couple))
        let (grant, hold): (PairGrant, CoupleHold)
        do throws(PairingError) {
            let admitted = try open.judge(draft.reply)
            hold = try CoupleHold(epoch: couple.epoch, key: couple.key).united(
                with: admitted.hold, isAlone: !draft.isNewPhrase, retired: retired)
            // The acceptor could not take it.
            guard hold.epoch - (admitted.hold?.epoch ?? 0) <= CoupleHold.maximumEpochGap else {
                throw .epochTooHigh(hold.epoch)
            }
            grant = admitted.grant(
                CoupleGrant(hold, phrase: draft.phrase.copy(), isMigrating: migration.sealsPlaintext))
        } catch { return .refused(try refuse(pairing, error)) }
        // What opens today's wrap opens the same keys.
        let isUnchanged = hold.epoch == couple.epoch
        let wrap = isUnchanged ? couple.wrap : draft.wrappingKey.wrap(hold.key)
        try pair(couple, hold, wrap, with: draft.reply.acceptor)
        try replaceKept(by: StoredPhrase(draft.phrase, of: couple.id))
        put(pairing.closed(.granted, by: grant))
        return .granted(grant)
    }

    /// Closes the offer, and counts how many in a row were made with another code.
    private mutating func refuse(
        _ pairing: StoredPairing, _ error: PairingError
    ) throws(VaultError) -> VaultError {
        put(pairing.closed(error == .codeMismatch ? .burned : .failed))
        let judged = try pairings(of: pairing.couple).filter { [.burned, .granted].contains($0.status) }
        let failures = judged.reversed().prefix { $0.status == .burned }.count
        return .refused(error, failures: error == .codeMismatch ? failures : 0)
    }
}
