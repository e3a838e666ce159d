import CloserWire
import TestSupport
import Testing

@Suite("Base64, RFC 4648")
struct Base64Tests {
    @Test(
        "the RFC's examples, §10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func examples(_ text: String, _ encoded: String) throws {
        #expect(Base64.standard.encode(Array(text.utf8)) == encoded)
        #expect(try Base64.standard.decode(encoded) == Array(text.utf8))
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64.url.encode(Array(text.utf8)) == unpadded)
        #expect(try Base64.url.decode(unpadded) == Array(text.utf8))
    }

    @Test("both alphabets, letter by letter")
    func alphabets() throws {
        let all = (0..<64).map { UInt8($0) }
        let packed = stride(from: 0, to: 64, by: 4).flatMap { index -> [UInt8] in
            let group = all[index..<index + 4].reduce(UInt32(0)) { $0 << 6 | UInt32($1) }
            return [UInt8(group >> 16), UInt8(group >> 8 & 255), UInt8(group & 255)]
        }
        let standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        #expect(Base64.standard.encode(packed) == standard)
        #expect(try Base64.standard.decode(standard) == packed)
        let url = standard.replacing("+", with: "-").replacing("/", with: "_")
        #expect(Base64.url.encode(packed) == url)
        #expect(try Base64.url.decode(url) == packed)
        #expect(throws: Base64.DecodingError.self) { try Base64.url.decode(standard) }
        #expect(throws: Base64.DecodingError.self) { try Base64.standard.decode(url) }
    }

    @Test("golden texts decode and encode to themselves")
    func golden() throws {
        let texts = [
            "wrap.document.wrappedCoupleKey", "wrap.document.kdfSalt", "phraseUnderCode.blob",
            "chat.alicePublic",
        ]
        for text in texts.map(TestData.golden.text) {
            #expect(Base64.standard.encode(try Base64.standard.decode(text)) == text)
        }
    }

    @Test(
        "any other spelling is refused", .proves("W22: a token has one spelling, a public key two"),
        arguments: [
            "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm9", "=", "==", "====", "Z===", "Zm9v=", "Zm9v====",
            "Zg==Zg==",
            " Zm9v", "Zm9v ", "Zm9v\n", "Zm\n9v", "Zm-v", "Zm9_", "Zm9*", "Zm9é", "Z=g=", "Zm9v\0",
        ])
    func otherSpellings(_ text: String) {
        #expect(throws: Base64.DecodingError.self) { try Base64.standard.decode(text) }
    }

    @Test(
        "what decodes encodes to the same text, for every text of up to four letters of a small set",
        .proves("W22: a token has one spelling, a public key two"))
    func exhaustive() throws {
        let letters = Array("AQgwBZ/_=-+ ".utf8)
        var texts: [[UInt8]] = [[]]
        var accepted = 0
        for _ in 0..<4 {
            texts = texts.flatMap { text in letters.map { text + [$0] } }
            for text in texts {
                for base64 in [Base64.standard, .url] {
                    guard let bytes = try? base64.decode(text.span) else { continue }
                    accepted += 1
                    let again = base64.encodedBytes(bytes.span)
                    #expect(again == text)
                }
            }
        }
        #expect(accepted > 1000)
    }
}

@Suite("Hexadecimal, RFC 4648 §8")
struct HexTests {
    @Test("either case in, lower case out")
    func cases() throws {
        #expect(try Hex.decode("00fFAb10") == [0, 255, 0xAB, 0x10])
        #expect(Hex.encode([0, 255, 0xAB, 0x10]) == "00ffab10")
    }

    @Test("anything but pairs of digits", arguments: ["0", "0g", "0x00", " 00", "00 ", "é0", "٣٣"])
    func refused(_ text: String) {
        #expect(throws: Hex.DecodingError.self) { try Hex.decode(text) }
    }
}
