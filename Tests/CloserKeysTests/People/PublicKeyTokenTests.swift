import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("Public key tokens")
struct PublicKeyTokenTests {
    @Test(
        "a public key is the same key in either width of its integers",
        .proves("W22: a token has one spelling, a public key two"))
    func publicKey() throws {
        let tests = TestData.publicKeys.at("testGroups").array?.first?.at("tests").array ?? []
        func token(_ comment: String) throws -> PublicKeyToken {
            let test = try #require(tests.first { $0.text("comment") == comment })
            return try PublicKeyToken(parsing: test.text("publicKey").utf8)
        }
        for zero in ["none", "x", "y"] {
            let narrow = try token("leading zero: \(zero), 32 bytes")
            let wide = try token("leading zero: \(zero), 33 bytes")
            #expect(narrow.text != wide.text)
            #expect(narrow == wide && narrow.isSameKey(as: wide))
        }
    }

    @Test("the same point under another key id is another token of the same key")
    func otherID() throws {
        let ours = try PublicKeyToken(parsing: golden.text("userKey.publicToken").utf8)
        guard case .eciesPublic(let key)? = ours.keyset.primary.material else { throw KeysetError.malformed }
        let other = try PublicKeyToken(primaryOf: Keyset(importing: .eciesPublic(key)))
        #expect(other != ours && other.isSameKey(as: ours))
        let stranger = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        #expect(!stranger.isSameKey(as: ours))
    }

    @Test("the public token is made from the golden private keyset")
    func publicToken() throws {
        let secret = SecretBytes(testOnly: golden.hex("userKey.privateKeysetHex"))
        let token = try PublicKeyToken(primaryOf: InsecureCleartextKeyset.read(binary: secret, .strict))
        #expect(String(decoding: token.text, as: UTF8.self) == golden.text("userKey.publicToken"))
    }

    @Test("a public key token is strict inside: one key, public, in its one spelling")
    func publicKeyContent() throws {
        let keyset = try Keyset(.ecies(ECIESParameters())).adding(.ecies(ECIESParameters()))
        let two = try NoSecretKeyset.binary(keyset.publicKeyset())
        #expect(throws: PublicKeyToken.FormatError.severalKeys) { try PublicKeyToken(parsing: token(two)) }
        let secret = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
        #expect(throws: PublicKeyToken.FormatError.keyset(.holdsSecret)) {
            try PublicKeyToken(parsing: token(secret))
        }
        let one = try NoSecretKeyset.binary(keyset.publicPrimary())
        #expect(try PublicKeyToken(parsing: token(one)).keyset.primaryID == keyset.primaryID)
        #expect(throws: PublicKeyToken.FormatError.keyset(.notCanonical)) {
            try PublicKeyToken(parsing: token(one + [0x7a, 0]))
        }
        #expect(throws: PublicKeyToken.FormatError.keyset(.wrongKind(expected: .eciesPrivate))) {
            try PublicKeyToken(primaryOf: Keyset(.aes256GCM))
        }
    }

    @Test("of the golden public token's changed bits, only those of its two prefixes make another valid key")
    func publicTokenBits() throws {
        let payload = try Base64.url.decode(String(golden.text("userKey.publicToken").dropFirst(7)))
        let accepted = (0..<payload.count * 8).filter { bit in
            (try? PublicKeyToken(parsing: token(payload.flipping(bit: bit)))) != nil
        }
        // The inner cipher's ignored prefix, and the outer one: bytes that name one of four values.
        let bytes = Set(accepted.map { $0 / 8 })
        #expect(bytes == [145, 229], "\(bytes.sorted())")
        #expect(accepted.count <= 6)
    }

    @Test("the words of a refused token quote no byte of it, and no program") func words() throws {
        var payload = try Base64.url.decode(String(golden.text("userKey.publicToken").dropFirst(7)))
        let type = try #require(payload.firstRange(of: Array("EciesAeadHkdfPublicKey".utf8)))
        let strange = #expect(throws: PublicKeyToken.FormatError.self) {
            try PublicKeyToken(parsing: token(payload + [0x7a, 0]))
        }
        #expect(strange?.summary == "The public key: this keyset is in another form than the required one.")
        payload.replaceSubrange(type, with: Array("x.\n\nCALL 0900 1234 \u{202E}".utf8))
        let hostile = #expect(throws: PublicKeyToken.FormatError.self) {
            try PublicKeyToken(parsing: token(payload))
        }
        #expect(hostile?.summary.hasSuffix("has another type, which is not supported.") == true)
    }

    private func token(_ payload: [UInt8]) -> [UInt8] { Array("pub:v1:\(Base64.url.encode(payload))".utf8) }
}
