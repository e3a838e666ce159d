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
}

extension Vault {
    /// Hands our key to the partner, whose answer is pinned in the same transaction. The same input gives the same bytes.
    ///
    /// - Important: The first `partnerKey` is pinned unverified. Compare safety numbers, then require a verified key.
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer` with `.notSealed`, `.severalPlaces`, `.partnerIsSelf`,
    ///   `.otherAnswer`, `.ownCommitment`, `.partnerKeyIsOurs`, `.partnerKeyChanged`, `.notVerified`, `.releasedToAnother`,
    ///   or `.releasedToFormerKey`; `.reveal(.pinMismatch)`, which the vault remembers as ``StoredAnswer/isInConflict``;
    ///   `.pairing(.otherPartner)` if another partner is verified.
    public func release(
        _ name: AnswerName, to theirs: PartnerAnswer, key partnerKey: PublicKeyToken,
        requiringVerified: Bool = false
    ) throws(VaultError) -> ReleasedKey {
        try changeNoting { (transaction) throws(VaultError) in
            let before = try transaction.answer(name, facing: theirs)
            let partner = try transaction.pin(partnerKey, of: theirs.partner, of: name.couple)
            let isRequired = try transaction.policy.requiresPairing
            guard partner.isVerified || !(requiringVerified || isRequired) else {
                throw .answer(.notVerified)
            }
            guard before.accepts(theirs.document.commitment) else {
                return .conflict(with: before, isProven: false)
            }
            guard let release = try before.release(to: theirs, key: partnerKey) else {
                return .conflict(with: before, isProven: false)
            }
            var stored = before
            stored.pin(theirs.document.commitment, in: try transaction.couple(name.couple))
            stored.releases(release)
            transaction.put(stored)
            let document = ReleaseKeyDocument(release.keybox, from: stored.author, to: theirs.partner)
            return .done(ReleasedKey(document: document, isPartnerVerified: partner.isVerified))
        }
    }
}

extension StoredAnswer {
    /// The release that was made before, if the input is the same; else a new one. Nil for another answer of the same partner.
    fileprivate func release(to theirs: PartnerAnswer, key: PublicKeyToken) throws(VaultError) -> Release? {
        let digest = SHA256.hash(theirs.document.token.text.span)
        if let release {
            guard release.partner == theirs.partner else { throw .answer(.releasedToAnother) }
            guard release.partnerKey == key else { throw .answer(.releasedToFormerKey) }
            return release.payloadDigest == digest ? release : nil
        }
        guard let sealed else { preconditionFailure("an answer lost its key before its release") }
        let context = try context(author: author)
        let keybox = sealed.release(of: context, to: theirs.partner, key: key)
        return Release(partner: theirs.partner, partnerKey: key, payloadDigest: digest, keybox: keybox)
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
    /// Our answer, facing a document of theirs that is to the same question and not a copy of ours.
    func answer(_ name: AnswerName, facing theirs: PartnerAnswer) throws(VaultError) -> StoredAnswer {
        let stored = try answer(name)
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
