import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("Fields that are bound to their place: closer-keys-formats(7), FIELDS")
struct PlacedFieldTests {
    private let key: CoupleKey
    private let couple: CoupleID
    private let ours: FieldPlace
    private let theirs: FieldPlace

    init() throws {
        key = try CoupleKey(Keyset(.aes256GCM))
        couple = try CoupleID(parsing: "couple_1")
        ours = try FieldPlace(parsing: "users/alice/encryptedStatus")
        theirs = try FieldPlace(parsing: "users/bob/encryptedStatus")
    }

    private var fieldKey: FieldKey { FieldKey(key, of: couple, origins: nil) }

    @Test(
        "a field opens at its place, and another field of the couple does not open there",
        .proves("W11: a field that was sealed for a place opens at no other place"))
    func swapped() throws {
        let (home, away) = (
            try fieldKey.seal("home".utf8, place: ours), try fieldKey.seal("away".utf8, place: theirs)
        )
        #expect(try fieldKey.open(home, place: ours).plaintext == Array("home".utf8))
        #expect(throws: FieldError.opening(.authenticationFailed)) { try fieldKey.open(away, place: ours) }
        #expect(throws: FieldError.opening(.authenticationFailed)) {
            try fieldKey.open(home, place: theirs)
        }
        let other = try CoupleID(parsing: "couple_2")
        #expect(throws: FieldError.opening(.authenticationFailed)) {
            try key.open(home, couple: other, place: ours)
        }
        #expect(try key.open(home, couple: couple, place: ours).keyID == key.keyset.primaryID)
    }

    @Test("both versions are sealed as Tink and pyca seal them, byte for byte")
    func golden() throws {
        let secret = SecretBytes(testOnly: TestData.golden.hex("coupleKeyset.binaryHex"))
        let key = try CoupleKey(InsecureCleartextKeyset.read(binary: secret, .strict))
        let text = Array(TestData.golden.text("field.plaintext").utf8)
        let iv = Array(0..<12 as Range<UInt8>)
        let old = try key.seal(field: text, couple: couple, from: .testOnlyScript(iv))
        #expect(old.description == TestData.golden.text("field.token"))
        // The example of closer-keys-formats(7), FIELDS, and the first case of vectors/v1/field_v2.json.
        let new = try key.seal(field: text, couple: couple, place: ours, from: .testOnlyScript(iv))
        #expect(new.description == "enc:v2:AQoLDA0AAQIDBAUGBwgJCgsvZ7p3qsUghinvA8LO1zHqyQNzIBh1cR/W")
    }

    @Test("neither version is read as the other, and the error says which it is")
    func versions() throws {
        let (old, new) = (try fieldKey.seal("x".utf8), try fieldKey.seal("x".utf8, place: ours))
        let keys = OpeningKeys(fieldKey, epoch: 1)
        #expect(throws: FieldError.token(.unbound)) { try key.open(old, couple: couple, place: ours) }
        #expect(throws: FieldError.token(.unbound)) { try fieldKey.open(old, place: ours) }
        #expect(throws: FieldError.token(.unbound)) { try keys.open(old, place: ours) }
        #expect(throws: FieldError.token(.placed)) { try key.open(new, couple: couple) }
        #expect(throws: FieldError.token(.placed)) { try fieldKey.open(new) }
        #expect(throws: FieldError.token(.placed)) { try keys.open(new) }
        // Under another name, either stays closed.
        let renamed = try FieldToken(new.ciphertext, .couple)
        #expect(throws: FieldError.opening(.authenticationFailed)) { try fieldKey.open(renamed) }
        let placed = try FieldToken(old.ciphertext, .place)
        #expect(throws: FieldError.opening(.authenticationFailed)) {
            try fieldKey.open(placed, place: ours)
        }
    }

    @Test(
        "what was opened without a place is not sealed for one, unless the caller vouches",
        .proves("W11: a field that the server may have moved is bound to a place only at your word"))
    func unbound() throws {
        #expect(throws: FieldError.unbound) {
            try fieldKey.seal("x".utf8, place: ours, openedUnbound: true)
        }
        _ = try fieldKey.seal("x".utf8, place: ours, openedUnbound: true, trustingOld: true)
        let strict = FieldKey(
            key, of: couple, origins: [key.keyset.primaryID: .rekey], requirement: .rekeyed)
        #expect(throws: FieldError.serverForgeable) {
            try strict.seal("x".utf8, place: ours, openedUnder: .invite)
        }
        let known = FieldKey(key, of: couple, origins: [:], requirement: .rekeyed)
        #expect(throws: FieldError.serverKnown) {
            try known.seal("x".utf8, place: ours, openedUnbound: true, trustingOld: true)
        }
    }

    @Test("opening keys open a field at its place alone")
    func openingKeys() throws {
        let keys = OpeningKeys(fieldKey, epoch: 1)
        let token = try fieldKey.seal("home".utf8, place: ours)
        #expect(try keys.open(token, place: ours).plaintext == Array("home".utf8))
        #expect(throws: FieldError.opening(.authenticationFailed)) { try keys.open(token, place: theirs) }
    }

    @Test("many fields through the same memory are what they are one by one")
    func many() throws {
        let nonce = Randomness.system.bytes(12)
        var (box, opened) = ([UInt8](), [UInt8]())
        for (text, place) in [("dinner", ours), ("", theirs), ("a walk by the sea", ours)] {
            let plaintext = Array(text.utf8)
            let count = fieldKey.tokenCount(plaintext.count, at: place)
            let token = try [UInt8](capacity: count) { output in
                try fieldKey.seal(
                    plaintext.span, at: place, of: FieldSource(openedUnder: nil),
                    from: .testOnlyScript(nonce), through: &box, into: &output)
            }
            let alone = try key.seal(
                field: plaintext, couple: couple, place: place, from: .testOnlyScript(nonce))
            #expect(token == alone.text)
            let proof = try fieldKey.open(token.span, at: place, through: &box, into: &opened)
            #expect(proof == FieldReader.Proof(keyID: fieldKey.primaryID, origin: nil, isBound: true))
            #expect(throws: FieldError.token(.placed)) {
                _ = try fieldKey.open(token.span, at: nil, through: &box, into: &opened)
            }
        }
        #expect(opened == Array("dinnera walk by the sea".utf8))
    }

    @Test("more than 1 MiB")
    func tooLarge() throws {
        let large = [UInt8](repeating: 0, count: 1 << 20 | 1)
        #expect(throws: FieldError.plaintextTooLarge) {
            try key.seal(field: large, couple: couple, place: ours)
        }
        #expect(throws: FieldError.plaintextTooLarge) {
            try fieldKey.seal(large, place: ours)
        }
    }
}

@Suite("Places of fields")
struct FieldPlaceTests {
    @Test("1 to 512 printable characters of ASCII")
    func accepted() throws {
        let printable = String(decoding: 0x20...0x7e as ClosedRange<UInt8>, as: UTF8.self)
        for text in ["x", " ", printable, String(repeating: "p", count: 512)] {
            #expect(try FieldPlace(parsing: text).description == text)
            #expect(try FieldPlace(parsing: Array(text.utf8)).bytes == Array(text.utf8))
        }
    }

    @Test(
        "anything else",
        arguments: ["", String(repeating: "p", count: 513), "é", "a\n", "a\tb", "\0", "\u{7f}", "a\u{a0}b"])
    func refused(_ text: String) {
        #expect(throws: FieldPlace.FormatError.self) { try FieldPlace(parsing: text) }
    }
}
