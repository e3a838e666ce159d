public import CloserKeys
internal import CloserTink

/// The partner's answer, as it was revealed here.
public struct AnswerRevelation: Sendable {
    /// The answer, which passed every check.
    public let answer: RevealedAnswer
    /// What proves that the partner wrote it.
    public let authenticity: Authenticity
    /// Both answers, sealed as a field at ``/CloserKeys/AnswerArchive/fieldPlace(of:at:)``; nil if the caller asked for no archive. Keep the field,
    /// then call ``Vault/noteArchive(_:of:)``.
    public internal(set) var archive: FieldToken?

    /// A stand-in for a reveal's result, for tests.
    public init(answer: RevealedAnswer, authenticity: Authenticity, archive: FieldToken? = nil) {
        (self.answer, self.authenticity, self.archive) = (answer, authenticity, archive)
    }
}

extension Vault {
    /// Opens the partner's answer, after we have sealed ours and they have released theirs. The caller decides the order of the
    /// releases: release ours first, in the same step.
    ///
    /// The checks and their order are those of closer-keys-formats(7), SEALED ANSWERS. The first success pins the answer.
    ///
    /// A phone that did not seal our answer, as one that replaces another, passes it as `own`: the vault stores our commitment, and refuses
    /// a second answer to the question. Keys that came by the phrase may be the server's, so after a pairing such a phone also needs
    /// `allowingUnauthenticated`, and gets ``/CloserKeys/Authenticity/serverForgeable``.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer` with `.notSealed`, `.severalPlaces`, `.partnerIsSelf`,
    ///   `.otherAnswer`, `.otherOwnAnswer`, `.ownCommitment`, `.noKeybox`, `.keyboxForAnother`, `.unauthenticated`, or
    ///   `.serverForgeable`, and for an archive `.notReleased`, `.archiveReadable`, `.keyNotKept`, or `.textNotKept`;
    ///   `.reveal`, whose `.pinMismatch` the vault remembers as ``StoredAnswer/isInConflict``; `.keybox`, `.keyset`;
    ///   `.pairing(.otherPartner)` if another partner is verified.
    public func reveal(
        _ name: AnswerName, of theirs: PartnerAnswer, with keybox: ReleaseKeyDocument?,
        own: OwnAnswer? = nil, archiving: Archiving? = nil, allowingUnauthenticated: Bool = false
    ) throws(VaultError) -> AnswerRevelation {
        try changeNoting { (transaction) throws(VaultError) in
            try transaction.exposeIfProven(theirs, with: keybox, to: name, own)
        } _: { (transaction) throws(VaultError) in
            let before = try transaction.answer(name, or: own, facing: theirs)
            guard let keybox else { throw .answer(.noKeybox) }
            let couple = try transaction.couple(name.couple)
            try transaction.checkIsOnlyPartner(theirs.partner, of: name.couple)
            var partner = try transaction.partner(theirs.partner, of: name.couple)
            // A partner's device that took part in a rekey can prove.
            let mustProve = try partner.authenticates ? true : transaction.state(of: couple) == .rekeyed
            let trustsAnybody = allowingUnauthenticated && !mustProve
            let opened = try before.open(
                theirs, with: keybox, key: couple.key, as: try transaction.device, trustsAnybody)
            guard case .done(let answer) = opened else { return opened.asConflict() }
            let authenticity = answer.authenticity(privateKeyIDs: couple.privateKeyIDs)
            guard authenticity != .unauthenticated || trustsAnybody else {
                throw .answer(.unauthenticated(isFinal: mustProve))
            }
            guard
                authenticity != .serverForgeable || couple.accepts(forgeable: answer, pinnedIn: before)
                    || allowingUnauthenticated && before.isOfFormerDevice
            else { throw .answer(.serverForgeable(isOfFormerDevice: before.isOfFormerDevice)) }
            var revelation = AnswerRevelation(answer: answer, authenticity: authenticity)
            revelation.archive = try transaction.archive(
                before, own: own, revelation, of: theirs.partner, archiving)
            var stored = before
            stored.pin(answer.commitment, in: couple)
            stored.reveals()
            transaction.put(stored)
            partner.authenticates = partner.authenticates || authenticity != .unauthenticated
            transaction.put(partner)
            return .done(revelation)
        }
    }
}

extension StoredAnswer {
    /// Opens the keybox with our identity and the answer with what was in it, and checks all of it.
    fileprivate func open(
        _ theirs: PartnerAnswer, with keybox: ReleaseKeyDocument, key: CoupleKey, as device: Device,
        _ trustsAnybody: Bool
    ) throws(VaultError) -> Facing<RevealedAnswer> {
        guard keybox.recipientID == author else { throw .answer(.keyboxForAnother) }
        guard keybox.senderID == theirs.partner else { throw .answer(.otherAnswer) }
        let context = try context(author: theirs.partner)
        let oneTimeKey = try OneTimeKey.released(by: keybox.keybox, of: context, to: author, device)
        let answer = UncheckedAnswer(
            token: theirs.document.token, commitment: theirs.document.commitment)
        let outcome: RevealOutcome
        do {
            outcome = try answer.outcome(
                with: oneTimeKey, of: context, at: place, pinned: pin?.commitment, key: key)
        } catch { throw .reveal(error) }
        switch outcome {
        case .revealed(let answer): return .done(answer)
        case .conflict(.proven): return .conflict(with: self, isProven: true)
        case .conflict(.unproven) where trustsAnybody: return .conflict(with: self, isProven: false)
        // A stranger who has the public keys gets so far, and leaves no trace.
        case .conflict: throw .reveal(.pinMismatch)
        }
    }
}

extension OneTimeKey {
    /// What is in a keybox, with the errors of the vault.
    static func released(
        by keybox: KeyboxToken, of context: AnswerContext, to recipient: UserID, _ device: Device
    ) throws(VaultError) -> OneTimeKey {
        do {
            return try OneTimeKey(releasedBy: keybox, of: context, to: recipient, with: device.identity)
        } catch let error as OpenError {
            throw .keybox(error)
        } catch let error as KeysetError {
            throw .keyset(error)
        } catch {
            preconditionFailure("a keybox fails with an OpenError or a KeysetError")
        }
    }
}

extension Facing {
    /// A conflict of another step's.
    fileprivate func asConflict<Other>() -> Facing<Other> {
        guard case .conflict(let stored, let isProven) = self else {
            preconditionFailure("a step that is done is no conflict")
        }
        return .conflict(with: stored, isProven: isProven)
    }
}

extension Couple {
    /// Whether an answer that the server could have written is taken all the same. It is if its key proves as much as the one that seals
    /// now, or, once it is pinned, as the one that sealed then. One that was pinned before the couple was private is taken, too
    /// (closer-keys-answer(1), CHECKS).
    fileprivate func accepts(forgeable answer: RevealedAnswer, pinnedIn stored: StoredAnswer) -> Bool {
        guard let pin = stored.pin else { return proves(answer, with: provingKeyIDs) }
        guard pin.provingKeyIDs.isEmpty else { return proves(answer, with: pin.provingKeyIDs) }
        return proves(answer, with: provingKeyIDs) || pin.epoch < privateSince ?? 0
    }

    /// No ids at all: no key proves more than another.
    private func proves(_ answer: RevealedAnswer, with keyIDs: Set<UInt32>) -> Bool {
        keyIDs.isEmpty || answer.macKeyID.map(keyIDs.contains) ?? false
    }
}
