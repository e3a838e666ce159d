import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("Tokens, formats §1")
struct TokenTests {
    @Test("golden tokens are read, and written again the same")
    func golden() throws {
        let field = Array(TestData.golden.text("field.token").utf8)
        #expect(try FieldToken(FieldToken(parsing: field).ciphertext).text == field)
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

    @Test("the public token is made from the golden private keyset")
    func publicToken() throws {
        let secret = SecretBytes(testOnly: TestData.golden.hex("userKey.privateKeysetHex"))
        let token = try PublicKeyToken(primaryOf: InsecureCleartextKeyset.read(binary: secret, .strict))
        #expect(String(decoding: token.text, as: UTF8.self) == TestData.golden.text("userKey.publicToken"))
    }

    @Test(
        "what is no field token",
        arguments: [
            ("", TokenError.notAToken), ("enc", .notAToken), ("enc:v1", .notAToken),
            ("ENC:v1:AAAA", .notAToken),
            (" enc:v1:AAAA", .notAToken), ("enc:vx:AAAA", .notAToken), ("enc::AAAA", .notAToken),
            ("sealed:v1:AAAA", .notAToken), ("enc:v2:AAAA", .unsupportedVersion),
            ("enc:v10:AAAA", .unsupportedVersion),
            ("enc:v1:", .malformed), ("enc:v1:AAA", .malformed), ("enc:v1:AAAA\n", .malformed),
            ("enc:v1:AA-_", .malformed),
            ("enc:v1:AB==", .malformed), ("enc:v1:enc:v1:AAAA", .malformed),
        ])
    func refused(_ text: String, _ expected: TokenError) {
        #expect(throws: expected) { try FieldToken(parsing: text.utf8) }
    }

    @Test("the shortest sealed token and keybox, and one character less")
    func minimum() throws {
        let sealed = Array("sealed:v1:".utf8) + [UInt8](repeating: UInt8(ascii: "A"), count: 80)
        #expect(try SealedToken(parsing: sealed).ciphertext.count == 60)
        #expect(throws: TokenError.malformed) { try SealedToken(parsing: sealed.dropLast()) }
        #expect(throws: TokenError.malformed) { try SealedToken([UInt8](repeating: 0, count: 59)) }
        let keybox = Array("keybox:v1:".utf8) + [UInt8](repeating: UInt8(ascii: "A"), count: 120)
        #expect(try KeyboxToken(parsing: keybox).box.count == 90)
        #expect(throws: TokenError.malformed) { try KeyboxToken(parsing: keybox.dropLast(2)) }
    }

    @Test("a commitment of another length", arguments: [42, 44, 46])
    func commitmentLength(_ count: Int) {
        let text = "sha256:" + String(repeating: "A", count: count)
        #expect(throws: TokenError.malformed) { try Commitment(parsing: text.utf8) }
    }

    @Test("a public key token is strict inside: one key, public, in its one spelling")
    func publicKeyContent() throws {
        let keyset = try Keyset(.ecies(ECIESParameters())).adding(.ecies(ECIESParameters()))
        let two = try NoSecretKeyset.binary(keyset.publicKeyset())
        #expect(throws: PublicKeyTokenError.severalKeys) { try PublicKeyToken(parsing: token(two)) }
        let secret = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
        #expect(throws: PublicKeyTokenError.keyset(.holdsSecret)) {
            try PublicKeyToken(parsing: token(secret))
        }
        let one = try NoSecretKeyset.binary(keyset.publicPrimary())
        #expect(try PublicKeyToken(parsing: token(one)).keyset.primaryID == keyset.primaryID)
        #expect(throws: PublicKeyTokenError.keyset(.notCanonical)) {
            try PublicKeyToken(parsing: token(one + [0x7a, 0]))
        }
        #expect(throws: PublicKeyTokenError.keyset(.wrongKind(expected: .eciesPrivate))) {
            try PublicKeyToken(primaryOf: Keyset(.aes256GCM))
        }
    }

    @Test("of the golden public token's changed bits, only those of its two prefixes make another valid key")
    func publicTokenBits() throws {
        let payload = try Base64.url.decode(String(TestData.golden.text("userKey.publicToken").dropFirst(7)))
        let accepted = (0..<payload.count * 8).filter { bit in
            (try? PublicKeyToken(parsing: token(payload.flipping(bit: bit)))) != nil
        }
        // The inner cipher's ignored prefix, and the outer one: bytes that name one of four values.
        let bytes = Set(accepted.map { $0 / 8 })
        #expect(bytes == [145, 229], "\(bytes.sorted())")
        #expect(accepted.count <= 6)
    }

    private func token(_ payload: [UInt8]) -> [UInt8] { Array("pub:v1:\(Base64.url.encode(payload))".utf8) }
}

@Suite("Identifiers, formats §1")
struct IdentifierTests {
    @Test(
        "letters, digits and . _ - : @ +",
        arguments: ["a", "couple_1", "A.b-c:d@e+9", String(repeating: "x", count: 128)])
    func accepted(_ text: String) throws { #expect(try Identifier(parsing: text).text == text) }

    @Test(
        "anything else",
        arguments: [
            "", "a|b", "a b", "a\n", "é", "a/b", "a\0", "a$b", String(repeating: "x", count: 129), "٣", "a,b",
            "~",
        ])
    func refused(_ text: String) {
        #expect(throws: Identifier.FormatError.self) { try Identifier(parsing: text) }
    }
}

@Suite("Fields, formats §4")
struct FieldTests {
    private let couple = try? Identifier(parsing: "couple_1")

    @Test("the golden field opens, for its couple only")
    func golden() throws {
        let secret = SecretBytes(testOnly: TestData.golden.hex("coupleKeyset.binaryHex"))
        let key = try CoupleKey(InsecureCleartextKeyset.read(binary: secret, .strict))
        let token = try FieldToken(parsing: TestData.golden.text("field.token").utf8)
        let opened = try key.open(token, couple: #require(couple))
        #expect(opened.plaintext == Array(TestData.golden.text("field.plaintext").utf8))
        #expect(opened.keyID == 168_496_141)
        let other = try Identifier(parsing: "couple_2")
        #expect(throws: OpenError.authenticationFailed) { try key.open(token, couple: other) }
    }

    @Test("plaintexts come out verbatim", arguments: [0, 1, 15, 16, 17, 4096, 1 << 20])
    func verbatim(_ count: Int) throws {
        let key = try CoupleKey(Keyset(.aes256GCM))
        let plaintext = Randomness.system.bytes(count)
        let token = try key.seal(field: plaintext, couple: #require(couple))
        let again = try FieldToken(parsing: token.text)
        #expect(try key.open(again, couple: #require(couple)).plaintext == plaintext)
    }

    @Test("more than 1 MiB, and a key of another kind")
    func refused() throws {
        let key = try CoupleKey(Keyset(.aes256GCM))
        let large = [UInt8](repeating: 0, count: 1 << 20 | 1)
        #expect(throws: FieldSealError.plaintextTooLarge) {
            try key.seal(field: large, couple: #require(couple))
        }
        #expect(throws: KeysetError.wrongKind(expected: .aesGCM)) {
            try CoupleKey(Keyset(.ecies(ECIESParameters())))
        }
        #expect(throws: KeysetError.wrongKind(expected: .aesGCM)) {
            try CoupleKey(Keyset(.streaming(.oneMiB)))
        }
    }
}
