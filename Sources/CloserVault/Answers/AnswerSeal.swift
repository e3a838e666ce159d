public import CloserKeys

/// Names one of our answers.
public struct AnswerName: Sendable {
    /// The couple whose answer it is.
    public let couple: CoupleID
    /// The question that is answered.
    public let question: QuestionID
    /// May be nil while only one answer has that question.
    public let place: AnswerPlace?

    /// Names an answer. The vault stays unread.
    public init(couple: CoupleID, question: QuestionID, place: AnswerPlace?) {
        (self.couple, self.question, self.place) = (couple, question, place)
    }
}

/// How an answer is written (closer-keys-answer(1), PROFILES).
public enum AnswerProfile: String, CaseIterable, Sendable {
    /// Bound to its author and place, blinded and padded.
    case hardened
    /// The form that the apps write today.
    case compat
}

extension Vault {
    /// The answer of that name.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer` with `.notSealed` or `.severalPlaces`.
    public func answer(_ name: AnswerName) throws(VaultError) -> StoredAnswer {
        try read { (transaction) throws(VaultError) in try transaction.answer(name) }
    }

    /// Our answers, by couple, place and question: those of one couple, or all.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, or `.damaged` if one of them fails to open.
    public func answers(of couple: CoupleID? = nil) throws(VaultError) -> [AnswerOverview] {
        let answers = try read { (transaction) throws(VaultError) in
            if let couple { _ = try transaction.couple(couple) }
            return try transaction.answers(of: couple)
        }
        return answers.sorted { $0.sortKey < $1.sortKey }
    }

    /// Seals our answer and keeps its key. `replacing` works until our answer is released or the partner's is revealed.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.answer` with `.exists` or `.reservedQuestion`; `.payload`.
    @discardableResult
    public func seal(
        answer: some Collection<UInt8>, to question: QuestionID, at place: AnswerPlace, of couple: CoupleID,
        profile: AnswerProfile = .hardened, replacing: Bool = false
    ) throws(VaultError) -> StoredAnswer {
        try change { (transaction) throws(VaultError) in
            let key = try transaction.couple(couple).key
            let context = try AnswerContext.stored(couple, question, author: try transaction.device.userID)
            if let old = try transaction.record(StoredAnswer.self, StoredAnswer.id(couple, question, place)) {
                guard replacing, old.isReplaceable else {
                    throw .answer(.exists(isReplaceable: old.isReplaceable))
                }
            }
            let payload = try AnswerPayload.stored(answer, of: context, at: place, key: key, profile)
            let stored = StoredAnswer(SealedAnswer(payload, of: context), of: context, at: place)
            transaction.put(stored)
            return stored
        }
    }
}

extension AnswerOverview {
    fileprivate var sortKey: (String, String, String) { (couple.text, place.text, question.text) }
}

extension Transaction {
    func answer(_ name: AnswerName) throws(VaultError) -> StoredAnswer {
        _ = try couple(name.couple)
        let prefix = StoredAnswer.id(name.couple, name.question, name.place)
        let found = try records(StoredAnswer.self, under: prefix)
        guard let answer = found.first else { throw .answer(.notSealed) }
        guard found.count == 1 else { throw .answer(.severalPlaces(found.count)) }
        return answer
    }
}

extension AnswerContext {
    /// The errors of making one as the vault's.
    static func stored(
        _ couple: CoupleID, _ question: QuestionID, author: UserID
    ) throws(VaultError) -> AnswerContext {
        do { return try AnswerContext(couple: couple, question: question, author: author) } catch {
            throw .answer(.reservedQuestion)
        }
    }
}

extension AnswerPayload {
    fileprivate static func stored(
        _ answer: some Collection<UInt8>, of context: AnswerContext, at place: AnswerPlace, key: CoupleKey,
        _ profile: AnswerProfile
    ) throws(VaultError) -> AnswerPayload {
        do throws(AnswerPayloadError) {
            return switch profile {
            case .compat: try AnswerPayload(compat: answer)
            case .hardened: try AnswerPayload(hardened: answer, of: context, at: place, key: key)
            }
        } catch { throw .payload(error) }
    }
}
