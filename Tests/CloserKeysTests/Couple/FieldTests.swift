import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("Fields: closer-keys-formats(7), FIELDS")
struct FieldTests {
    private let couple = try? CoupleID(parsing: "couple_1")

    @Test(
        "the golden field opens, for its couple only",
        .proves("A field opens for its couple only, and is refused after any change"))
    func golden() throws {
        let secret = SecretBytes(testOnly: TestData.golden.hex("coupleKeyset.binaryHex"))
        let key = try CoupleKey(InsecureCleartextKeyset.read(binary: secret, .strict))
        let token = try FieldToken(parsing: TestData.golden.text("field.token").utf8)
        let opened = try key.open(token, couple: #require(couple))
        #expect(opened.plaintext == Array(TestData.golden.text("field.plaintext").utf8))
        #expect(opened.keyID == 168_496_141)
        let other = try CoupleID(parsing: "couple_2")
        #expect(throws: FieldError.opening(.authenticationFailed)) { try key.open(token, couple: other) }
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
        #expect(throws: FieldError.plaintextTooLarge) {
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

@Suite("A key for fields, and how it came to this device")
struct FieldKeyTests {
    /// The keyset of a couple before and after a rekey; the new primary came by the rekey.
    private let old: CoupleKey
    private let new: CoupleKey
    private let couple: CoupleID

    init() throws {
        old = try CoupleKey(Keyset(.aes256GCM))
        new = try old.rotated()
        couple = try CoupleID(parsing: "couple_1")
    }

    private func rekeyed(_ requirement: FieldKey.Requirement) -> FieldKey {
        FieldKey(
            new, of: couple, origins: [new.keyset.primaryID: .rekey], requirement: requirement)
    }

    @Test("without a requirement every key seals and opens, and its origin is told")
    func anyKey() throws {
        let before = FieldKey(old, of: couple, origins: [:])
        let token = try before.seal("dinner".utf8)
        let opened = try rekeyed(.none).open(token)
        #expect(opened.plaintext == Array("dinner".utf8))
        #expect(rekeyed(.none).origin(ofKey: opened.keyID) == .invite)
        #expect(rekeyed(.none).origin(ofKey: new.keyset.primaryID) == .rekey)
        #expect(FieldKey(old, of: couple, origins: nil).origin(ofKey: opened.keyID) == nil)
    }

    @Test(
        "a rekeyed key seals and opens where one is required, and an older field is refused",
        .proves(
            "W11: `--require-private` refuses a key that the server may hold, and each field's key and origin are shown"
        ))
    func required() throws {
        let key = rekeyed(.rekeyed)
        #expect(try key.open(try key.seal("dinner".utf8)).keyID == key.primaryID)
        let token = try FieldKey(old, of: couple, origins: [:]).seal("dinner".utf8)
        #expect(throws: FieldError.serverKnown) { try key.open(token) }
    }

    @Test(
        "a key that came by an invite, or nobody knows how, is refused before it seals",
        arguments: [[:], nil] as [[UInt32: KeyOrigin]?])
    func refused(_ origins: [UInt32: KeyOrigin]?) throws {
        let key = FieldKey(old, of: couple, origins: origins, requirement: .rekeyed)
        #expect(throws: FieldError.serverKnown) { try key.seal("dinner".utf8) }
        let large = [UInt8](repeating: 0, count: CoupleKey.maximumFieldByteCount + 1)
        #expect(throws: FieldError.serverKnown) { try key.seal(large) }
        let token = try old.seal(field: "dinner".utf8, couple: couple)
        #expect(throws: FieldError.serverKnown) { try key.open(token) }
    }

    @Test(
        "what the server may have written is not sealed where a rekeyed key is required, unless the caller vouches"
    )
    func provenance() throws {
        let strict = rekeyed(.rekeyed)
        #expect(throws: FieldError.serverForgeable) {
            try strict.seal("dinner".utf8, openedUnder: .invite)
        }
        _ = try strict.seal("dinner".utf8, openedUnder: .invite, trustingOld: true)
        _ = try strict.seal("dinner".utf8, openedUnder: .rekey)
        _ = try rekeyed(.none).seal("dinner".utf8, openedUnder: .invite)
        // The word loosens nothing else.
        let before = FieldKey(old, of: couple, origins: [:], requirement: .rekeyed)
        #expect(throws: FieldError.serverKnown) {
            try before.seal("dinner".utf8, openedUnder: .invite, trustingOld: true)
        }
    }

    @Test("a field predates the rekey if its key came by an invite and the primary did not")
    func predates() throws {
        #expect(rekeyed(.none).predatesRekey(.invite))
        #expect(!rekeyed(.none).predatesRekey(.rekey))
        #expect(!rekeyed(.none).predatesRekey(nil))
        #expect(!FieldKey(old, of: couple, origins: [:]).predatesRekey(.invite))
        let primary = rekeyed(.none).primaryID
        let given = FieldKey(rekeyed(.none).key, of: couple, origins: [primary: .given])
        #expect(KeyOrigin.allCases.filter { given.predatesRekey($0) } == [.invite, .exposed])
        #expect(
            KeyOrigin.allCases.filter { rekeyed(.none).predatesRekey($0) } == [.invite, .given, .exposed])
    }

    @Test("many fields through the same memory are what they are one by one, and are refused for the same")
    func many() throws {
        let key = rekeyed(.rekeyed)
        let nonce = Randomness.system.bytes(12)
        var (box, opened) = ([UInt8](), [UInt8]())
        for text in ["dinner", "", "a walk by the sea"] {
            let plaintext = Array(text.utf8)
            let token = try [UInt8](capacity: key.tokenCount(plaintext.count, at: nil)) { output in
                try key.seal(
                    plaintext.span, at: nil, of: FieldSource(openedUnder: nil),
                    from: .testOnlyScript(nonce), through: &box, into: &output)
            }
            let alone = try new.seal(
                field: plaintext, couple: couple, from: .testOnlyScript(nonce))
            #expect(token == alone.text)
            let proof = try key.open(token.span, at: nil, through: &box, into: &opened)
            #expect(proof == FieldReader.Proof(keyID: key.primaryID, origin: .rekey, isBound: nil))
        }
        #expect(opened == Array("dinnera walk by the sea".utf8))
        let former = try old.seal(field: "dinner".utf8, couple: couple).text
        #expect(throws: FieldError.serverKnown) {
            _ = try key.open(former.span, at: nil, through: &box, into: &opened)
        }
        #expect(throws: FieldError.serverForgeable) {
            _ = try [UInt8](capacity: 100) { output in
                try key.seal(
                    former.span, at: nil, of: FieldSource(openedUnder: .invite), from: .system,
                    through: &box, into: &output)
            }
        }
    }

    @Test("what the keys themselves refuse is said with its reason")
    func reasons() throws {
        let key = rekeyed(.rekeyed)
        let large = [UInt8](repeating: 0, count: CoupleKey.maximumFieldByteCount + 1)
        #expect(throws: FieldError.plaintextTooLarge) { try key.seal(large) }
        let stranger = try CoupleKey(Keyset(.aes256GCM)).seal(field: "dinner".utf8, couple: couple)
        #expect(throws: FieldError.opening(.noMatchingKey)) { try key.open(stranger) }
        let other = try new.seal(field: "dinner".utf8, couple: try CoupleID(parsing: "couple_2"))
        #expect(throws: FieldError.opening(.authenticationFailed)) { try key.open(other) }
    }
}
