import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("Safety numbers: closer-keys-formats(7), SAFETY NUMBERS")
struct SafetyNumberTests {
    @Test("the golden number of two X25519 keys, whoever asks")
    func golden() throws {
        let (alice, bob) = try (party("alice"), party("bob"))
        let digits = TestData.golden.text("safetyNumber.x25519Pair.digits")
        #expect(String(decoding: SafetyNumber(alice, bob).digits, as: UTF8.self) == digits)
        #expect(SafetyNumber(bob, alice) == SafetyNumber(alice, bob))
        #expect(
            SafetyNumber(alice, bob).description
                == "22209 87758 40627 00343 39904 61327 23229 50156 76829 86216 64907 96460")
    }

    @Test("the golden half of a couple")
    func coupleHalf() throws {
        let half = try couple(TestData.golden.text("userKey.publicToken"))
        #expect(
            String(decoding: half.digits, as: UTF8.self)
                == TestData.golden.text("safetyNumber.coupleHalf.digits"))
    }

    @Test("a token with integers of 32 bytes, as Tink for Python writes it, has the same half")
    func otherWidth() throws {
        let token = TestData.golden.text("userKey.publicToken")
        var bytes = try Base64.url.decode(String(token.dropFirst(7)))
        // The lengths of Key, KeyData, its value, x and y, and the zero before each integer.
        for (wide, narrow) in [
            ([0x12, 0xdd, 0x01], [0x12, 0xdb, 0x01]), ([0x0a, 0xd0, 0x01], [0x0a, 0xce, 0x01]),
            ([0x12, 0x8c, 0x01], [0x12, 0x8a, 0x01]), ([0x1a, 0x21, 0x00], [0x1a, 0x20]),
            ([0x22, 0x21, 0x00], [0x22, 0x20]),
        ] as [([UInt8], [UInt8])] {
            let range = try #require(bytes.firstRange(of: wide))
            bytes.replaceSubrange(range, with: narrow)
        }
        let narrow = try couple("pub:v1:\(Base64.url.encode(bytes))")
        #expect(narrow == (try couple(token)))
    }

    @Test("libsignal's published number comes from its own keys of 33 bytes")
    func libsignal() throws {
        let alice = SafetyNumber.Party(
            identity: Array("+14152222222".utf8),
            key: try Hex.decode("0506863bc66d02b40d27b8d49ca7c09e9239236f9d7d25d6fcca5ce13c7064d868"))
        let bob = SafetyNumber.Party(
            identity: Array("+14153333333".utf8),
            key: try Hex.decode("05f781b6fb32fed9ba1cf2de978d4d5da28dc34046ae814402b5c0dbd96fda907b"))
        #expect(
            String(decoding: SafetyNumber(alice, bob).digits, as: UTF8.self)
                == TestData.golden.text("safetyNumber.libsignalPublished.digits"))
    }

    @Test("another key, another user or another couple has other digits")
    func differs() throws {
        let token = TestData.golden.text("userKey.publicToken")
        let own = try couple(token).digits
        #expect(try couple(token, in: "couple_2").digits != own)
        #expect(try couple(token, user: "bobby").digits != own)
        #expect(
            try couple(PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters()))).description).digits != own
        )
        let bytes = try X25519PublicKey(parsing: TestData.golden.text("chat.bobPublic")).bytes
        let bob = try party("bob").digits
        // RFC 7748 ignores the last bit of a key, so a key that has it is another spelling, and none of ours.
        #expect(throws: X25519KeyError.malformed) { try X25519PublicKey(bytes.flipping(bit: 255)) }
        for bit in stride(from: 0, to: 255, by: 17) {
            let other = try X25519PublicKey(bytes.flipping(bit: bit))
            #expect(try SafetyNumber.Party(user: UserID(parsing: "bob"), key: other).digits != bob)
        }
    }

    @Test("what a person typed, with white space and hyphens where they like")
    func entered() throws {
        let number = try SafetyNumber(party("alice"), party("bob"))
        #expect(try SafetyNumber(typed: number.description.utf8) == number)
        #expect(try SafetyNumber(typed: number.digits) == number)
        let lines = number.description.replacing(" ", with: "\r\n\t ")
        #expect(try SafetyNumber(typed: " \(lines) ".utf8) == number)
        let hyphens = number.description.replacing(" ", with: "-")
        #expect(try SafetyNumber(typed: hyphens.utf8) == number)
        #expect(try SafetyNumber(typed: "-\(hyphens.replacing("-", with: " - "))-".utf8) == number)
        var other = number.digits
        other[59] = other[59] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        #expect(try SafetyNumber(typed: other) != number)
    }

    @Test("a slip of the pen is no mismatch")
    func slips() throws {
        let digits = try SafetyNumber(party("alice"), party("bob")).digits
        for text in [
            [], Array(digits.dropLast()), digits + [0x30], Array(digits.dropLast()) + [0x4F],
            Array(digits.dropLast()) + Array("٣".utf8), digits + Array("\u{2010}".utf8),
            digits + Array("+".utf8),
        ] { #expect(throws: SafetyNumber.FormatError.malformed) { try SafetyNumber(typed: text) } }
    }

    @Test("a code is read again, and is its two items and nothing else")
    func code() throws {
        let number = try SafetyNumber(party("alice"), party("bob"))
        let bytes = number.codeBytes
        #expect(bytes == [0, 0, 0, 16] + Array("closer-keys/sn/1".utf8) + [0, 0, 0, 60] + number.digits)
        #expect(try SafetyNumber(scanned: bytes) == number)
        for count in 0..<bytes.count {
            #expect(throws: SafetyNumber.FormatError.malformed) {
                try SafetyNumber(scanned: bytes.prefix(count))
            }
        }
        #expect(throws: SafetyNumber.FormatError.malformed) { try SafetyNumber(scanned: bytes + [0]) }
    }

    @Test("a code of another version is no mismatch, and a changed one never the same number")
    func otherVersions() throws {
        let number = try SafetyNumber(party("alice"), party("bob"))
        for version in ["0", "2", "10"] {
            let name = Array("closer-keys/sn/\(version)".utf8)
            let bytes = [UInt8](lengthPrefixed: [name, number.digits + [1]])
            #expect(throws: SafetyNumber.FormatError.otherVersion) { try SafetyNumber(scanned: bytes) }
        }
        for name in ["closer-keys/sn/", "closer-keys/sn/x", "closer-keys/s/1", "", "2"] {
            let bytes = [UInt8](lengthPrefixed: [Array(name.utf8), number.digits])
            #expect(throws: SafetyNumber.FormatError.malformed) { try SafetyNumber(scanned: bytes) }
        }
        let bytes = number.codeBytes
        for bit in 0..<bytes.count * 8 {
            #expect((try? SafetyNumber(scanned: bytes.flipping(bit: bit))) != number)
        }
    }

    private func party(_ name: String) throws -> SafetyNumber.Party {
        SafetyNumber.Party(
            user: try UserID(parsing: name),
            key: try X25519PublicKey(parsing: TestData.golden.text("chat.\(name)Public")))
    }

    private func couple(
        _ token: String, in couple: String = "couple_1", user: String = "bob"
    ) throws -> SafetyNumber.Party {
        SafetyNumber.Party(
            user: try UserID(parsing: user), couple: try CoupleID(parsing: couple),
            key: try PublicKeyToken(parsing: token.utf8))
    }
}
