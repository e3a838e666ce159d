internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink

// The steps of release and reveal, in the order they are taken.

extension Transaction {
    /// The answer that is meant.
    func answer(_ name: AnswerName) throws -> StoredAnswer {
        _ = try couple(name.couple)
        let found: [StoredAnswer]
        if let place = name.place {
            let id = StoredAnswer.id(name.couple, place, name.question)
            found = try record(StoredAnswer.self, id).map { [$0] } ?? []
        } else {
            found = try records(StoredAnswer.self, in: StoredAnswer.group(name.couple, name.question))
        }
        guard let answer = found.first else { throw AnswerError.notSealed }
        guard found.count == 1 else { throw AnswerError.severalPlaces(found.count) }
        return answer
    }

    /// Our answer, facing a document of theirs that is to the same question and not a copy of ours.
    func answer(_ name: AnswerName, facing theirs: PartnerAnswer) throws -> StoredAnswer {
        let stored = try answer(name)
        guard theirs.partner != stored.author else { throw AnswerError.partnerIsSelf }
        guard theirs.document.userID == theirs.partner, theirs.document.questionID == stored.question else {
            throw AnswerError.otherAnswer
        }
        guard !theirs.document.commitment.isEqual(to: stored.commitment) else {
            throw AnswerError.ownCommitment
        }
        return stored
    }

    func partner(_ userID: Identifier, of couple: Identifier) throws -> Partner {
        try record(Partner.self, Partner.id(userID, of: couple)) ?? Partner(userID, of: couple)
    }

    /// The first key of a partner is stored, another one refused (security §2, W4).
    func pin(_ key: PublicKeyToken, of userID: Identifier, of couple: Identifier) throws -> Partner {
        guard try !key.isSameKey(as: device.publicKey) else { throw AnswerError.partnerKeyIsOurs }
        var partner = try partner(userID, of: couple)
        guard partner.key == nil || partner.key == key else { throw AnswerError.partnerKeyChanged }
        guard partner.key == nil else { return partner }
        partner.key = key
        try put(partner)
        return partner
    }

    /// The first commitment of a partner is stored, another one refused (security §3.2).
    func pin(_ commitment: Commitment, in stored: inout StoredAnswer) throws {
        guard let pin = stored.pin else {
            stored.pin = Pin(commitment, wasRekeyed: try couple(stored.couple).isRekeyed)
            return
        }
        guard pin.commitment.isEqual(to: commitment) else { throw AnswerConflict(isProven: false) }
    }
}

extension StoredAnswer {
    /// The release that was made before, if the input is the same; else a new one.
    func release(to theirs: PartnerAnswer, key: PublicKeyToken) throws -> Release {
        let digest = SHA256.hash(theirs.document.token.text.span)
        if let release {
            guard release.partner == theirs.partner else { throw AnswerError.releasedToAnother }
            guard release.partnerKey == key else { throw AnswerError.partnerKeyChanged }
            guard release.payloadDigest == digest else { throw AnswerConflict(isProven: false) }
            return release
        }
        let keybox = try sealed.release(of: context, to: theirs.partner, key: key)
        return Release(partner: theirs.partner, partnerKey: key, payloadDigest: digest, keybox: keybox)
    }

    /// Opens the keybox with our identity and the answer with what was in it, and checks all of it.
    func open(
        _ theirs: PartnerAnswer, with keybox: ReleaseKeyDocument, key: CoupleKey, as device: Device,
        trustingAnybody: Bool
    ) throws -> RevealedAnswer {
        guard keybox.recipientID == author else { throw AnswerError.keyboxForAnother }
        guard keybox.senderID == theirs.partner else { throw AnswerError.otherAnswer }
        let context = try AnswerContext(couple: couple, question: question, author: theirs.partner)
        let oneTimeKey: OneTimeKey
        do {
            oneTimeKey = try OneTimeKey(
                releasedBy: keybox.keybox, of: context, to: author, with: device.identity)
        } catch let error as OpenError {
            throw AnswerError.keybox(error)
        } catch let error as KeysetError {
            throw AnswerError.oneTimeKey(error)
        }
        let answer = UncheckedAnswer(
            token: theirs.document.token, commitment: theirs.document.commitment)
        func reveal(pinned: Commitment?) throws(RevealError) -> RevealedAnswer {
            try answer.reveal(with: oneTimeKey, of: context, at: place, pinned: pinned, key: key)
        }
        do { return try reveal(pinned: pin?.commitment) } catch .pinMismatch {
            // A stranger with public keys gets so far, and leaves no trace.
            guard let other = try? reveal(pinned: nil), other.macKeyID != nil || trustingAnybody else {
                throw AnswerError.pinMismatch
            }
            throw AnswerConflict(isProven: other.macKeyID != nil)
        } catch { throw AnswerError.reveal(error) }
    }
}

extension Couple {
    func authenticity(of answer: RevealedAnswer) -> Authenticity {
        guard let keyID = answer.macKeyID else { return .unauthenticated }
        return origin(ofKey: keyID) == .rekey ? .authenticated : .serverForgeable
    }

    /// Once rekeyed, what the server could have written counts only if it was pinned before (security §3.1).
    func accepts(forgeable stored: StoredAnswer) -> Bool {
        guard isRekeyed else { return true }
        return stored.pin.map { !$0.wasRekeyed } ?? false
    }
}
