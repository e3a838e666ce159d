import CloserPrimitives
import TestSupport
import Testing

@Suite("What the primitives refuse")
struct RefusalTests {
    private let nonce = [UInt8](repeating: 7, count: 12)

    @Test("any changed bit of a GCM box, and no plaintext is left behind")
    func changedBox() {
        let cipher = AESGCM(key: SecretBytes(testOnly: [UInt8](repeating: 1, count: 32)))
        let plaintext = Array("attack at dawn".utf8)
        let box = [UInt8](capacity: 30) {
            cipher.seal(plaintext.span, nonce: nonce.span, authenticating: Span(), into: &$0)
        }
        for bit in 0..<box.count * 8 {
            #expect(throws: AESGCM.AuthenticationFailure.self) {
                try cipher.testOnlyOpen(box.flipping(bit: bit), nonce: nonce, data: [])
            }
        }
    }

    @Test("a box that does not open leaves the output as it was, wiped")
    func nothingLeaks() {
        let cipher = AESGCM(key: SecretBytes(testOnly: [UInt8](repeating: 1, count: 32)))
        let plaintext = [UInt8](repeating: 0xAB, count: 64)
        let box = [UInt8](capacity: 80) {
            cipher.seal(plaintext.span, nonce: nonce.span, authenticating: Span(), into: &$0)
        }
        let changed = box.flipping(bit: 80 * 8 - 1)
        var isEmpty = false
        let output = [UInt8](capacity: 80) { output in
            try? cipher.open(changed.span, nonce: nonce.span, authenticating: Span(), into: &output)
            isEmpty = output.isEmpty
            output.append(repeating: 1, count: 1)
        }
        #expect(isEmpty)
        #expect(output == [1])
    }

    @Test("a box shorter than a tag", arguments: 0..<16)
    func shortBox(_ count: Int) {
        let cipher = AESGCM(key: SecretBytes(testOnly: [UInt8](repeating: 1, count: 16)))
        #expect(throws: AESGCM.AuthenticationFailure.self) {
            try cipher.testOnlyOpen([UInt8](repeating: 0, count: count), nonce: nonce, data: [])
        }
    }

    // The u-coordinates of small order (RFC 7748 §6.1 and its errata), and 0 and 1 with the unused top bit set.
    static let lowOrder = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000080",
    ]

    @Test(
        "an X25519 public key of low order", .proves("W7: an X25519 key of low order is refused"),
        arguments: lowOrder)
    func lowOrderKey(_ hex: String) throws {
        let theirs = try #require(X25519.PublicKey(bytes(hex)))
        #expect(throws: X25519.AgreementError.lowOrderPublicKey) {
            _ = try X25519.PrivateKey().sharedSecret(with: theirs)
        }
    }

    @Test("an X25519 public key of another length", arguments: [0, 31, 33, 64])
    func keyLength(_ count: Int) { #expect(X25519.PublicKey([UInt8](repeating: 9, count: count)) == nil) }

    static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

    @Test(
        "a P-256 scalar of 0, n, n + 1 or 2^256 - 1, and of another length",
        arguments: [
            String(repeating: "00", count: 32), order,
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552",
            String(repeating: "ff", count: 32), "01", order + "00", "",
        ])
    func scalar(_ hex: String) throws {
        let scalar = bytes(hex)
        #expect(throws: P256.KeyError.scalarOutOfRange) {
            _ = try P256.PrivateKey(adopting: SecretBytes(testOnly: scalar))
        }
    }

    @Test("a P-256 point in the wrong form, length or place")
    func point() throws {
        let point = P256.PrivateKey.random().publicKey
        let good = point.uncompressed
        let decoded = try P256.PublicKey(good.span)
        #expect(decoded == point)
        let offCurve = good.flipping(bit: 64 * 8)
        let wrongForms: [[UInt8]] = [
            [], [0], Array(good.dropLast()), good + [0], [6] + good.dropFirst(), [2] + good.dropFirst(),
            offCurve,
            [4] + [UInt8](repeating: 0xFF, count: 64), [4] + [UInt8](repeating: 0, count: 64),
        ]
        for bytes in wrongForms {
            #expect(throws: P256.KeyError.notAPoint) { _ = try P256.PublicKey(bytes.span) }
        }
        let compressed = point.encoded(.compressed)
        let wrongCompressed: [[UInt8]] = [
            [4] + compressed.dropFirst(), Array(compressed.dropLast()),
            [2] + [UInt8](repeating: 0xFF, count: 32),
        ]
        for bytes in wrongCompressed {
            #expect(throws: P256.KeyError.notAPoint) {
                _ = try P256.PublicKey(bytes.span, format: .compressed)
            }
        }
    }

    @Test(
        "Argon2id costs outside the bounds",
        arguments: [
            (7, 1, 1), (8, 0, 1), (8, 1, 0), (15, 1, 2), (1 << 20 | 1, 1, 1), (64, 11, 1), (64, 1, 5),
        ])
    func costs(_ memoryKiB: Int, _ passes: Int, _ lanes: Int) {
        #expect(throws: Argon2id.CostError.self) {
            _ = try Argon2id(memoryKiB: memoryKiB, passes: passes, lanes: lanes)
        }
    }

    @Test(
        "HKDF gives 1 to 8160 bytes, and takes 32 KiB of info; else the process stops",
        arguments: [(0, 0), (8161, 0), (32, 32_769)])
    func hkdf(_ count: Int, _ infoCount: Int) async {
        await #expect(processExitsWith: .failure) { [count = count as Int, infoCount = infoCount as Int] in
            let info = [UInt8](repeating: 1, count: infoCount)
            _ =
                HKDF.derive(
                    from: SecretBytes.random(count: 32), salt: Span(), info: info.span, count: count
                ).count
        }
    }

    #if CLOSER_LIBARGON2
    @Test("libsodium and libargon2 agree on one lane")
    func bothLibraries() throws {
        let argon2id = try Argon2id(memoryKiB: 46080, passes: 3, lanes: 1)
        let salt = Randomness.system.bytes(16)
        let password = SecretBytes.random(count: 40)
        let fast = try argon2id.deriveWithSodium(from: password, salt: salt.span, count: 32)
            .testOnlyBytes()
        let reference = try argon2id.deriveWithReference(from: password, salt: salt.span, count: 32)
            .testOnlyBytes()
        #expect(fast == reference)
    }
    #else
    @Test("several lanes, where libargon2 is not built", arguments: [2, 3, 4])
    func lanes(_ lanes: Int) {
        #expect(throws: Argon2id.CostError.self) {
            _ = try Argon2id(memoryKiB: 1024, passes: 3, lanes: lanes)
        }
    }
    #endif

    @Test("base64 of secrets in any spelling but one")
    func secretBase64() throws {
        for (text, expected) in [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("+/+/", "\u{fb}"),
        ] {
            let decoded = try SecretBase64.standard.decode(Array(text.utf8).span).testOnlyBytes()
            if text == "+/+/" {
                #expect(decoded == [0xFB, 0xFF, 0xBF])
            } else {
                #expect(decoded == Array(expected.utf8))
            }
            let again = [UInt8](capacity: 8) { SecretBase64.standard.encode(decoded.span, into: &$0) }
            #expect(again == Array(text.utf8))
        }
        for text in [
            "Zg", "Zg=", "Zg===", "Zh==", "Zm9", "Zm9=", "Zm9v ", " Zm9v", "Zm9v\n", "Zm-v", "Z", "====",
            "Zg==Zg==",
        ] {
            #expect(throws: SecretBase64.DecodingError.self, "\(text)") {
                _ = try SecretBase64.standard.decode(Array(text.utf8).span)
            }
        }
        for (bytes, text) in [
            ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0xFB, 0xFF, 0xBF], "-_-_"),
        ]
            as [([UInt8], String)]
        {
            let encoded = [UInt8](capacity: 8) { SecretBase64.url.encode(bytes.span, into: &$0) }
            let decoded = try SecretBase64.url.decode(encoded.span).testOnlyBytes()
            #expect(encoded == Array(text.utf8) && decoded == bytes)
        }
        for text in ["Zg==", "Zh", "Zm+v", "Z"] {
            #expect(throws: SecretBase64.DecodingError.self, "\(text)") {
                _ = try SecretBase64.url.decode(Array(text.utf8).span)
            }
        }
    }
}

private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap { $0.hexDigitValue.map { UInt8($0) } }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
