/// A known answer for each primitive, asked on the machine that the program runs on.
///
/// A C library comes from the system and may be another one tomorrow, so its answers are checked there and not only in
/// our tests. Every answer was published by others.
package struct KnownAnswer: Sendable {
    /// The primitive, and where its answer was published, as `closer-keys self-test` prints both.
    package let name: String
    /// Computes the answer again and compares it. A machine that lacks memory for Argon2id throws.
    package let passes: @Sendable () throws(MemoryShortage) -> Bool

    /// One or more for each primitive.
    package static let all: [KnownAnswer] =
        [
            KnownAnswer(name: "AES-128-GCM (GCM specification, test case 4)") {
                seals(
                    key: gcmKey128, tag: "5bc94fbc3221a5db94fae95ae7121a47",
                    head: "42831ec2217774244b7221b784d0d49c")
            },
            KnownAnswer(name: "AES-256-GCM (GCM specification, test case 16)") {
                seals(
                    key: gcmKey128 + gcmKey128, tag: "76fc6ece0f4e1768cddf8853bb2d551b",
                    head: "522dc1f099567d07f47f37a32a84427d")
            },
            KnownAnswer(name: "SHA-256 (FIPS 180-4, \"abc\")") {
                SHA256.hash(Array("abc".utf8).span)
                    == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            },
            KnownAnswer(name: "SHA-512 (FIPS 180-4, \"abc\")") {
                SHA512.hash(Array("abc".utf8).span)
                    == bytes(
                        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
            },
            KnownAnswer(name: "HMAC-SHA-256 (RFC 4231 §4.3)") {
                let message = Array("what do ya want for nothing?".utf8)
                return HMACSHA256.tag(of: message.span, key: secret(Array("Jefe".utf8)))
                    == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
            },
            KnownAnswer(name: "HKDF-SHA-256 (RFC 5869 §A.1)") {
                let salt = bytes("000102030405060708090a0b0c")
                let info = bytes("f0f1f2f3f4f5f6f7f8f9")
                let material = secret([UInt8](repeating: 0x0b, count: 22))
                return HKDF.derive(from: material, salt: salt.span, info: info.span, count: 42).equals(
                    "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
            },
            KnownAnswer(name: "Argon2id, one lane (libsodium's own test)") { () throws(MemoryShortage) in
                try argon2id()
            },
            KnownAnswer(name: "X25519 (RFC 7748 §6.1)") { x25519() },
            KnownAnswer(name: "X25519 refuses an all-zero secret (RFC 7748 §6.1)") { x25519RefusesZero() },
            KnownAnswer(name: "P-256 Diffie-Hellman (RFC 5903 §8.1)") { p256() },
            KnownAnswer(name: "ristretto255 (draft-irtf-cfrg-cpace-21 §B.3)") { ristretto255() },
            KnownAnswer(name: "ristretto255 refuses what is no element (draft-irtf-cfrg-cpace-21 §B.3)") {
                ristretto255Refuses()
            },
            KnownAnswer(name: "constant-time compare") {
                let (same, other) = (Array(gcmKey128), gcmKey128.dropLast() + [0])
                return ConstantTime.isEqual(gcmKey128.span, same.span)
                    && !ConstantTime.isEqual(gcmKey128.span, other.span)
            },
            KnownAnswer(name: "randomness differs from draw to draw") {
                Randomness.system.bytes(32) != Randomness.system.bytes(32)
            },
        ] + ofLibargon2

    #if CLOSER_LIBARGON2
    private static let ofLibargon2 = [
        KnownAnswer(name: "Argon2id, four lanes (RFC 9106 §5.3)") { () throws(MemoryShortage) in
            try argon2idReference()
        },
        KnownAnswer(name: "Argon2id, one lane (libsodium as libargon2)") { () throws(MemoryShortage) in
            try argon2idOneLane()
        },
    ]
    #else
    private static let ofLibargon2: [KnownAnswer] = []
    #endif
}

// MARK: - The longer tests

private func seals(key: [UInt8], tag: String, head: String) -> Bool {
    let nonce = bytes("cafebabefacedbaddecaf888")
    let data = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let plaintext = bytes(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
    let cipher = AESGCM(key: secret(key))
    let box = [UInt8](capacity: plaintext.count + 16) {
        cipher.seal(plaintext.span, nonce: nonce.span, authenticating: data.span, into: &$0)
    }
    guard Array(box.suffix(16)) == bytes(tag), Array(box.prefix(16)) == bytes(head) else { return false }
    let opened = try? [UInt8](capacity: plaintext.count) { (output) throws(AESGCM.AuthenticationFailure) in
        try cipher.open(box.span, nonce: nonce.span, authenticating: data.span, into: &output)
    }
    return opened == plaintext
}

private func argon2id() throws(MemoryShortage) -> Bool {
    guard let argon2id = try? Argon2id(memoryKiB: 7086, passes: 5, lanes: 1) else { return false }
    let salt = bytes("5541fbc995d5c197ba290346d2c559de")
    let password = secret(
        "a347ae92bce9f80f6f595a4480fc9c2fe7e7d7148d371e9487d75f5c23008ffae065577a928febd9b1973a5a95073acd"
            + "beb6a030cfc0d79caa2dc5cd011cef02c08da232d76d52dfbca38ca8dcbd665b17d1665f7cf5fe59772ec909733b24de"
            + "97d6f58d220b20c60d7c07ec1fd93c52c31020300c6c1facd77937a597c7a6")
    return try argon2id.derive(from: password, salt: salt.span, count: 155).equals(
        "18acec5d6507739f203d1f5d9f1d862f7c2cdac4f19d2bdff64487e60d969e3ced615337b9eec6ac4461c6ca07f0939741e57c24"
            + "d0005c7ea171a0ee1e7348249d135b38f222e4dad7b9a033ed83f5ca27277393e316582033c74affe2566a2bea47f91f0fd9fe49"
            + "ece7e1f79f3ad6e9b23e0277c8ecc4b313225748dd2a80f5679534a0700e246a79a49b3f74eb89ec6205fe1eeb941c73b1fcf1"
    )
}

#if CLOSER_LIBARGON2
private func argon2idReference() throws(MemoryShortage) -> Bool {
    guard let argon2id = try? Argon2id(memoryKiB: 32, passes: 3, lanes: 4) else { return false }
    let (salt, secretValue, data) = (
        [UInt8](repeating: 2, count: 16), [UInt8](repeating: 3, count: 8),
        [UInt8](repeating: 4, count: 12)
    )
    let password = secret([UInt8](repeating: 1, count: 32))
    let key = try argon2id.deriveWithReference(
        from: password, salt: salt.span, secret: secretValue.span, associatedData: data.span, count: 32)
    return key.equals("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659")
}

private func argon2idOneLane() throws(MemoryShortage) -> Bool {
    guard let argon2id = try? Argon2id(memoryKiB: 64, passes: 2, lanes: 1) else { return false }
    let salt = [UInt8](repeating: 2, count: 16)
    let password = secret(Array("password".utf8))
    let fast = try argon2id.deriveWithSodium(from: password, salt: salt.span, count: 32)
    let reference = try argon2id.deriveWithReference(from: password, salt: salt.span, count: 32)
    return fast.isEqual(to: reference)
}
#endif

private func x25519() -> Bool {
    let bob = X25519.PrivateKey(
        adopting: secret("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
    let alice = bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    guard let alice = X25519.PublicKey(alice), let shared = try? bob.sharedSecret(with: alice)
    else { return false }
    return shared.equals("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
}

private func x25519RefusesZero() -> Bool {
    guard let zero = X25519.PublicKey([UInt8](repeating: 0, count: 32)) else { return false }
    do {
        _ = try X25519.PrivateKey().sharedSecret(with: zero)
        return false
    } catch { return error == .lowOrderPublicKey }
}

private func p256() -> Bool {
    let theirs = bytes(
        "04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63"
            + "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab")
    let scalar = secret("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433")
    guard let ours = try? P256.PrivateKey(adopting: scalar), let point = try? P256.PublicKey(theirs.span)
    else { return false }
    return ours.sharedSecret(with: point).equals(
        "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de")
}

/// A password's hash becomes a generator, and with it two scalars agree.
private func ristretto255() -> Bool {
    let hash = secret(
        "da6d3ddc8802fca9058755ffd3ebde08a9c2c74945901a258482a288b6663af0"
            + "6bf645c93cd1c51512307199c80e84908916d983b34af77205f90851a657ee27")
    let generator = Ristretto255.SecretElement(mapping: hash)
    guard generator.equals("222b6b195fe84b1652badb6f6a3ae3d24341e7306967f0b8115b40d5698c7e56"),
        let scalar = Ristretto255.Scalar(
            adopting: secret("da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08")),
        let theirs = Ristretto255.Element(
            bytes("3ea7e0b19560d7c0b0f5734f63b955286dfa8232b5ebe63324e2d9e7433f7258"))
    else { return false }
    let share = scalar.publicProduct(with: generator).bytes
    let shared = scalar.sharedElement(with: theirs)
    return share == bytes("d6bac480f2c386c394efc7c47adb9925dcd2630b64f240c50f8d0eec482b9157")
        && shared.equals("80b69a8a76457ab6a4d7f887a4bf6b55a2f80ac19c333f917a05fc9887c8b40f")
}

/// No point at all, the identity, and a share of the same section with bit 255, which older versions of libsodium take.
private func ristretto255Refuses() -> Bool {
    [
        "2b3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "3ea7e0b19560d7c0b0f5734f63b955286dfa8232b5ebe63324e2d9e7433f72d8",
    ].allSatisfy { Ristretto255.Element(bytes($0)) == nil }
}

// MARK: - Published values, as the primitives take them

// They are public, but a primitive takes its key as `SecretBytes`.

private let gcmKey128 = bytes("feffe9928665731c6d6a8f9467308308")

private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

private func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }

private func secret(_ hex: String) -> SecretBytes { secret(bytes(hex)) }

extension SecretBytes {
    fileprivate borrowing func equals(_ hex: String) -> Bool { isEqual(to: secret(hex)) }
}

extension Ristretto255.SecretElement {
    fileprivate borrowing func equals(_ hex: String) -> Bool { withBytes { secret($0).equals(hex) } }
}

private func secret(_ bytes: Span<UInt8>) -> SecretBytes { SecretBytes(copying: bytes) }
