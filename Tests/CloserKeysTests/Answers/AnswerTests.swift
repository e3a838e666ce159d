import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("Sealed answers: closer-keys-formats(7), SEALED ANSWERS")
struct AnswerTests {
    private let key: CoupleKey
    private let context: AnswerContext
    private let place: AnswerPlace

    init() throws {
        let secret = SecretBytes(testOnly: golden.hex("coupleKeyset.binaryHex"))
        key = try CoupleKey(InsecureCleartextKeyset.read(binary: secret, .strict))
        context = try Self.context()
        place = try AnswerPlace(parsing: "daily:" + golden.text("ids.date"))
    }

    private static func context(
        _ couple: String = "couple_1", _ question: String = "q_42", _ author: String = "alice"
    ) throws -> AnswerContext {
        try AnswerContext(
            couple: CoupleID(parsing: couple), question: QuestionID(parsing: question),
            author: UserID(parsing: author))
    }

    private var answer: UncheckedAnswer {
        get throws {
            UncheckedAnswer(
                token: try SealedToken(parsing: golden.text("sealedAnswer.encryptedPayload")),
                commitment: try Commitment(parsing: golden.text("sealedAnswer.commitmentHash").utf8))
        }
    }

    private func oneTimeKey() throws -> OneTimeKey {
        try OneTimeKey(SecretBytes(testOnly: golden.hex("sealedAnswer.oneTimeKeyset.binaryHex")))
    }

    @Test(
        "the golden payload is made again with its blinding, and its commitment",
        .proves("W2: a commitment hides a `hardened` answer"))
    func goldenPayload() throws {
        let payload = golden.text("sealedAnswer.payload")
        let blinding = try #require(try JSONValue(parsing: payload.utf8)["_b"]?.string)
        let script = Randomness.testOnlyScript(try Base64.url.decode(blinding))
        let made = try AnswerPayload(
            hardened: "{\"schemaVersion\":3,\"answer\":\"yes\"}".utf8, of: context, at: place, key: key,
            from: script)
        #expect(String(decoding: made.bytes, as: UTF8.self) == payload)
        #expect(made.bytes.count % 256 == 0)
        let commitment = Commitment(to: made.bytes).text
        #expect(String(decoding: commitment, as: UTF8.self) == golden.text("sealedAnswer.commitmentHash"))
    }

    @Test("the golden answer is revealed")
    func goldenReveal() throws {
        let revealed = try answer.reveal(with: oneTimeKey(), of: context, at: place, pinned: nil, key: key)
        #expect(revealed.payload == Array(golden.text("sealedAnswer.payload").utf8))
        #expect(revealed.place == place)
        #expect(revealed.macKeyID == key.keyset.primaryID)
    }

