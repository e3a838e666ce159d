import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("What a reveal ends in: an answer, or a conflict with what was pinned")
struct RevealTests {
    private let key: CoupleKey
    private let context: AnswerContext
    private let place: AnswerPlace
    private let other = Commitment(to: Array("another payload".utf8))

    init() throws {
        let secret = SecretBytes(testOnly: golden.hex("coupleKeyset.binaryHex"))
        key = try CoupleKey(InsecureCleartextKeyset.read(binary: secret, .strict))
        context = try AnswerContext(
            couple: CoupleID(parsing: "couple_1"), question: QuestionID(parsing: "q_42"),
            author: UserID(parsing: "alice"))
        place = try AnswerPlace(parsing: "daily:" + golden.text("ids.date"))
    }

    /// How `payload`, sealed and committed to by its author, ends for a reader.
    private func outcome(
        of payload: AnswerPayload, at place: AnswerPlace, pinned: Commitment?, key: CoupleKey
    ) throws -> RevealOutcome {
        let sealed = SealedAnswer(payload, of: context)
        return try UncheckedAnswer(token: sealed.token, commitment: sealed.commitment).outcome(
            with: OneTimeKey(sealed.oneTimeKey), of: context, at: place, pinned: pinned, key: key)
    }

    private func hardened() throws -> AnswerPayload {
        try AnswerPayload(hardened: "{\"answer\":\"yes\"}".utf8, of: context, at: place, key: key)
    }

    private func compat() throws -> AnswerPayload {
        try AnswerPayload(compat: "{\"answer\":\"an answer that is long enough\"}".utf8)
    }

    @Test("without a pin, and with its own, an answer is revealed")
    func revealed() throws {
        let payload = try hardened()
        for pinned in [nil, Commitment(to: payload.bytes)] {
            let outcome = try outcome(of: payload, at: place, pinned: pinned, key: key)
            guard case .revealed(let answer) = outcome else { return #expect(Bool(false)) }
            #expect(answer.payload == payload.bytes && answer.place == place)
            #expect(answer.macKeyID == key.keyset.primaryID)
        }
    }

    @Test("the app gets its own object back, in canonical form, however the answer is written")
    func ownObject() throws {
        let text = #"{ "stars" : 5.0, "answer" : "\/ an answer that is long enough" }"#
        let expected = Array(#"{"answer":"/ an answer that is long enough","stars":5}"#.utf8)
        let payloads = [
            try AnswerPayload(compat: text.utf8),
            try AnswerPayload(hardened: text.utf8, of: context, at: place, key: key),
        ]
        for payload in payloads {
            let outcome = try outcome(of: payload, at: place, pinned: nil, key: key)
            guard case .revealed(let answer) = outcome else { return #expect(Bool(false)) }
            #expect(answer.answer == expected)
        }
    }

    @Test("with another pin it is a conflict, and says what the conflict proves")
    func conflict() throws {
        #expect(
            try outcome(of: hardened(), at: place, pinned: other, key: key) == .conflict(.proven))
        #expect(
            try outcome(of: compat(), at: place, pinned: other, key: key) == .conflict(.unproven))
        let stranger = try CoupleKey(Keyset(.aes256GCM))
        #expect(
            try outcome(of: hardened(), at: place, pinned: other, key: stranger) == .conflict(.invalid))
        let tomorrow = try AnswerPlace(parsing: "daily:2026-11-21")
        #expect(
            try outcome(of: hardened(), at: tomorrow, pinned: other, key: key) == .conflict(.invalid))
    }

    @Test("what fails before the pin is looked at is an error, whatever is pinned")
    func beforeThePin() throws {
        let sealed = SealedAnswer(try hardened(), of: context)
        let oneTimeKey = try OneTimeKey(sealed.oneTimeKey)
        let swapped = UncheckedAnswer(token: sealed.token, commitment: other)
        #expect(throws: RevealError.commitmentMismatch) {
            try swapped.outcome(with: oneTimeKey, of: context, at: place, pinned: sealed.commitment, key: key)
        }
        let answer = UncheckedAnswer(token: sealed.token, commitment: sealed.commitment)
        let wrongKey = try OneTimeKey(Keyset(raw: AESGCMKey()))
        #expect(throws: RevealError.authenticationFailed) {
            try answer.outcome(with: wrongKey, of: context, at: place, pinned: other, key: key)
        }
    }

    @Test("who reveals without keeping records gets the conflict as an error")
    func asAnError() throws {
        let sealed = SealedAnswer(try compat(), of: context)
        let answer = UncheckedAnswer(token: sealed.token, commitment: sealed.commitment)
        #expect(throws: RevealError.pinMismatch) {
            try answer.reveal(
                with: OneTimeKey(sealed.oneTimeKey), of: context, at: place, pinned: other, key: key)
        }
    }

    @Test(
        "authenticity follows the origin of the key that made the MAC",
        .proves("W1: states and `authenticity` say at most what was proven"))
    func authenticity() throws {
        func revealed(_ payload: AnswerPayload, _ key: CoupleKey) throws -> RevealedAnswer {
            guard case .revealed(let answer) = try outcome(of: payload, at: place, pinned: nil, key: key)
            else {
                throw RevealError.pinMismatch
            }
            return answer
        }
        let rekeyed = try key.rotated(), newID = rekeyed.keyset.primaryID
        let old = try revealed(hardened(), rekeyed)
        let new = try revealed(
            AnswerPayload(hardened: "{\"answer\":\"no\"}".utf8, of: context, at: place, key: rekeyed), rekeyed
        )
        #expect(old.authenticity(privateKeyIDs: [newID]) == .serverForgeable)
        #expect(new.authenticity(privateKeyIDs: [newID]) == .authenticated)
        #expect(new.authenticity(privateKeyIDs: []) == .serverForgeable)
        #expect(try revealed(compat(), rekeyed).authenticity(privateKeyIDs: [newID]) == .unauthenticated)
    }
}
