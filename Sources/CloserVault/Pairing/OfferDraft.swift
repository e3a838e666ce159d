public import CloserKeys
public import CloserPrimitives

/// An offer by a pairing code, made but not stored yet (closer-keys-pairing(7), STEPS). For a couple that is new here it has a new
/// key, which only this device holds, and its phrase.
///
/// Bring code and phrase to paper or to files before you store it: if that fails, the vault is as before.
@frozen public struct OfferDraft: ~Copyable, Sendable {
    /// What the acceptor needs besides the code. It is public.
    public let offer: PairOffer
    /// Twelve symbols for the partner, by voice.
    public let code: PairingCode
    /// Shown once; nil for a couple that is known here.
    public let phrase: RecoveryPhrase?
    /// When the offer ends.
    public let end: Timestamp
    fileprivate let pairing: StoredPairing
    /// Nil for a couple that is known here.
    fileprivate let couple: Couple?
    fileprivate let replaces: Bool

    fileprivate init(
        _ open: borrowing OpenOffer, _ code: consuming PairingCode, _ couple: Couple?,
        _ phrase: consuming RecoveryPhrase?, madeAt: Timestamp, end: Timestamp, replaces: Bool
    ) {
        pairing = StoredPairing(open, code: code, madeAt: madeAt, end: end)
        (offer, self.end, self.couple, self.replaces) = (open.offer, end, couple, replaces)
        self.code = code
        self.phrase = phrase
    }
}

/// An open offer, to be shown again.
@frozen public struct PendingOffer: ~Copyable, Sendable {
    /// What the acceptor needs besides the code.
    public let offer: PairOffer
    /// Twelve symbols for the partner.
    public let code: PairingCode
    /// When it ends.
    public let end: Timestamp
}

extension Vault {
    /// How long an offer may stay open: ten minutes to a week.
    public static let offerTimes: ClosedRange<Duration> = .seconds(600) ... .seconds(168 * 3600)

    /// The offer to a couple that is open here; nil if none is.
    ///
    /// - Throws: ``VaultError``: `.damaged`.
    public func pendingOffer(of id: CoupleID) throws(VaultError) -> PendingOffer? {
        let open = try read { (transaction) throws(VaultError) in
            try transaction.livePairing(of: id, .open)
        }
        guard let open, let end = open.end, now < end, let code = open.copyOfCode() else { return nil }
        return PendingOffer(offer: try open.offer(), code: code, end: end)
    }

    /// Makes an offer to a couple, and the couple's key and phrase if there is no such couple here.
    ///
    /// For a new couple it blocks for Argon2id, some 0.1 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// A couple that is new here begins at `version`: 2, or 1 if the two have texts in the clear. One that is known keeps its version.
    ///
    /// The offer stays open for `time`, which is one of ``offerTimes``: a day by default. An offer that is open is closed when this one is stored, if `replacing`.
    ///
    /// - Throws: ``VaultError``: `.pairing(.answerWaiting)`, `.couple(.reservedName)`, `.outOfMemory`.
    public func draftOffer(
        of id: CoupleID, beginningAt version: EncryptionVersion, openFor time: Duration = .seconds(24 * 3600),
        replacing: Bool = false
    ) throws(VaultError) -> OfferDraft {
        precondition(Self.offerTimes.contains(time), "an offer is open for 10 minutes to 168 hours")
        let (device, basis, version, known) = try read { (transaction) throws(VaultError) in
            try transaction.checkNothingWaits(of: id)
            return (
                try transaction.device, try transaction.basis(of: id),
                try transaction.beginning(of: id, at: version),
                Set(try transaction.records(StoredPairing.self).map(\.lookup))
            )
        }
        let code = PairingCode.random { known.contains($0) }
        let open = OpenOffer(to: id, from: try device.party(), code: code)
        let now = now
        let end = now.advanced(by: time)
        guard basis.couple == nil else {
            return OfferDraft(open, code, nil, nil, madeAt: now, end: end, replaces: replacing)
        }
        guard !Identifier.isReserved(id.text) else { throw .couple(.reservedName) }
        let phrase = RecoveryPhrase.random()
        let new = try Couple(
            alone: id, at: version, under: try wrappingKey(of: phrase), after: basis.former)
        return OfferDraft(open, code, new, phrase, madeAt: now, end: end, replaces: replacing)
    }