    @Test(
        "each step refuses with its own error",
        .proves("W13: the commitment is always checked, and keysets from others are read strictly"))
    func steps() throws {
        let other = try Commitment(parsing: "sha256:\(String(repeating: "A", count: 43))".utf8)
        for context in [
            try Self.context("couple_2"), try Self.context("couple_1", "q_43"),
            try Self.context("couple_1", "q_42", "bob"),
        ] {
            #expect(throws: RevealError.authenticationFailed) {
                try answer.reveal(with: oneTimeKey(), of: context, at: place, pinned: nil, key: key)
            }
        }
        let swapped = UncheckedAnswer(token: try answer.token, commitment: other)
        #expect(throws: RevealError.commitmentMismatch) {
            try swapped.reveal(with: oneTimeKey(), of: context, at: place, pinned: nil, key: key)
        }
        #expect(throws: RevealError.pinMismatch) {
            try answer.reveal(with: oneTimeKey(), of: context, at: place, pinned: other, key: key)
        }
        let tomorrow = try AnswerPlace(parsing: "daily:2026-11-21")
        #expect(throws: RevealError.placeMismatch) {
            try answer.reveal(with: oneTimeKey(), of: context, at: tomorrow, pinned: nil, key: key)
        }
        let stranger = try CoupleKey(Keyset(.aes256GCM))
        #expect(throws: RevealError.macInvalid) {
            try answer.reveal(with: oneTimeKey(), of: context, at: place, pinned: nil, key: stranger)
        }
    }

    @Test(
        "a whole release: sealed, boxed to the partner, opened, revealed; compat bears no MAC",
        arguments: [true, false])
    func release(_ isHardened: Bool) throws {
        let text = "{\"answer\":\"an answer that is long enough\"}"
        let payload =
            try isHardened
            ? AnswerPayload(hardened: text.utf8, of: context, at: place, key: key)
            : AnswerPayload(compat: text.utf8)
        let sealed = SealedAnswer(payload, of: context)
        let bob = Keyset(.ecies(ECIESParameters()))
        let bobID = try UserID(parsing: "bob")
        let box = try sealed.release(of: context, to: bobID, key: PublicKeyToken(primaryOf: bob))
        let content = try HybridBox.open(box.box, with: bob, context: "couple_1|q_42|alice|bob".utf8)
            .takePlaintext()
        let answer = UncheckedAnswer(token: sealed.token, commitment: sealed.commitment)
        let revealed = try answer.reveal(
            with: OneTimeKey(content), of: context, at: place, pinned: sealed.commitment, key: key)
        #expect(revealed.payload == payload.bytes)
        #expect((revealed.macKeyID != nil) == isHardened)
    }

    @Test("a raw one-time key, and Android's escapes and order: the commitment is of the canonical form")
    func android() throws {
        let received = Array("{\"text\":\"a\\/b\",\"answer\":\"yes, of course\"}".utf8)
        let canonical = try JSONValue(parsing: received).canonicalBytes
        let bytes = SecretBytes(testOnly: [UInt8](repeating: 8, count: 32))
        let raw = Keyset(raw: try AESGCMKey(adopting: SecretBytes(testOnly: bytes.testOnlyBytes())))
        let token = try SealedToken(
            KeysetAEAD(raw).seal(received, associatedData: "couple_1|q_42|alice".utf8))
        let answer = UncheckedAnswer(token: token, commitment: Commitment(to: canonical))
        let revealed = try answer.reveal(with: OneTimeKey(bytes), of: context, at: nil, pinned: nil, key: key)
        #expect(revealed.payload == canonical)
    }

    @Test("some of our members, or all of them out of canonical form, are malformed")
    func partial() throws {
        for text in [
            "{\"_b\":\"x\",\"answer\":\"long enough to be sealed\"}",
            golden.text("sealedAnswer.payload").replacing("\"answer\":\"yes\"", with: " \"answer\":\"yes\""),
        ] {
            let bytes = Array(text.utf8)
            let keyset = Keyset(.aes256GCM)
            let token = try SealedToken(
                KeysetAEAD(keyset).seal(bytes, associatedData: "couple_1|q_42|alice".utf8))
            let answer = UncheckedAnswer(token: token, commitment: Commitment(to: bytes))
            #expect(throws: RevealError.malformed) {
                try answer.reveal(with: OneTimeKey(keyset), of: context, at: place, pinned: nil, key: key)
            }
        }
    }

    @Test("what is no payload")
    func payloads() throws {
        #expect(throws: AnswerPayloadError.tooShort) {
            try AnswerPayload(compat: "{\"answer\":\"yes\"}".utf8)
        }
        #expect(throws: AnswerPayloadError.malformed(jsonFault("[1]".utf8))) {
            try AnswerPayload(compat: "[1]".utf8)
        }
        #expect(throws: AnswerPayloadError.reservedName) {
            try AnswerPayload(hardened: "{\"_x\":1}".utf8, of: context, at: place, key: key)
        }
        let large = "{\"a\":\"\(String(repeating: "x", count: 65_400))\"}"
        #expect(throws: AnswerPayloadError.tooLarge) {
            try AnswerPayload(hardened: large.utf8, of: context, at: place, key: key)
        }
        // Spaces are taken out, but they count before.
        let spaced = { "{\"a\":1\(String(repeating: " ", count: $0 - 7))}" }
        _ = try AnswerPayload(hardened: spaced(65_536).utf8, of: context, at: place, key: key)
        #expect(throws: AnswerPayloadError.tooLarge) {
            try AnswerPayload(hardened: spaced(65_537).utf8, of: context, at: place, key: key)
        }
    }

    @Test("places and questions")
    func names() throws {
        for text in [
            "daily:2026-02-29", "daily:2026-13-01", "daily:26-01-01", "daily:2026-1-01", "thread:",
            "thread:a|b", "x", "",
        ] {
            #expect(throws: AnswerPlace.FormatError.self, "\(text)") { try AnswerPlace(parsing: text) }
        }
        #expect(try AnswerPlace(parsing: "daily:2028-02-29").text == "daily:2028-02-29")
        #expect(try AnswerPlace(parsing: "thread:t_1").text == "thread:t_1")
        #expect(throws: AnswerContext.ReservedQuestion.self) { try Self.context("couple_1", "ck.rekey.1") }
    }

    @Test(
        "a place is ASCII: a mark behind the colon is no part of it",
        arguments: [
            "thread:\u{301}abc", "thread:abc\u{301}", "daily:\u{301}2026-11-20", "thread\u{301}:abc",
        ])
    func place(_ text: String) {
        #expect(throws: AnswerPlace.FormatError.self) { try AnswerPlace(parsing: text) }
    }
}
