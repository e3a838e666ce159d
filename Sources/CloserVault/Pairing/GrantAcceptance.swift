public import CloserKeys
internal import CloserTink

/// An opened grant, and the couple that results from it, not stored yet.
///
/// Bring the phrase to paper or to a file before you store it: if that fails, the vault is as before, and the reply waits.
@frozen public struct GrantDraft: ~Copyable, Sendable {
    /// The couple's recovery phrase. The inviter has it, too.
    public let phrase: RecoveryPhrase
    fileprivate let grant: PairGrant
    fileprivate let hold: CoupleHold
    fileprivate let wrap: KeyWrap
    fileprivate let pairing: StoredPairing
    /// The couple as it was when this was drafted; nil if there was none.
    fileprivate let before: Couple?
    /// At which version the couple begins, if there was none.
    fileprivate let version: EncryptionVersion

    fileprivate init(
        _ opened: consuming CoupleGrant, _ grant: PairGrant, _ hold: CoupleHold, _ pairing: StoredPairing,
        _ before: Couple?, _ stretch: PhraseStretch
    ) throws(VaultError) {
        (self.grant, self.hold, self.pairing, self.before) = (grant, hold, pairing, before)
        version = opened.isMigrating ? .migrating : .strict
        wrap = try stretch(opened.phrase).wrap(hold.key)
        phrase = opened.phrase.copy()
    }
}

extension GrantDraft {
    /// Hands the phrase to a new owner, once the draft is stored.
    public consuming func takePhrase() -> RecoveryPhrase { phrase }
}

extension Vault {
    /// Whether this grant was accepted before.
    ///
    /// It reads the vault's file, which takes about a millisecond.
    ///
    /// - Throws: ``VaultError``: `.pairing` with `.noAnswer`, `.inviteUsed` or `.inviteClosed`.
    public func hasTaken(_ grant: PairGrant, of id: CoupleID) throws(VaultError) -> Bool {
        try read { (transaction) throws(VaultError) in
            try transaction.answered(grant, of: id).status == .done
        }
    }

    /// Opens a grant. If it fails, the reply still waits for a grant.
    ///
    /// A couple that is new here begins at version 2, or at 1 if the grant says that the two have texts in the clear. One that is known
    /// keeps its version.
    ///
    /// It blocks for Argon2id, some 0.1 s and 45 MiB of memory, and leaves the vault unchanged.
    ///
    /// - Throws: ``VaultError``: `.refused`; `.pairing` with `.noAnswer`, `.inviteUsed`, `.inviteClosed` or `.keyOfBefore`; `.outOfMemory`.
    public func draftGrant(
        _ grant: PairGrant, of id: CoupleID
    ) throws(VaultError) -> GrantDraft {
        try draftGrant(grant, of: id, stretching: WrappingKey.stretched)
    }

    func draftGrant(
        _ grant: PairGrant, of id: CoupleID, stretching stretch: PhraseStretch
    ) throws(VaultError) -> GrantDraft {
        let (pairing, couple, retired, former) = try read { (transaction) throws(VaultError) in
            return (
                try transaction.answered(grant, of: id), try transaction.record(Couple.self, Couple.id(id)),
                try transaction.retired(of: id),
                try transaction.record(ForgottenCouple.self, ForgottenCouple.id(id))
            )
        }
        guard let answer = try pairing.answer() else { throw .pairing(.inviteUsed) }
        let ours = couple.map { CoupleHold(epoch: $0.epoch, key: $0.key) }
        let opened: CoupleGrant
        do { opened = try answer.open(grant) } catch { throw .refused(error) }
        let hold: CoupleHold
        do { hold = try opened.united(with: ours, retired: retired) } catch { throw .refused(error) }
        guard former?.keys.contains(hold.key.keyset.primary) != true else { throw .pairing(.keyOfBefore) }
        return try GrantDraft(opened, grant, hold, pairing, couple, stretch)
    }

    /// Stores what the grant brought. After that, the couple is paired here.
    ///
    /// It blocks until the change is on the disk: some milliseconds as a rule, and up to half a minute while other processes
    /// write.
    ///
    /// - Throws: ``VaultError``: `.pairing` with `.noAnswer`, `.inviteUsed`, `.inviteClosed`, or `.changedMeanwhile` if the couple changed
    ///   since.
    public func store(_ draft: borrowing GrantDraft) throws(VaultError) {
        let (grant, hold, wrap) = (draft.grant, draft.hold, draft.wrap)
        let (pairing, before, version) = (draft.pairing, draft.before, draft.version)
        try change { (transaction) throws(VaultError) in
            let answered = try transaction.answered(grant, of: pairing.couple)
            let couple = try transaction.record(Couple.self, Couple.id(pairing.couple))
            guard answered.status == .waiting, (couple == nil) == (before == nil),
                couple.map({ now in before.map { now.hasSameKeys(as: $0) } ?? false }) ?? true
            else { throw .pairing(.changedMeanwhile) }
            let retired = try transaction.retired(of: pairing.couple)
            var paired = couple ?? Couple(pairing.couple, hold.key, wrap).beginning(at: version)
            (paired.retired, paired.phrase) = (retired, .notConfirmed)
            try transaction.pair(paired, hold, wrap, with: answered.offer.inviter)
            transaction.put(answered.done(grant))
            // Its code was new: a person said so.
            transaction.delete(.olderCopy, under: OlderCopy.id)
        }
    }
}

extension Transaction {
    /// The answer that a grant is to: one that waits, or the one that took it.
    fileprivate func answered(_ grant: PairGrant, of id: CoupleID) throws(VaultError) -> StoredPairing {
        let answered = try pairings(of: id).first { !$0.isOffer && $0.lookup == grant.lookup }
        guard let answered else { throw .pairing(.noAnswer) }
        switch answered.status {
        case .waiting: return answered
        case .done:
            guard answered.grant == grant else { throw .pairing(.inviteUsed) }
            return answered
        default: throw .pairing(.inviteClosed(answered.status))
        }
    }
}
