public import CloserKeys

/// One of our answers in a list: ``StoredAnswer`` without the sealed text and its key.
public struct AnswerOverview: Equatable, Sendable {
    /// The couple whose answer it is.
    public let couple: CoupleID
    /// The question that is answered.
    public let question: QuestionID
    /// The day or the thread that it belongs to.
    public let place: AnswerPlace
    /// What we committed to.
    package let commitment: Commitment
    /// Whether a commitment of the partner's is pinned.
    public let isPinned: Bool
    /// Whether our key was handed to the partner.
    public let isReleased: Bool
    /// Whether the partner's answer was opened here.
    public let isRevealed: Bool
    /// Whether an answer other than the pinned one was ever seen.
    public let isInConflict: Bool
    let archiveKeyID: UInt32?
    /// Whether an archive of both answers is kept, as ``Vault/noteArchive(_:of:)`` was told.
    public var isArchived: Bool { archiveKeyID != nil }
    /// Whether the vault has the one-time key: without it, this device can neither release nor archive the answer.
    public let isKeyKept: Bool

    /// The last state that it reached, in the order sealed, released, conflict, revealed.
    public var state: AnswerState {
        if isRevealed { return .revealed }
        if isInConflict { return .conflict }
        return isReleased ? .released : .sealed
    }
}

extension StoredAnswer {
    /// The answer without its sealed text and its key.
    public var overview: AnswerOverview {
        AnswerOverview(
            couple: couple, question: question, place: place, commitment: commitment, isPinned: isPinned,
            isReleased: isReleased, isRevealed: isRevealed, isInConflict: isInConflict,
            archiveKeyID: archiveKeyID, isKeyKept: oneTimeKey != nil)
    }
}

extension AnswerOverview: ReadableRecord {
    static let kind = RecordKind.answer
    var recordID: RecordID { StoredAnswer.id(couple, question, place) }

    /// Reads what ``StoredAnswer`` wrote, and skips the author, the sealed text with its key, and what was pinned and released.
    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        question = try fields.identifier(in: bytes)
        place = try fields.place(in: bytes)
        _ = try fields.range(in: bytes)
        commitment = try fields.commitment(in: bytes)
        isKeyKept = try fields.flag(in: bytes, skipping: 2)
        isPinned = try fields.flag(in: bytes, skipping: 3)
        let isReleased = try fields.flag(in: bytes, skipping: 4)
        isRevealed = try fields.flag(in: bytes)
        isInConflict = try fields.flag(in: bytes)
        archiveKeyID = try fields.keyIDs(in: bytes).first
        while !fields.isAtEnd { _ = try fields.range(in: bytes) }
        guard isKeyKept || isRevealed else { throw .damaged }
        // What is forgotten was released.
        self.isReleased = isReleased || archiveKeyID != nil && !isKeyKept
    }
}

extension RecordFields {
    mutating func place(in bytes: Span<UInt8>) throws(VaultError) -> AnswerPlace {
        try parsed(try text(in: bytes)) { try AnswerPlace(parsing: $0) }
    }

    mutating func commitment(in bytes: Span<UInt8>) throws(VaultError) -> Commitment {
        let text = try self.bytes(in: bytes)
        do { return try Commitment(parsing: text) } catch { throw .damaged }
    }

    /// A flag, and whether so many fields follow it, which are skipped.
    fileprivate mutating func flag(in bytes: Span<UInt8>, skipping count: Int) throws(VaultError) -> Bool {
        let isSet = try flag(in: bytes)
        if isSet { for _ in 0..<count { _ = try range(in: bytes) } }
        return isSet
    }
}

extension Transaction {
    func answers(of couple: CoupleID?) throws(VaultError) -> [AnswerOverview] {
        try records(AnswerOverview.self, under: couple.map { RecordID($0.bytes) })
    }

    /// The questions to which our answer is sealed, and neither released nor the partner's revealed. None for a partner with a new key: a
    /// release before the pairing would go to the former one.
    func openQuestions(of couple: CoupleID, to party: PairingParty) throws(VaultError) -> [QuestionID] {
        let known = try partner(party.user, of: couple).key
        guard known.map({ $0.isSameKey(as: party.publicKey) }) ?? true else { return [] }
        return try answers(of: couple).filter { !$0.isReleased && !$0.isRevealed }.map(\.question)
            .sorted { $0.text < $1.text }
    }
}
