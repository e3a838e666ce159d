import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("The golden answer, made again step by step")
struct GoldenAnswerTests {
    private func context() throws -> AnswerContext {
        try AnswerContext(
            couple: CoupleID(parsing: golden.text("ids.coupleId")),
            question: QuestionID(parsing: golden.text("ids.questionId")),
            author: UserID(parsing: golden.text("sealedAnswer.author")))
    }

    private func keyset(_ path: String) throws -> Keyset {
        try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: golden.hex(path)), .strict)
    }

    /// Sealed with the golden blinding, one-time key and IV.
    private func sealed() throws -> SealedAnswer {
        let whole = try JSONValue(parsing: golden.text("sealedAnswer.payload").utf8)
        let answer = (whole.members ?? []).filter { !$0.name.hasPrefix("_") }
        let place = try AnswerPlace(parsing: whole["_c"]?.string ?? "")
        let blinding = try Base64.url.decode(whole["_b"]?.string ?? "")
        let payload = try AnswerPayload(
            hardened: JSONValue.object(answer).bytes, of: context(), at: place,
            key: CoupleKey(keyset("coupleKeyset.binaryHex")), from: .testOnlyScript(blinding))
        return SealedAnswer(
            payload, of: try context(), under: try keyset("sealedAnswer.oneTimeKeyset.binaryHex"),
            from: .testOnlyScript(golden.hex("sealedAnswer.ivHex")))
    }

    @Test("token and commitment")
    func token() throws {
        let sealed = try sealed()
        #expect(sealed.token.description == golden.text("sealedAnswer.encryptedPayload"))
        #expect(sealed.commitment.description == golden.text("sealedAnswer.commitmentHash"))
    }

    @Test("the release to Bob, which Bob's private keyset opens and Alice's context alone")
    func release() throws {
        let bob = try UserID(parsing: golden.text("ids.bob"))
        let script = Randomness.testOnlyScript(
            golden.hex("keybox.ephemeralScalarHex") + golden.hex("keybox.ivHex"))
        let box = try sealed().release(
            of: context(), to: bob, key: PublicKeyToken(parsing: golden.text("userKey.publicToken").utf8),
            from: script)
        #expect(box.description == golden.text("keybox.ofKeyset"))
        let identity = try keyset("userKey.privateKeysetHex")
        for path in ["keybox.ofKeyset", "keybox.ofRawKey"] {
            let token = try KeyboxToken(parsing: golden.text(path))
            _ = try OneTimeKey(releasedBy: token, of: context(), to: bob, with: identity)
            #expect(throws: OpenError.authenticationFailed) {
                try OneTimeKey(
                    releasedBy: token, of: context(), to: context().author, with: identity)
            }
        }
    }
}
