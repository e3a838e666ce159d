import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("Golden values of Tink: keysets, AEAD, ECIES")
struct GoldenTests {
    @Test(
        "keysets are read, and written as the same bytes",
        .proves("Fields, keysets and keyboxes have Tink's bytes, in both directions"),
        arguments: [
            "coupleKeyset.binaryHex", "sealedAnswer.oneTimeKeyset.binaryHex", "userKey.privateKeysetHex",
            "rekey.keysetHex",
        ])
    func keysets(_ path: String) throws {
        let bytes = golden.hex(path)
        let keyset = try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: bytes), .strict)
        let written = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
        #expect(written == bytes)
    }

    @Test("key ids and types are the golden ones")
    func contents() throws {
        let couple = try keyset("coupleKeyset.binaryHex")
        #expect(couple.primaryID == UInt32(golden.at("coupleKeyset.keyId").number ?? 0))
        #expect(couple.kind == .aesGCM)
        let user = try keyset("userKey.privateKeysetHex")
        #expect(user.primaryID == UInt32(golden.at("userKey.keyId").number ?? 0))
        guard case .eciesPrivate(let key)? = user.primary.material else { return #expect(Bool(false)) }
        #expect(key.publicKey.point.x == golden.hex("userKey.xHex"))
        #expect(key.publicKey.point.y == golden.hex("userKey.yHex"))
        #expect(key.publicKey.parameters == ECIESParameters())
        let rekey = try keyset("rekey.keysetHex")
        #expect(rekey.entries.count == 2)
    }

    @Test("the field's ciphertext is made again with its IV")
    func field() throws {
        let aead = try KeysetAEAD(keyset("coupleKeyset.binaryHex"))
        let (plaintext, couple) = (
            Array(golden.text("field.plaintext").utf8), Array(golden.text("ids.coupleId").utf8)
        )
        let ciphertext = aead.seal(
            plaintext.span, associatedData: couple.span, from: .testOnlyScript(golden.hex("field.ivHex")))
        #expect("enc:v1:" + Base64.standard.encode(ciphertext) == golden.text("field.token"))
        #expect(try aead.open(ciphertext, associatedData: couple).plaintext == plaintext)
    }

    @Test("the sealed answer's ciphertext is made again with its IV")
    func sealedAnswer() throws {
        let aead = try KeysetAEAD(keyset("sealedAnswer.oneTimeKeyset.binaryHex"))
        let payload = Array(golden.text("sealedAnswer.payload").utf8)
        let context = Array("couple_1|q_42|alice".utf8)
        let ciphertext = aead.seal(
            payload.span, associatedData: context.span,
            from: .testOnlyScript(golden.hex("sealedAnswer.ivHex")))
        #expect("sealed:v1:" + Base64.url.encode(ciphertext) == golden.text("sealedAnswer.encryptedPayload"))
    }

    @Test(
        "keyboxes are made again with their ephemeral key and IV, and opened",
        .proves("Fields, keysets and keyboxes have Tink's bytes, in both directions"),
        arguments: [
            ("keybox.ofKeyset", "sealedAnswer.oneTimeKeyset.binaryHex"),
            ("keybox.ofRawKey", "sealedAnswer.oneTimeKeyset.keyHex"),
        ])
    func keybox(_ box: String, _ content: String) throws {
        let user = try keyset("userKey.privateKeysetHex")
        let (context, plaintext) = (Array(golden.text("keybox.context").utf8), golden.hex(content))
        let script = Randomness.testOnlyScript(
            golden.hex("keybox.ephemeralScalarHex") + golden.hex("keybox.ivHex"))
        let made = try HybridBox.seal(
            plaintext.span, to: user.publicKeyset(), context: context.span, from: script)
        #expect("keybox:v1:" + Base64.url.encode(made) == golden.text(box))
        let opened = try HybridBox.open(made, with: user, context: context).plaintext.testOnlyBytes()
        #expect(opened == plaintext)
    }

    @Test("the rekey's keybox opens to body and MAC")
    func rekeyBox() throws {
        let text = golden.text("rekey.keybox").dropFirst("keybox:v1:".count)
        let box = try Base64.url.decode(String(text))
        let opened = try HybridBox.open(
            box, with: keyset("userKey.privateKeysetHex"), context: golden.text("rekey.context").utf8
        ).plaintext.testOnlyBytes()
        #expect(opened == golden.hex("rekey.bodyHex") + golden.hex("rekey.macHex"))
    }

    @Test(
        "every changed bit of the golden ciphertexts is refused: in the prefix as no key, elsewhere as not authentic",
        .proves("A field opens for its couple only, and is refused after any change")
    )
    func bitFlips() throws {
        let aead = try KeysetAEAD(keyset("coupleKeyset.binaryHex"))
        let couple = Array(golden.text("ids.coupleId").utf8)
        let ciphertext = try Base64.standard.decode(String(golden.text("field.token").dropFirst(7)))
        for bit in 0..<ciphertext.count * 8 {
            #expect(throws: bit < 40 ? OpenError.noMatchingKey : .authenticationFailed) {
                try aead.open(ciphertext.flipping(bit: bit), associatedData: couple)
            }
        }
        let user = try keyset("userKey.privateKeysetHex")
        let box = try Base64.url.decode(String(golden.text("keybox.ofRawKey").dropFirst("keybox:v1:".count)))
        let context = Array(golden.text("keybox.context").utf8)
        for bit in 0..<box.count * 8 {
            let error = opening {
                _ = try HybridBox.open(box.flipping(bit: bit), with: user, context: context)
            }
            #expect(error == (bit < 40 ? OpenError.noMatchingKey : .authenticationFailed))
        }
    }

    @Test("every truncation is refused, and one more byte")
    func truncations() throws {
        let aead = try KeysetAEAD(keyset("coupleKeyset.binaryHex"))
        let couple = Array(golden.text("ids.coupleId").utf8)
        let ciphertext = try Base64.standard.decode(String(golden.text("field.token").dropFirst(7)))
        for count in 0..<ciphertext.count {
            #expect(throws: count < 33 ? OpenError.tooShort : .authenticationFailed, "\(count)") {
                try aead.open(ciphertext.prefix(count), associatedData: couple)
            }
        }
        #expect(throws: OpenError.authenticationFailed) {
            try aead.open(ciphertext + [0], associatedData: couple)
        }
    }

    private func keyset(_ path: String) throws -> Keyset {
        try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: golden.hex(path)), .strict)
    }
}

/// The error of a call whose result cannot be copied.
func opening(_ body: () throws -> Void) -> OpenError? {
    do {
        try body()
        return nil
    } catch { return error as? OpenError }
}
