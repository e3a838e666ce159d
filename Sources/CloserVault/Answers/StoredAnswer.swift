public import CloserKeys
internal import CloserWire

/// The partner's commitment as it was first seen, and the couple's epoch at that time.
struct Pin: Equatable, Sendable {
    let commitment: Commitment
    let epoch: UInt32
    /// The keys that proved as much by then as the one that sealed; none if that proved nothing against the server.
    let provingKeyIDs: Set<UInt32>

    init(_ commitment: Commitment, epoch: UInt32, provingKeyIDs: Set<UInt32> = []) {
        (self.commitment, self.epoch, self.provingKeyIDs) = (commitment, epoch, provingKeyIDs)
    }
}

/// One of our answers, and what we saw of the partner's. One for each couple, question and place.
///
/// Once ours is released and theirs revealed, the vault drops the sealed text and its one-time key, and keeps the pins.
public struct StoredAnswer: Sendable {
    /// The couple whose answer it is.
    public let couple: CoupleID
    /// The question that is answered.
    public let question: QuestionID
    /// The day or the thread that it belongs to.
    public let place: AnswerPlace
    let author: UserID
    /// What we committed to.
    public let commitment: Commitment
    /// Nil once it has done its work.
    private(set) var sealed: SealedAnswer?
    /// The partner's commitment as it was first seen; another one is refused.
    var pin: Pin?
    /// Nil until our key is released.
    private(set) var release: Release?
    /// Whether the partner's answer was opened here.
    public private(set) var isRevealed = false
    /// Whether an answer other than the pinned one was ever seen.
    public internal(set) var isInConflict = false

    /// What a release was made of and what it gave, so that the same input gives the same bytes.
    struct Release: Equatable, Sendable {
        let partner: UserID
        let partnerKey: PublicKeyToken
        /// SHA-256 of the ASCII of the partner's `encryptedPayload`.
        let payloadDigest: [UInt8]
        let keybox: KeyboxToken
    }

    /// A sealed, unreleased answer, for tests.
    public init(_ sealed: SealedAnswer, of context: AnswerContext, at place: AnswerPlace) {
        (couple, question, author) = (context.couple, context.question, context.author)
        (self.sealed, self.place, commitment) = (sealed, place, sealed.commitment)
    }

    /// Whether a commitment of the partner's is pinned.
    public var isPinned: Bool { pin != nil }
    /// Whether our key was handed to the partner.
    public var isReleased: Bool { release != nil }
    /// Whether it may be replaced: it is unreleased, and theirs is unrevealed.
    public var isReplaceable: Bool { !isReleased && !isRevealed }

    func context(author: UserID) throws(VaultError) -> AnswerContext {
        try .stored(couple, question, author: author)
    }

    /// The document for the server.
    ///
    /// - Throws: ``AnswerError/textNotKept`` after release and reveal.
    public var document: AnswerDocument {
        get throws(AnswerError) {
            guard let sealed else { throw .textNotKept }
            guard let context = try? context(author: author) else { throw .reservedQuestion }
            return AnswerDocument(sealed, of: context, isInThread: place.isThread, isKeyReleased: isReleased)
        }
    }

    /// Whether it is the partner's commitment that was seen first, or the first one.
    func accepts(_ commitment: Commitment) -> Bool { pin?.commitment.isEqual(to: commitment) ?? true }

    /// The first commitment of a partner stays.
    mutating func pin(_ commitment: Commitment, in couple: Couple) {
        pin = pin ?? Pin(commitment, epoch: couple.epoch, provingKeyIDs: couple.provingKeyIDs)
    }

    mutating func releases(_ release: Release) {
        self.release = release
        shrink()
    }

    mutating func reveals() {
        isRevealed = true
        shrink()
    }

    /// Ten years of answers then fit into some 2 MB.
    private mutating func shrink() {
        if isReleased, isRevealed { sealed = nil }
    }
}

extension StoredAnswer: Record {
    static let kind = RecordKind.answer
    /// Without a place it is the beginning of the ids of all with that question.
    static func id(_ couple: CoupleID, _ question: QuestionID, _ place: AnswerPlace?) -> RecordID {
        guard let place else { return RecordID(couple.bytes, question.bytes) }
        return RecordID(couple.bytes, question.bytes, Array(place.text.utf8))
    }
    var recordID: RecordID { Self.id(couple, question, place) }
    var maximumByteCount: Int {
        4096 + (sealed?.token.text.count ?? 0) + (release?.keybox.text.count ?? 0)
            + 4 * (pin?.provingKeyIDs.count ?? 0)
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        question = try fields.identifier(in: bytes)
        place = try fields.place(in: bytes)
        author = try fields.identifier(in: bytes)
        commitment = try fields.commitment(in: bytes)
        sealed = try fields.flag(in: bytes) ? try fields.sealed(commitment, in: bytes) : nil
        pin = try fields.flag(in: bytes) ? try fields.pin(in: bytes) : nil
        release = try fields.flag(in: bytes) ? try fields.release(in: bytes) : nil
        isRevealed = try fields.flag(in: bytes)
        isInConflict = try fields.flag(in: bytes)
        guard (sealed == nil) == (isReleased && isRevealed) else { throw .damaged }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        for text in [couple.text, question.text, place.text, author.text] { output.append(field: text) }
        output.append(field: commitment.text)
        output.append(field: sealed != nil)
        if let sealed {
            output.append(field: sealed.token.text)
            output.append(field: sealed.oneTimeKey)
        }
        output.append(field: pin != nil)
        if let pin {
            output.append(field: pin.commitment.text)
            output.append(field: [UInt8](bigEndian: UInt64(pin.epoch)))
            output.append(field: Couple.bytes(pin.provingKeyIDs))
        }
        output.append(field: release != nil)
        if let release {
            output.append(field: release.partner.text)
            output.append(field: release.partnerKey.text)
            output.append(field: release.payloadDigest)
            output.append(field: release.keybox.text)
        }
        output.append(field: isRevealed)
        output.append(field: isInConflict)
    }
}

extension RecordFields {
    fileprivate mutating func sealed(
        _ commitment: Commitment, in bytes: Span<UInt8>
    ) throws(VaultError) -> SealedAnswer {
        SealedAnswer(
            token: try parsed(try text(in: bytes)) { try SealedToken(parsing: $0) }, commitment: commitment,
            oneTimeKey: try keyset(in: bytes))
    }

    fileprivate mutating func pin(in bytes: Span<UInt8>) throws(VaultError) -> Pin {
        Pin(
            try commitment(in: bytes), epoch: try epoch(in: bytes), provingKeyIDs: Set(try keyIDs(in: bytes)))
    }

    fileprivate mutating func release(in bytes: Span<UInt8>) throws(VaultError) -> StoredAnswer.Release {
        StoredAnswer.Release(
            partner: try identifier(in: bytes),
            partnerKey: try parsed(try text(in: bytes)) { try PublicKeyToken(parsing: $0.utf8) },
            payloadDigest: try digest(in: bytes),
            keybox: try parsed(try text(in: bytes)) { try KeyboxToken(parsing: $0) })
    }
}