    /// Stores the draft. After that, everyone who knows the code can pair. Returns the offer and the code, as ``pendingOffer(of:)``
    /// does.
    ///
    /// - Throws: ``VaultError``: `.pairing` with `.answerWaiting`, or `.changedMeanwhile` if the couple came or went since, or another
    ///   offer was opened.
    @discardableResult
    public func store(_ draft: borrowing OfferDraft) throws(VaultError) -> PendingOffer {
        try carryOut(draft)
        guard let code = draft.pairing.copyOfCode() else {
            preconditionFailure("an open offer has its code")
        }
        return PendingOffer(offer: draft.offer, code: code, end: draft.end)
    }

    /// Closes the open offer to a couple, so that its code no longer works. False if no offer is open.
    ///
    /// - Throws: ``VaultError``, as each verb that changes.
    public func cancelOffer(of id: CoupleID) throws(VaultError) -> Bool {
        try close(.open, of: id)
    }

    /// Cancels the reply that waits for its grant. False if no reply waits.
    ///
    /// - Throws: ``VaultError``, as each verb that changes.
    public func cancelAnswer(of id: CoupleID) throws(VaultError) -> Bool {
        try close(.waiting, of: id)
    }

    /// Closes every open offer, and ends the private state of couples that only this device had. A copy of the vault may have
    /// granted a reply already, so this vault must refuse another one, and others may hold those keys. False if there was nothing
    /// to close: then the vault is unwritten.
    ///
    /// - Throws: ``VaultError``, as each verb that changes.
    @discardableResult
    public func closeOffers() throws(VaultError) -> Bool {
        try change { (transaction) throws(VaultError) in
            try transaction.closeOffers()
            return transaction.isChanged
        }
    }

    /// The offers to a couple that were made or answered here, oldest first.
    ///
    /// - Throws: ``VaultError``: `.damaged`.
    public func pairings(of id: CoupleID) throws(VaultError) -> [StoredPairing] {
        try read { (transaction) throws(VaultError) in try transaction.pairings(of: id) }
    }

    /// The couple of the pairing of which a document has this half of a code: one that was invited to here, or answered here.
    package func couple(ofPairing lookup: PairingCode.Lookup, isOffer: Bool) throws(VaultError) -> CoupleID {
        let pairing = try read { (transaction) throws(VaultError) in
            try transaction.pairings(lookup).first { $0.isOffer == isOffer }
        }
        guard let pairing else { throw .pairing(isOffer ? .noOffer : .noAnswer) }
        return pairing.couple
    }

    private func close(_ status: StoredPairing.Status, of id: CoupleID) throws(VaultError) -> Bool {
        try change { (transaction) throws(VaultError) in
            guard let live = try transaction.livePairing(of: id, status) else { return false }
            transaction.put(live.closed(.cancelled))
            return true
        }
    }
}

extension OfferDraft: CoupleStep {
    borrowing func apply(to transaction: inout Transaction) throws(VaultError) {
        try transaction.checkNothingWaits(of: pairing.couple)
        let isKnown = try transaction.record(Couple.self, Couple.id(pairing.couple)) != nil
        guard isKnown == (couple == nil), try transaction.device.publicKey == offer.inviter.publicKey else {
            throw .pairing(.changedMeanwhile)
        }
        if let open = try transaction.livePairing(of: pairing.couple, .open) {
            let isOver = open.isOver(at: pairing.madeAt)
            guard isOver || replaces else { throw .pairing(.changedMeanwhile) }
            transaction.put(open.closed(isOver ? .expired : .cancelled))
        }
        guard try transaction.pairings(pairing.lookup).isEmpty else { throw .pairing(.changedMeanwhile) }
        transaction.put(pairing)
        guard let couple, let phrase = newPhrase() else { return }
        try transaction.put(alone: couple, phrase)
    }
}

extension OfferDraft {
    /// The text of the phrase, for the screen while the draft waits; nil for a couple that was known here.
    public var phraseText: SecretBytes? {
        switch phrase {
        case .some(let phrase): phrase.text.withBytes { SecretBytes(copying: $0) }
        case .none: nil
        }
    }

    borrowing func newPhrase() -> StoredPhrase? {
        switch phrase {
        case .some(let phrase): StoredPhrase(phrase, of: offer.couple)
        case .none: nil
        }
    }
}
