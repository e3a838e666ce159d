public import CloserKeys
internal import CloserTink
internal import CloserWire

/// The partner's commitment as it was first seen, and whether the couple was rekeyed at that time.
struct Pin: Equatable, Sendable {
    let commitment: Commitment
    let wasRekeyed: Bool

    init(_ commitment: Commitment, wasRekeyed: Bool) {
        (self.commitment, self.wasRekeyed) = (commitment, wasRekeyed)
    }
}

/// One of our answers, and what we saw of the partner's (security §3.2). One for each couple, place and question.
public struct StoredAnswer: Sendable {
    public let couple: Identifier
    public let place: AnswerPlace
    public let question: Identifier
    let author: Identifier
    let sealed: SealedAnswer
    /// The partner's commitment as it was first seen; another one is refused.
    var pin: Pin?
    /// Nil until our key is released.
    var release: Release?
    public internal(set) var isRevealed = false
    /// Whether something else than what is pinned was ever shown to us.
    public internal(set) var isInConflict = false

    /// What a release was made of and what it gave, so that the same input gives the same bytes.
    struct Release: Equatable, Sendable {
        let partner: Identifier
        let partnerKey: PublicKeyToken
        /// SHA-256 of the ASCII of the partner's `encryptedPayload`.
        let payloadDigest: [UInt8]
        let keybox: KeyboxToken
    }

    init(_ sealed: SealedAnswer, of context: AnswerContext, at place: AnswerPlace) {
        (couple, question, author) = (context.couple, context.question, context.author)
        (self.sealed, self.place) = (sealed, place)
    }

    /// Whether a commitment of the partner's is pinned.
    public var isPinned: Bool { pin != nil }
    public var isReleased: Bool { release != nil }
    public var commitment: Commitment { sealed.commitment }

    var context: AnswerContext {
        get throws { try AnswerContext(couple: couple, question: question, author: author) }
    }

    /// What the server stores of it.
    public var document: AnswerDocument {
        get throws {
            try AnswerDocument(sealed, of: context, isInThread: place.isThread, isKeyReleased: isReleased)
        }
    }
}

extension StoredAnswer: Record {
    static let kind = RecordKind.answer
    static func id(_ couple: Identifier, _ place: AnswerPlace, _ question: Identifier) -> RecordID {
        RecordID(couple.bytes, Array(place.text.utf8), question.bytes)
    }
    static func group(_ couple: Identifier, _ question: Identifier) -> RecordID {
        RecordID(Array("question".utf8), couple.bytes, question.bytes)
    }
    var recordID: RecordID { Self.id(couple, place, question) }
    var owner: Identifier? { couple }
    var group: RecordID? { Self.group(couple, question) }
    var maximumByteCount: Int { 4096 + sealed.token.text.count + (release?.keybox.text.count ?? 0) }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        couple = try fields.identifier(in: bytes)
        place = try fields.parsed(try fields.text(in: bytes)) { try AnswerPlace(parsing: $0) }
        question = try fields.identifier(in: bytes)
        author = try fields.identifier(in: bytes)
        sealed = SealedAnswer(
            token: try fields.parsed(try fields.text(in: bytes)) { try SealedToken(parsing: $0) },
            commitment: try fields.parsed(try fields.text(in: bytes)) { try Commitment(parsing: $0.utf8) },
            oneTimeKey: try fields.keyset(in: bytes))
        pin = try fields.flag(in: bytes) ? try fields.pin(in: bytes) : nil
        isRevealed = try fields.flag(in: bytes)
        isInConflict = try fields.flag(in: bytes)
        release = try fields.flag(in: bytes) ? try fields.release(in: bytes) : nil
    }

    func write(to output: inout OutputSpan<UInt8>) {
        for text in [couple.text, place.text, question.text, author.text] { output.append(field: text) }
        output.append(field: sealed.token.text)
        output.append(field: sealed.commitment.text)
        output.append(field: sealed.oneTimeKey)
        output.append(field: pin != nil)
        if let pin {
            output.append(field: pin.commitment.text)
            output.append(field: pin.wasRekeyed)
        }
        output.append(field: isRevealed)
        output.append(field: isInConflict)
        output.append(field: isReleased)
        guard let release else { return }
        output.append(field: release.partner.text)
        output.append(field: release.partnerKey.text)
        output.append(field: release.payloadDigest)
        output.append(field: release.keybox.text)
    }
}

extension RecordFields {
    fileprivate mutating func pin(in bytes: Span<UInt8>) throws(VaultError) -> Pin {
        let commitment = try parsed(try text(in: bytes)) { try Commitment(parsing: $0.utf8) }
        return Pin(commitment, wasRekeyed: try flag(in: bytes))
    }

    fileprivate mutating func release(in bytes: Span<UInt8>) throws(VaultError) -> StoredAnswer.Release {
        StoredAnswer.Release(
            partner: try identifier(in: bytes),
            partnerKey: try parsed(try text(in: bytes)) { try PublicKeyToken(parsing: $0.utf8) },
            payloadDigest: try self.bytes(in: bytes),
            keybox: try parsed(try text(in: bytes)) { try KeyboxToken(parsing: $0) })
    }
}
