public import CloserKeys
internal import CloserTink

/// An opened grant, and the couple that results from it, not stored yet.
///
/// Bring the phrase to paper or to a file before you store it: if that fails, the vault is as before, and the reply waits.
@frozen public struct ReceivedGrant: ~Copyable, Sendable {
    /// The couple's recovery phrase. The inviter has it, too.
    public let phrase: RecoveryPhrase
    fileprivate let grant: PairGrant
    fileprivate let hold: CoupleHold
    fileprivate let wrap: KeyWrap
    fileprivate let pairing: StoredPairing
    fileprivate let basis: CoupleBasis
    /// At which version the couple begins, if there was none.
    fileprivate let version: EncryptionVersion

    fileprivate init(
        _ opened: borrowing CoupleGrant, _ grant: PairGrant, _ hold: CoupleHold, _ wrap: KeyWrap,
        _ pairing: StoredPairing, on basis: CoupleBasis
    ) {
        (self.grant, self.hold, self.wrap) = (grant, hold, wrap)
        (self.pairing, self.basis) = (pairing, basis)
        version = opened.isMigrating ? .migrating : .strict
        phrase = opened.phrase.copy()
    }
}

extension ReceivedGrant: CoupleStep {
    borrowing func newPhrase() -> StoredPhrase? { StoredPhrase(phrase, of: pairing.couple) }

    borrowing func apply(to transaction: inout Transaction) throws(VaultError) {
        let answered = try transaction.answered(grant, of: pairing.couple)
        guard answered.status == .waiting, try !basis.hasChanged(in: transaction) else {
            throw .pairing(.changedMeanwhile)
        }
        let retired = try transaction.retired(of: pairing.couple)
        var paired =
            try transaction.record(Couple.self, Couple.id(pairing.couple))
            ?? Couple(pairing.couple, hold.key, wrap).beginning(at: version)
        (paired.retired, paired.phrase) = (retired, .notConfirmed)
        try transaction.pair(paired, hold, wrap, with: try answered.offer().inviter)
        transaction.put(answered.closed(.done, by: grant))
        // Its code was new: a person said so.
        transaction.delete(.olderCopy, under: OlderCopy.id)
    }
}

extension Vault {
    /// Whether this grant was accepted before.
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
    public func openGrant(_ grant: PairGrant, of id: CoupleID) throws(VaultError) -> ReceivedGrant {
        let (pairing, basis, retired) = try read { (transaction) throws(VaultError) in
            (
                try transaction.answered(grant, of: id), try transaction.basis(of: id),
                try transaction.retired(of: id)
            )
        }
        guard let answer = try pairing.answer() else { throw .pairing(.inviteUsed) }
        let ours = basis.couple.map { CoupleHold(epoch: $0.epoch, key: $0.key) }
        let opened: CoupleGrant
        do { opened = try answer.open(grant) } catch { throw .refused(error) }
        let hold: CoupleHold
        do { hold = try opened.united(with: ours, retired: retired) } catch { throw .refused(error) }
        guard basis.former?.keys.contains(hold.key.keyset.primary) != true else {
            throw .pairing(.keyOfBefore)
        }
        let wrap = try wrap(hold.key, under: opened.phrase)
        return ReceivedGrant(opened, grant, hold, wrap, pairing, on: basis)
    }

    /// Stores what the grant brought. After that, the couple is paired here.
    ///
    /// - Throws: ``VaultError``: `.pairing` with `.noAnswer`, `.inviteUsed`, `.inviteClosed`, or `.changedMeanwhile` if the couple changed
    ///   since.
    public func store(_ draft: borrowing ReceivedGrant) throws(VaultError) { try carryOut(draft) }
}

extension Transaction {
    /// The answer that a grant is to: one that waits, or the one that took it.
    fileprivate func answered(_ grant: PairGrant, of id: CoupleID) throws(VaultError) -> StoredPairing {
        let answered = try pairings(of: id).first { !$0.isOffer && $0.lookup == grant.lookup }
        guard let answered else { throw .pairing(.noAnswer) }
        switch answered.status {
        case .waiting: return answered
        case .done:
            guard try answered.grant() == grant else { throw .pairing(.inviteUsed) }
            return answered
        default: throw .pairing(.inviteClosed(answered.status))
        }
    }
}
