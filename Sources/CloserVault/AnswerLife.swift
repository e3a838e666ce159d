public import CloserKeys
internal import CloserPrimitives
internal import CloserTink

// An answer's life on this device: sealed, released, and the partner's revealed (security §3.2).

/// Which of our answers is meant.
public struct AnswerName: Sendable {
    public let couple: Identifier
    public let question: Identifier
    /// May be nil while only one answer has that question.
    public let place: AnswerPlace?

    public init(couple: Identifier, question: Identifier, place: AnswerPlace?) {
        (self.couple, self.question, self.place) = (couple, question, place)
    }
}

/// What the server hands over of a partner.
public struct PartnerAnswer: Sendable {
    public let partner: Identifier
    public let document: AnswerDocument

    public init(of partner: Identifier, _ document: AnswerDocument) {
        (self.partner, self.document) = (partner, document)
    }
}

/// How an answer is written.
public enum AnswerProfile: String, CaseIterable, Sendable { case hardened, compat }

extension Vault {
    /// The answer that is meant; `.notSealed` if there is none.
    public func answer(_ name: AnswerName) throws -> StoredAnswer { try read { try $0.answer(name) } }

    /// Seals our answer and keeps its key. `replacing` works until it is released or the partner's is revealed.
    @discardableResult
    public func seal(
        answer: some Collection<UInt8>, to question: Identifier, at place: AnswerPlace, of couple: Identifier,
        profile: AnswerProfile = .hardened, replacing: Bool = false
    ) throws -> StoredAnswer {
        try change { transaction in
            let key = try transaction.couple(couple).key
            let context = try AnswerContext(
                couple: couple, question: question, author: try transaction.device.userID)
            if let old = try transaction.record(StoredAnswer.self, StoredAnswer.id(couple, place, question)) {
                let isReplaceable = !old.isReleased && !old.isRevealed
                guard replacing, isReplaceable else {
                    throw AnswerError.exists(isReplaceable: isReplaceable)
                }
            }
            let payload =
                switch profile {
                case .compat: try AnswerPayload(compat: answer)
                case .hardened: try AnswerPayload(hardened: answer, of: context, at: place, key: key)
                }
            let stored = StoredAnswer(SealedAnswer(payload, of: context), of: context, at: place)
            try transaction.put(stored)
            return stored
        }
    }

    /// Hands our key to the partner, whose answer is pinned in the same transaction. The same input gives the same bytes.
    ///
    /// - Important: The first `partnerKey` is taken on trust. Compare safety numbers, then require it.
    public func release(
        _ name: AnswerName, to theirs: PartnerAnswer, key partnerKey: PublicKeyToken,
        requiringVerified: Bool = false
    ) throws -> (document: ReleaseKeyDocument, isVerified: Bool) {
        try notingConflict(name) {
            try change { transaction in
                var stored = try transaction.answer(name, facing: theirs)
                let partner = try transaction.pin(partnerKey, of: theirs.partner, of: name.couple)
                guard partner.isVerified || !requiringVerified else { throw AnswerError.notVerified }
                try transaction.pin(theirs.document.commitment, in: &stored)
                let release = try stored.release(to: theirs, key: partnerKey)
                stored.release = release
                try transaction.put(stored)
                let document = ReleaseKeyDocument(release.keybox, from: stored.author, to: theirs.partner)
                return (document, partner.isVerified)
            }
        }
    }

    /// Opens the partner's answer, once we have sealed ours. Nobody is shown an answer before giving one.
    public func reveal(
        _ name: AnswerName, of theirs: PartnerAnswer, with keybox: ReleaseKeyDocument?,
        allowingUnauthenticated: Bool = false
    ) throws -> (answer: RevealedAnswer, authenticity: Authenticity) {
        try notingConflict(name) {
            try change { transaction in
                var stored = try transaction.answer(name, facing: theirs)
                guard let keybox else { throw AnswerError.noKeybox }
                let couple = try transaction.couple(name.couple)
                var partner = try transaction.partner(theirs.partner, of: name.couple)
                let trustingAnybody = allowingUnauthenticated && !partner.authenticates
                let answer = try stored.open(
                    theirs, with: keybox, key: couple.key, as: try transaction.device,
                    trustingAnybody: trustingAnybody)
                let authenticity = couple.authenticity(of: answer)
                guard authenticity != .unauthenticated || trustingAnybody else {
                    throw AnswerError.unauthenticated(isFinal: partner.authenticates)
                }
                guard authenticity != .serverForgeable || couple.accepts(forgeable: stored) else {
                    throw AnswerError.serverForgeable
                }
                try transaction.pin(answer.commitment, in: &stored)
                stored.isRevealed = true
                try transaction.put(stored)
                partner.authenticates = partner.authenticates || authenticity != .unauthenticated
                try transaction.put(partner)
                return (answer, authenticity)
            }
        }
    }

    /// Something else than what is pinned was shown: that is remembered, for `status`, even though nothing else changes.
    private func notingConflict<Result>(_ name: AnswerName, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let conflict as AnswerConflict {
            var stored = try answer(name)
            if !stored.isInConflict, conflict.isProven || !stored.isRevealed {
                try change { transaction in
                    stored = try transaction.answer(name)
                    stored.isInConflict = true
                    try transaction.put(stored)
                }
            }
            throw AnswerError.pinMismatch
        }
    }
}
