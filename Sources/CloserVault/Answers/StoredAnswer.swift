public import CloserKeys
internal import CloserTink
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
/// Once ours is released and theirs revealed, the vault drops the sealed text. The one-time key stays, for a partner who gets another
/// device and for an archive, until ``Vault/forget(answers:)``.
public struct StoredAnswer: Sendable {
    /// The couple whose answer it is.
    public let couple: CoupleID
    /// The question that is answered.
    public let question: QuestionID
    /// The day or the thread that it belongs to.
    public let place: AnswerPlace
    let author: UserID
    /// What we committed to.
    package let commitment: Commitment
    /// Nil once ours is released and theirs revealed, and for an answer that a former device sealed.
    private(set) var token: SealedToken?
    /// Nil for an answer that was forgotten, or that a former device sealed.
    private(set) var oneTimeKey: Keyset?
    /// The partner's commitment as it was first seen; another one is refused.
    var pin: Pin?
    /// Nil until our key is released.
    private(set) var release: Release?
    /// Whether the partner's answer was opened here.
    public private(set) var isRevealed = false
    /// Whether an answer other than the pinned one was ever seen.
    public internal(set) var isInConflict = false
    /// The couple's key under which both answers are archived, as ``Vault/noteArchive(_:of:)`` was told; nil without an archive.
    var archiveKeyID: UInt32?
    /// Whether an archive of both answers is kept.
    public var isArchived: Bool { archiveKeyID != nil }

    /// What a release was made of and what it gave, so that the same input gives the same bytes.
    struct Release: Equatable, Sendable {
        let partner: UserID
        /// SHA-256 of the ASCII of the partner's `encryptedPayload`.
        let payloadDigest: [UInt8]
        /// One for each key that the partner had, the first release first.
        var boxes: [Box]

        struct Box: Equatable, Sendable {
            let key: PublicKeyToken
            let keybox: KeyboxToken
        }

        func box(for key: PublicKeyToken) -> Box? { boxes.first { $0.key == key } }
    }

    /// A sealed, unreleased answer, for tests.
    package init(_ sealed: SealedAnswer, of context: AnswerContext, at place: AnswerPlace) {
        (couple, question, author) = (context.couple, context.question, context.author)
        (token, oneTimeKey, commitment) = (sealed.token, sealed.oneTimeKey, sealed.commitment)
        self.place = place
    }

    /// An answer of ours that a former device sealed.
    init(_ own: OwnAnswer, of couple: CoupleID) {
        (self.couple, question, author) = (couple, own.document.questionID, own.document.userID)
        (place, commitment) = (own.place, own.document.commitment)
    }

    /// The text with its key, as long as both are kept.
    var sealed: SealedAnswer? {
        guard let token, let oneTimeKey else { return nil }
        return SealedAnswer(token: token, commitment: commitment, oneTimeKey: oneTimeKey)
    }

    /// Whether a commitment of the partner's is pinned.
    public var isPinned: Bool { pin != nil }
    /// Whether our key was handed to the partner.
    public var isReleased: Bool { release != nil || isForgotten }
    /// Whether only its pins are left, by ``Vault/forget(answers:)``.
    public var isForgotten: Bool { isArchived && oneTimeKey == nil }
    /// Whether a former device of ours sealed it, so that this one came too late to see how it was proven.
    var isOfFormerDevice: Bool { oneTimeKey == nil && release == nil && !isArchived }
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
            guard let sealed else { throw oneTimeKey == nil ? .keyNotKept : .textNotKept }
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

    /// Leaves the ids, our commitment and the pin.
    mutating func forget() { (token, oneTimeKey, release) = (nil, nil, nil) }

    mutating func reveals() {
        isRevealed = true
        shrink()
    }

    /// Ten years of answers then fit into some 4 MB.
    private mutating func shrink() {
        if isReleased, isRevealed { token = nil }
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
        4096 + (token?.text.count ?? 0) + 4 * (pin?.provingKeyIDs.count ?? 0)
            + (release?.boxes.reduce(0) { $0 + 8 + $1.key.text.count + $1.keybox.text.count } ?? 0)
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        question = try fields.identifier(in: bytes)
        place = try fields.place(in: bytes)
        author = try fields.identifier(in: bytes)
        commitment = try fields.commitment(in: bytes)
        if try fields.flag(in: bytes) {
            token = try fields.optional(in: bytes) { try SealedToken(parsing: $0) }
            oneTimeKey = try fields.keyset(in: bytes)
        }
        pin = try fields.flag(in: bytes) ? try fields.pin(in: bytes) : nil
        release = try fields.flag(in: bytes) ? try fields.release(in: bytes) : nil
        isRevealed = try fields.flag(in: bytes)
        isInConflict = try fields.flag(in: bytes)
        archiveKeyID = try fields.keyIDs(in: bytes).first
        while !fields.isAtEnd { release?.boxes.append(try fields.box(in: bytes)) }
        guard (token == nil) == (isRevealed && (isReleased || oneTimeKey == nil)) else { throw .damaged }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        for text in [couple.text, question.text, place.text, author.text] { output.append(field: text) }
        output.append(field: commitment.text)
        output.append(field: oneTimeKey != nil)
        if let oneTimeKey {
            output.append(field: token?.text ?? [])
            output.append(field: oneTimeKey)
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
            output.append(field: release.boxes[0].key.text)
            output.append(field: release.payloadDigest)
            output.append(field: release.boxes[0].keybox.text)
        }
        output.append(field: isRevealed)
        output.append(field: isInConflict)
        output.append(field: archiveKeyID.map { Couple.bytes([$0]) } ?? [])
        for box in release?.boxes.dropFirst() ?? [] {
            output.append(field: box.key.text)
            output.append(field: box.keybox.text)
        }
    }
}

extension RecordFields {
    fileprivate mutating func pin(in bytes: Span<UInt8>) throws(VaultError) -> Pin {
        Pin(
            try commitment(in: bytes), epoch: try epoch(in: bytes), provingKeyIDs: Set(try keyIDs(in: bytes)))
    }

    fileprivate mutating func release(in bytes: Span<UInt8>) throws(VaultError) -> StoredAnswer.Release {
        let partner: UserID = try identifier(in: bytes)
        let key = try publicKey(in: bytes)
        let digest = try digest(in: bytes)
        return StoredAnswer.Release(
            partner: partner, payloadDigest: digest,
            boxes: [.init(key: key, keybox: try keybox(in: bytes))])
    }

    fileprivate mutating func box(in bytes: Span<UInt8>) throws(VaultError) -> StoredAnswer.Release.Box {
        .init(key: try publicKey(in: bytes), keybox: try keybox(in: bytes))
    }

    private mutating func publicKey(in bytes: Span<UInt8>) throws(VaultError) -> PublicKeyToken {
        try parsed(try text(in: bytes)) { try PublicKeyToken(parsing: $0.utf8) }
    }

    private mutating func keybox(in bytes: Span<UInt8>) throws(VaultError) -> KeyboxToken {
        try parsed(try text(in: bytes)) { try KeyboxToken(parsing: $0) }
    }
}
