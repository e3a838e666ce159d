import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@Suite("X25519 keys: RFC 7748, and closer-keys-formats(7), CHATS")
struct X25519KeyTests {
    @Test("the golden keys: public from private, and what they agree on")
    func golden() throws {
        let (alice, bob) = try (key("alice"), key("bob"))
        #expect(alice.publicKey.description == TestData.golden.text("chat.alicePublic"))
        #expect(bob.publicKey.description == TestData.golden.text("chat.bobPublic"))
        let (salt, info) = (Array("alice_bob".utf8), Array("FitLinkChat".utf8))
        let ours = try alice.agree(with: bob.publicKey, salt: salt, info: info).testOnlyBytes()
        let theirs = try bob.agree(with: alice.publicKey, salt: salt, info: info).testOnlyBytes()
        #expect(ours == TestData.golden.hex("chat.fitlink.keyHex"))
        #expect(theirs == ours)
    }

    @Test(
        "RFC 7748 §5.2: scalar times u-coordinate",
        arguments: [
            (
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
            ),
            (
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
            ),
        ])
    func product(_ scalar: String, _ point: String, _ product: String) throws {
        #expect(try Hex.encode(multiply(Hex.decode(scalar), Hex.decode(point))) == product)
    }

    @Test("RFC 7748 §5.2: a thousand products, each the scalar of the next")
    func iterated() throws {
        var (scalar, point) = ([9] + [UInt8](repeating: 0, count: 31), [9] + [UInt8](repeating: 0, count: 31))
        (scalar, point) = (try multiply(scalar, point), scalar)
        #expect(Hex.encode(scalar) == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079")
        for _ in 1..<1000 { (scalar, point) = (try multiply(scalar, point), scalar) }
        #expect(Hex.encode(scalar) == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")
    }

    /// The points of low order on curve and twist: 0, 1, two of order 8, p − 1, and 0 and 1 once more as p and p + 1.
    private static let lowOrderPoints = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test(
        "a point of low order is no key, with and without the bit that RFC 7748 ignores",
        .proves("W7: an X25519 key of low order is refused"),
        arguments: lowOrderPoints)
    func lowOrder(_ hex: String) throws {
        for high in [UInt8(0), 0x80] {
            var point = try Hex.decode(hex)
            point[31] |= high
            #expect(throws: X25519KeyError.lowOrderPublicKey) { try X25519PublicKey(point) }
            #expect(throws: X25519KeyError.lowOrderPublicKey) {
                try X25519PublicKey(parsing: Base64.standard.encode(point))
            }
            let unchecked = try X25519PublicKey(#require(X25519.PublicKey(point)))
            #expect(throws: X25519KeyError.lowOrderPublicKey) {
                _ = try X25519PrivateKey().agree(with: unchecked, info: [])
            }
        }
    }

    @Test("the neighbours of points of low order are keys")
    func neighbours() throws {
        for hex in Self.lowOrderPoints[2...3] {
            var point = try Hex.decode(hex)
            point[0] ^= 0x10
            #expect(try X25519PublicKey(point).bytes == point)
        }
    }

    @Test(
        "a key has one spelling: the highest bit set, or p and more, is none, though it agrees on the same secret",
        .proves("W22: a token has one spelling, a public key two")
    )
    func oneSpelling() throws {
        let nine = [9] + [UInt8](repeating: 0, count: 31)
        let alike = [
            Array(nine.dropLast()) + [0x80], [0xED + 9] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
            [0xED + 9] + [UInt8](repeating: 0xFF, count: 31),
        ]
        let secret = try multiply([UInt8](repeating: 7, count: 32), nine)
        for point in alike {
            #expect(try multiply([UInt8](repeating: 7, count: 32), point) == secret)
            #expect(throws: X25519KeyError.malformed) { try X25519PublicKey(point) }
            #expect(throws: X25519KeyError.malformed) {
                try X25519PublicKey(parsing: Base64.standard.encode(point))
            }
        }
        // 2 below p, and the smallest numbers that p − 1 is not above.
        for (first, isKey) in [(UInt8(0xEB), true), (0xEF, false), (0xFF, false)] {
            let point = [first] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
            #expect(((try? X25519PublicKey(point)) != nil) == isKey, "\(first)")
        }
        #expect(try X25519PublicKey(nine).bytes == nine)
    }

    @Test(
        "what is no key's text",
        arguments: [
            "", "AAAA", "puL4ia6Lxnc9i9wRrB7v/B6sjvolzsG3ARN7R1/V1ho",
            "puL4ia6Lxnc9i9wRrB7v/B6sjvolzsG3ARN7R1/V1hp=",
            " puL4ia6Lxnc9i9wRrB7v/B6sjvolzsG3ARN7R1/V1ho=", "puL4ia6Lxnc9i9wRrB7v/B6sjvolzsG3ARN7R1/V1ho=\n",
            "puL4ia6Lxnc9i9wRrB7v_B6sjvolzsG3ARN7R1_V1ho=", "puL4ia6Lxnc9i9wRrB7v/B6sjvolzsG3ARN7R1/V1hoA",
        ])
    func texts(_ text: String) {
        #expect(throws: X25519KeyError.malformed) { try X25519PublicKey(parsing: text) }
        let bytes = Array(text.utf8)
        #expect(throws: X25519KeyError.malformed) { try X25519PrivateKey(parsing: bytes.span) }
    }

    @Test("a private key's text is read again, and nothing prints it")
    func privateText() throws {
        let key = X25519PrivateKey()
        let text = key.text.testOnlyBytes()
        #expect(text.count == 44)
        #expect(try X25519PrivateKey(parsing: text.span).publicKey == key.publicKey)
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "X25519PrivateKey(redacted)")
        #expect(
            !dumped.contains(String(decoding: text.prefix(20), as: UTF8.self)) && !dumped.contains("scalar"))
        #expect(throws: X25519KeyError.malformed) {
            try X25519PrivateKey(adopting: SecretBytes(testOnly: [UInt8](repeating: 1, count: 31)))
        }
    }

    @Test("an info of 32 KiB is taken, and one byte more is refused")
    func info() throws {
        let (ours, theirs) = (X25519PrivateKey(), X25519PrivateKey().publicKey)
        let info = [UInt8](repeating: 1, count: 32768)
        #expect(try ours.agree(with: theirs, info: info).count == 32)
        #expect(throws: X25519KeyError.infoTooLong) { _ = try ours.agree(with: theirs, info: info + [1]) }
    }

    private func key(_ name: String) throws -> X25519PrivateKey {
        try X25519PrivateKey(adopting: SecretBytes(testOnly: TestData.golden.hex("chat.\(name)PrivateHex")))
    }

    private func multiply(_ scalar: [UInt8], _ point: [UInt8]) throws -> [UInt8] {
        let theirs = try #require(X25519.PublicKey(point))
        return try X25519.PrivateKey(adopting: SecretBytes(testOnly: scalar)).sharedSecret(with: theirs)
            .testOnlyBytes()
    }
}
