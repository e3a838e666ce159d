public import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// A partner's answer as the server hands it over.
public struct PartnerAnswer: Sendable {
    /// The author, as the caller knows them.
    public let partner: UserID
    /// What the server stores of their answer. It is unchecked.
    public let document: AnswerDocument

    /// Combines the two. The vault checks that they match.
    public init(of partner: UserID, _ document: AnswerDocument) {
        (self.partner, self.document) = (partner, document)
    }
}

/// Our one-time key, on its way to the partner.
public struct ReleasedKey: Sendable {
    /// What the server stores for the partner.
    public let document: ReleaseKeyDocument
    /// Whether the partner's key is verified.
    public let isPartnerVerified: Bool
    /// Whether an earlier release was to another key of the partner.
    public let isToNewKey: Bool
}

extension Vault {
    /// Hands our key to the partner, whose answer is pinned in the same transaction. The same input gives the same bytes.
    ///
    /// A partner with a new device gets the same key once more: the new public key must be verified, and the partner's answer must be the
    /// one of the first release.
    ///
    /// - Important: The first `partnerKey` is pinned unverified. Compare safety numbers, then require a verified key.
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer` with `.notSealed`, `.severalPlaces`, `.partnerIsSelf`,
    ///   `.otherAnswer`, `.ownCommitment`, `.partnerKeyIsOurs`, `.partnerKeyChanged`, `.notVerified`, `.releasedToAnother`,
    ///   or `.keyNotKept`; `.reveal(.pinMismatch)`, which the vault remembers as ``StoredAnswer/isInConflict``;
    ///   `.pairing(.otherPartner)` if another partner is verified.
    public func release(
        _ name: AnswerName, to theirs: PartnerAnswer, key partnerKey: PublicKeyToken,
        requiringVerified: Bool = false
    ) throws(VaultError) -> ReleasedKey {
        try changeNoting { (transaction) throws(VaultError) in
            let before = try transaction.answer(name, facing: theirs)
            let partner = try transaction.partner(of: before, facing: theirs, partnerKey)
            let isVerified = partner.isVerified && partner.key == partnerKey
            let isRequired = try transaction.policy.requiresPairing
            guard isVerified || !(requiringVerified || isRequired) else {
                throw .answer(.notVerified)
            }
            guard before.accepts(theirs.document.commitment) else {
                return .conflict(with: before, isProven: false)
            }
            guard let release = try before.release(to: theirs, key: partnerKey, isVerified) else {
                return .conflict(with: before, isProven: false)
            }
            var stored = before
            stored.pin(theirs.document.commitment, in: try transaction.couple(name.couple))
            stored.releases(release)
            transaction.put(stored)
            guard let box = release.box(for: partnerKey) else { preconditionFailure("a release has a box") }
            return .done(
                ReleasedKey(
                    document: ReleaseKeyDocument(box.keybox, from: stored.author, to: theirs.partner),
                    isPartnerVerified: isVerified, isToNewKey: release.boxes.first != box))
        }
    }
}

extension StoredAnswer {
    /// Gives the release that is stored if it has a box for `key`, and otherwise adds the box. Nil if the partner shows another text than
    /// at the first release.
    fileprivate func release(
        to theirs: PartnerAnswer, key: PublicKeyToken, _ isVerified: Bool
    ) throws(VaultError) -> Release? {
        let digest = SHA256.hash(theirs.document.token.text.span)
        var release = release ?? Release(partner: theirs.partner, payloadDigest: digest, boxes: [])
        guard release.partner == theirs.partner else { throw .answer(.releasedToAnother) }
        guard release.payloadDigest == digest else { return nil }
        guard release.box(for: key) == nil else { return release }
        guard release.boxes.isEmpty || isVerified else { throw .answer(.notVerified) }
        guard let oneTimeKey else { throw .answer(.keyNotKept) }
        let context = try context(author: author)
        let keybox = SealedAnswer.release(oneTimeKey, of: context, to: theirs.partner, key: key)
        release.boxes.append(Release.Box(key: key, keybox: keybox))
        return release
    }
}

// MARK: - Facing the partner's answer

/// What a step with the partner's answer comes to.
enum Facing<Result> {
    case done(Result)
    /// Another answer than the pinned one was shown. Proven: the couple key shows that the partner wrote it.
    case conflict(with: StoredAnswer, isProven: Bool)
}

extension Vault {
    /// Changes the vault in one transaction. What `note` changes stays, also if `body` throws. Of a conflict, the note that there was one is
    /// all that stays besides.
    func changeNoting<Result>(
        _ note: (inout Transaction) throws(VaultError) -> Void = { _ in },
        _ body: (inout Transaction) throws(VaultError) -> Facing<Result>
    ) throws(VaultError) -> Result {
        let outcome = try change { (transaction) throws(VaultError) -> Swift.Result<Result, VaultError> in
            try note(&transaction)
            var next = transaction
            do throws(VaultError) {
                switch try body(&next) {
                case .done(let result):
                    transaction = next
                    return .success(result)
                case .conflict(let stored, let isProven):
                    transaction.note(conflictIn: stored, isProven: isProven)
                    return .failure(.reveal(.pinMismatch))
                }
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

extension Transaction {
    /// The partner of a release. A key that the answer was released to before is not pinned again: it may be a former one.
    fileprivate mutating func partner(
        of ours: StoredAnswer, facing theirs: PartnerAnswer, _ key: PublicKeyToken
    ) throws(VaultError) -> Partner {
        guard ours.release?.partner == theirs.partner, ours.release?.box(for: key) != nil else {
            return try pin(key, of: theirs.partner, of: ours.couple)
        }
        try checkIsOnlyPartner(theirs.partner, of: ours.couple)
        return try partner(theirs.partner, of: ours.couple)
    }

    /// Our answer, facing a document of theirs that is to the same question and not a copy of ours.
    func answer(
        _ name: AnswerName, or own: OwnAnswer? = nil, facing theirs: PartnerAnswer
    ) throws(VaultError) -> StoredAnswer {
        let stored = if let own { try answer(name, or: own) } else { try answer(name) }
        guard theirs.partner != stored.author else { throw .answer(.partnerIsSelf) }
        guard theirs.document.userID == theirs.partner, theirs.document.questionID == stored.question else {
            throw .answer(.otherAnswer)
        }
        guard !theirs.document.commitment.isEqual(to: stored.commitment) else {
            throw .answer(.ownCommitment)
        }
        return stored
    }

    /// Notes, for `status`, that another answer than the pinned one was shown. Once the partner's answer is revealed, an
    /// unproven copy is worthless as evidence of a conflict: public keys are enough to make one.
    fileprivate mutating func note(conflictIn stored: StoredAnswer, isProven: Bool) {
        guard !stored.isInConflict, isProven || !stored.isRevealed else { return }
        var noted = stored
        noted.isInConflict = true
        put(noted)
    }
}
