import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let beginning = Misspelling.beginning(otherThan: ["enc:v1:", "enc:v2:"])

@Suite("Tokens: closer-keys-formats(7), NOTATION")
struct TokenTests {
    @Test("golden tokens are read, and written again the same")
    func golden() throws {
        let field = Array(TestData.golden.text("field.token").utf8)
        #expect(try FieldToken(FieldToken(parsing: field).ciphertext, .couple).text == field)
        let sealed = Array(TestData.golden.text("sealedAnswer.encryptedPayload").utf8)
        #expect(try SealedToken(SealedToken(parsing: sealed).ciphertext).text == sealed)
        let keybox = Array(TestData.golden.text("keybox.ofKeyset").utf8)
        #expect(try KeyboxToken(KeyboxToken(parsing: keybox).box).text == keybox)
        let publicKey = Array(TestData.golden.text("userKey.publicToken").utf8)
        #expect(try PublicKeyToken(primaryOf: PublicKeyToken(parsing: publicKey).keyset).text == publicKey)
        let payload = Array(TestData.golden.text("sealedAnswer.payload").utf8)
        let commitment = try Commitment(parsing: TestData.golden.text("sealedAnswer.commitmentHash").utf8)
        let digest = SHA256.hash(payload.span)
        #expect(commitment.digest == digest)
    }

    @Test(
        "what is no field token",
        arguments: [
            ("", TokenError.malformed(.empty)), ("enc", .notAToken), ("enc:v1", .malformed(beginning)),
            ("enc:v2", .malformed(beginning)),
            ("ENC:v1:AAAA", .notAToken), ("ENC:v2:AAAA", .notAToken),
            (" enc:v1:AAAA", .notAToken), ("enc:vx:AAAA", .malformed(beginning)),
            ("enc::AAAA", .malformed(beginning)), ("enc:v3", .malformed(beginning)),
            ("\"enc:v1:AAAA\"", .malformed(.quoted)),
            ("sealed:v1:AAAA", .notAToken), ("enc:v3:AAAA", .unsupportedVersion),
            ("enc:v10:AAAA", .unsupportedVersion), ("enc:v20:AAAA", .unsupportedVersion),
            ("enc:v02:AAAA", .unsupportedVersion),
            ("enc:v1:", .malformed(.tooShort)), ("enc:v1:AAA", .malformed(.noPadding)),
            ("enc:v1:AAAA\n", .malformed(.lineBreak)), ("enc:v1:AA-_", .malformed(.urlLetters)),
            ("enc:v1:AB==", .malformed(.other)), ("enc:v1:AAA==", .malformed(.otherPadding)),
            ("enc:v1:enc:v1:AAAA", .malformed(.foreignLetter(at: 10))),
            ("enc:v2:", .malformed(.tooShort)), ("enc:v2:AAAAA", .malformed(.tooShort)),
            ("enc:v2:AAA=\nenc:v2:AAA=", .malformed(.several)), ("enc:v2:AA-_", .malformed(.urlLetters)),
            ("enc:v2:enc:v1:AAAA", .malformed(.foreignLetter(at: 10))),
        ])
    func refused(_ text: String, _ expected: TokenError) {
        #expect(throws: expected) { try FieldToken(parsing: text.utf8) }
    }

    @Test("a field token has two forms", arguments: [("enc:v1:AAAA", true), ("enc:v2:AAAA", false)])
    func forms(_ text: String, _ isOfCouple: Bool) throws {
        let token = try FieldToken(parsing: text)
        #expect((token.form == .couple) == isOfCouple && token.ciphertext == [0, 0, 0])
        #expect(try FieldToken(token.ciphertext, token.form) == token && token.description == text)
        #expect(throws: TokenError.malformed(.tooShort)) { try FieldToken([], token.form) }
    }

    @Test("the shortest sealed token and keybox, and one character less")
    func minimum() throws {
        let sealed = Array("sealed:v1:".utf8) + [UInt8](repeating: UInt8(ascii: "A"), count: 80)
        #expect(try SealedToken(parsing: sealed).ciphertext.count == 60)
        #expect(throws: TokenError.malformed(.tooShort)) { try SealedToken(parsing: sealed.dropLast()) }
        #expect(throws: TokenError.malformed(.tooShort)) { try SealedToken([UInt8](repeating: 0, count: 59)) }
        let keybox = Array("keybox:v1:".utf8) + [UInt8](repeating: UInt8(ascii: "A"), count: 120)
        #expect(try KeyboxToken(parsing: keybox).box.count == 90)
        #expect(throws: TokenError.malformed(.tooShort)) { try KeyboxToken(parsing: keybox.dropLast(2)) }
    }

    @Test("a commitment of another length", arguments: [42, 44, 46])
    func commitmentLength(_ count: Int) {
        let text = "sha256:" + String(repeating: "A", count: count)
        #expect(throws: TokenError.malformed(.tooShort)) { try Commitment(parsing: text.utf8) }
    }

}

@Suite("Identifiers: closer-keys-formats(7), NOTATION")
struct IdentifierTests {
    @Test(
        "letters, digits and . _ - : @ +", .proves("W20: no id can contain a separator"),
        arguments: ["a", "couple_1", "A.b-c:d@e+9", String(repeating: "x", count: 128)])
    func accepted(_ text: String) throws { #expect(try CoupleID(parsing: text).text == text) }

    @Test(
        "anything else", .proves("W20: no id can contain a separator"),
        arguments: [
            "", "a|b", "a b", "a\n", "é", "a/b", "a\0", "a$b", String(repeating: "x", count: 129), "٣", "a,b",
            "~",
        ])
    func refused(_ text: String) {
        #expect(throws: Identifier.FormatError.self) { try CoupleID(parsing: text) }
    }
}
