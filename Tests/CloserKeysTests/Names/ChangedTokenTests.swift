import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

/// Every golden token with each of its bits flipped, cut everywhere, and with each byte behind it: none opens, and the table says which
/// errors there are. What is still a token does not open.
@Suite("Changed tokens")
struct ChangedTokenTests {
    /// A golden text, how it is read to the end, and the errors that its changes have, all of them and no others.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: [UInt8]
        let flipped: [any Error]
        let cut: [any Error]
        let read: @Sendable ([UInt8]) throws -> Void
        var testDescription: String { name }
    }

    private static let texts: [TokenError] = [.notAToken, .unsupportedVersion, .malformed(.other)]
    private static let spelling: [TokenError] = [.notAToken, .malformed(.other)]
    private static let opening: [OpenError] = [.noMatchingKey, .authenticationFailed]
    private static let field = opening.map(FieldError.opening)
    private static let cutField = [OpenError.tooShort, .authenticationFailed].map(FieldError.opening)

    /// The example of closer-keys-formats(7), FIELDS, which is pyca's: the first case of vectors/v1/field_v2.json.
    private static let placed = "enc:v2:AQoLDA0AAQIDBAUGBwgJCgsvZ7p3qsUghinvA8LO1zHqyQNzIBh1cR/W"

    static let rows = [
        Row(
            name: "field", text: Array(golden.text("field.token").utf8), flipped: texts + field,
            cut: spelling + cutField
        ) { _ = try coupleKey().open(FieldToken(parsing: $0), couple: context().couple) },
        Row(
            name: "field at its place", text: Array(placed.utf8), flipped: texts + field,
            cut: spelling + cutField
        ) {
            _ = try coupleKey().open(
                FieldToken(parsing: $0), couple: context().couple,
                place: FieldPlace(parsing: "users/alice/encryptedStatus"))
        },
        Row(
            name: "keybox", text: Array(golden.text("keybox.ofKeyset").utf8), flipped: texts + opening,
            cut: spelling + [OpenError.tooShort, .authenticationFailed]
        ) { _ = try released(by: $0) },
        Row(
            name: "sealed answer", text: Array(golden.text("sealedAnswer.encryptedPayload").utf8),
            flipped: texts + [RevealError.noMatchingKey, .authenticationFailed],
            cut: spelling + [RevealError.authenticationFailed]
        ) { try reveal(token: $0) },
        Row(
            name: "commitment", text: Array(golden.text("sealedAnswer.commitmentHash").utf8),
            flipped: spelling + [RevealError.commitmentMismatch], cut: spelling
        ) { try reveal(commitment: $0) },
    ]

    @Test("no bit can be flipped", arguments: rows)
    func flipped(_ row: Row) throws {
        try check(row, (0..<row.text.count * 8).map { row.text.flipping(bit: $0) }, row.flipped)
    }

    @Test("nothing can be cut off or added", arguments: rows)
    func cutAndExtended(_ row: Row) throws {
        let cuts = row.text.indices.map { Array(row.text[..<$0]) } + [Array(row.text.dropFirst())]
        let extensions = (0...255).flatMap { [row.text + [UInt8($0)], [UInt8($0)] + row.text] }
        try check(row, cuts + extensions, row.cut)
    }

    @Test("of a public key, nothing can be cut off or added; its key id is anybody's")
    func publicKey() throws {
        let text = Array(golden.text("userKey.publicToken").utf8)
        for change in text.indices.map({ Array(text[..<$0]) }) + (0...255).map({ text + [UInt8($0)] }) {
            #expect(throws: PublicKeyToken.FormatError.self) { try PublicKeyToken(parsing: change) }
        }
    }

    /// The text itself is read; a change is not.
    private func check(_ row: Row, _ changes: [[UInt8]], _ errors: [any Error]) throws {
        try row.read(row.text)
        var met: Set<String> = []
        for change in changes {
            do {
                try row.read(change)
                Issue.record("taken: \(String(decoding: change, as: UTF8.self))")
            } catch TokenError.malformed {
                // One of many misspellings.
                met.insert("\(TokenError.malformed(.other))")
            } catch { met.insert("\(error)") }
        }
        #expect(met == Set(errors.map { "\($0)" }))
    }

    // MARK: - What reads them

    private static func coupleKey() throws -> CoupleKey {
        let secret = SecretBytes(testOnly: golden.hex("coupleKeyset.binaryHex"))
        return try CoupleKey(InsecureCleartextKeyset.read(binary: secret, .strict))
    }

    private static func context() throws -> AnswerContext {
        try AnswerContext(
            couple: CoupleID(parsing: golden.text("ids.coupleId")), question: QuestionID(parsing: "q_42"),
            author: UserID(parsing: "alice"))
    }

    private static func released(by keybox: [UInt8]) throws -> OneTimeKey {
        let secret = SecretBytes(testOnly: golden.hex("userKey.privateKeysetHex"))
        return try OneTimeKey(
            releasedBy: KeyboxToken(parsing: keybox), of: context(),
            to: UserID(parsing: golden.text("ids.bob")),
            with: InsecureCleartextKeyset.read(binary: secret))
    }

    private static func reveal(token: [UInt8]? = nil, commitment: [UInt8]? = nil) throws {
        let answer = UncheckedAnswer(
            token: try SealedToken(
                parsing: token ?? Array(golden.text("sealedAnswer.encryptedPayload").utf8)),
            commitment: try Commitment(
                parsing: commitment ?? Array(golden.text("sealedAnswer.commitmentHash").utf8)))
        let key = try OneTimeKey(SecretBytes(testOnly: golden.hex("sealedAnswer.oneTimeKeyset.binaryHex")))
        let place = try AnswerPlace(parsing: "daily:" + golden.text("ids.date"))
        _ = try answer.reveal(with: key, of: context(), at: place, pinned: nil, key: coupleKey())
    }
}
