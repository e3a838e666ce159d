import CloserPrimitives
import CloserWire
import TestSupport
import Testing

private let primitives = TestData.primitives

@Suite("Known answers of pyca/cryptography, argon2-cffi and ge25519")
struct KnownAnswerTests {
    @Test(
        "AES-GCM seals and opens", arguments: Vector.all(primitives["aesGcm"], named: "aesGcm", atLeast: 100))
    func aesGCM(_ vector: Vector) throws {
        let cipher = AESGCM(key: vector.secret("key"))
        let (iv, data, box) = (vector.hex("iv"), vector.hex("aad"), vector.hex("box"))
        let plaintext = vector.hex("msg")
        let sealed = [UInt8](capacity: box.count) {
            cipher.seal(plaintext.span, nonce: iv.span, authenticating: data.span, into: &$0)
        }
        #expect(sealed == box)
        #expect(try cipher.testOnlyOpen(box, nonce: iv, data: data) == plaintext)
    }

    @Test("SHA-256", arguments: Vector.all(primitives["sha256"], named: "sha256", atLeast: 14))
    func sha256(_ vector: Vector) {
        let message = vector.hex("msg")
        let digest = SHA256.hash(message.span)
        #expect(digest == vector.hex("digest"))
        for count in [1, 64, message.count + 1] {
            let parts = SHA256.Parts()
            for start in stride(from: 0, to: message.count, by: count) {
                parts.append(message[start..<min(start + count, message.count)].span)
            }
            let ofParts = parts.digest()
            #expect(ofParts == digest)
        }
    }

    @Test("SHA-512", arguments: Vector.all(primitives["sha512"], named: "sha512", atLeast: 14))
    func sha512(_ vector: Vector) {
        let message = vector.hex("msg")
        let digest = SHA512.hash(message.span)
        #expect(digest == vector.hex("digest"))
        guard !message.isEmpty else { return }  // a secret of no bytes is a mistake of the caller
        let ofSecret = SHA512.hash(vector.secret("msg")).testOnlyBytes()
        #expect(ofSecret == digest)
    }

    @Test("HMAC-SHA256", arguments: Vector.all(primitives["hmacSha256"], named: "hmac", atLeast: 42))
    func hmac(_ vector: Vector) {
        let (message, tag) = (vector.hex("msg"), vector.hex("tag"))
        let key = vector.secret("key")
        let made = HMACSHA256.tag(of: message.span, key: key)
        let changed = tag.flipping(bit: 7)
        let answers = (
            HMACSHA256.isValid(tag.span, of: message.span, key: key),
            HMACSHA256.isValid(changed.span, of: message.span, key: key)
        )
        #expect(made == tag)
        #expect(answers == (true, false))
    }

    @Test("HKDF-SHA256", arguments: Vector.all(primitives["hkdfSha256"], named: "hkdf", atLeast: 37))
    func hkdf(_ vector: Vector) {
        let (salt, info, expected) = (vector.hex("salt"), vector.hex("info"), vector.hex("okm"))
        let derived = HKDF.derive(
            from: vector.secret("ikm"), salt: salt.span, info: info.span, count: expected.count)
        let bytes = derived.testOnlyBytes()
        #expect(bytes == expected)
    }

    /// Without libargon2 those that libsodium takes: one lane, and a salt of 16 bytes.
    private static let argon2ids = Vector.all(primitives["argon2id"], named: "argon2id", atLeast: 36).filter {
        #if CLOSER_LIBARGON2
        true
        #else
        $0.int("lanes") == 1 && $0.hex("salt").count == Argon2id.saltByteCount
        #endif
    }

    @Test("Argon2id", arguments: argon2ids)
    func argon2id(_ vector: Vector) throws {
        let argon2id = try Argon2id(
            memoryKiB: vector.int("memoryKiB"), passes: vector.int("passes"), lanes: vector.int("lanes"))
        let salt = vector.hex("salt")
        let key = try argon2id.derive(from: vector.secret("password"), salt: salt.span)
        let bytes = key.testOnlyBytes()
        #expect(bytes == vector.hex("key"))
    }

    @Test("X25519", arguments: Vector.all(primitives["x25519"], named: "x25519", atLeast: 40))
    func x25519(_ vector: Vector) throws {
        let ours = X25519.PrivateKey(adopting: vector.secret("private"))
        #expect(ours.publicKey.bytes == vector.hex("public"))
        let theirs = try #require(X25519.PublicKey(vector.hex("peer")))
        let shared = try ours.sharedSecret(with: theirs).testOnlyBytes()
        #expect(shared == vector.hex("shared"))
    }

    @Test("P-256, with leading zeros", arguments: Vector.all(primitives["p256"], named: "p256", atLeast: 23))
    func p256(_ vector: Vector) throws {
        let ours = try P256.PrivateKey(adopting: vector.secret("scalar"))
        #expect(ours.publicKey.uncompressed == vector.hex("public"))
        #expect(ours.publicKey.encoded(.compressed) == vector.hex("compressed"))
        let compressed = vector.hex("compressed")
        let decoded = try P256.PublicKey(compressed.span, format: .compressed)
        #expect(decoded == ours.publicKey)
        let peer = vector.hex("peer")
        let theirs = try P256.PublicKey(peer.span)
        let shared = ours.sharedSecret(with: theirs).testOnlyBytes()
        #expect(shared == vector.hex("shared"))
    }

    @Test(
        "every self test passes", .proves("The primitives match published answers"),
        arguments: KnownAnswer.all.map(\.name))
    func selfTest(_ name: String) throws {
        let test = try #require(KnownAnswer.all.first { $0.name == name })
        #expect(try test.passes())
    }
}

extension AESGCM {
    func testOnlyOpen(_ box: [UInt8], nonce: [UInt8], data: [UInt8]) throws -> [UInt8] {
        try [UInt8](capacity: box.count) { (output) throws(AuthenticationFailure) in
            try open(box.span, nonce: nonce.span, authenticating: data.span, into: &output)
        }
    }
}
