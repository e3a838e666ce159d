internal import CloserPrimitives
internal import CloserWire

/// The bare primitives, as Wycheproof's own files ask for them.
enum WycheproofOperations {
    static let all = [aead, x25519, p256, hkdf, hmac]

    /// Opens the box; what comes out must seal to the same box again.
    static let aead = VectorOperation(
        WycheproofSchema(
            name: "aead", algorithms: ["AES-GCM"], groupType: "AeadTest",
            parameters: [
                ("keySize", .sizes([128, 256])), ("ivSize", .sizes([96])), ("tagSize", .sizes([128])),
            ], input: "key iv aad msg", output: "ct tag", takesOutput: true)
    ) { input in
        let (nonce, data) = (try input.hex("iv"), try input.hex("aad"))
        let key = try input.secretHex("key")
        // The group says which sizes its tests have, and a test may have others all the same.
        guard [16, 32].contains(key.count), nonce.count == AESGCM.nonceByteCount else {
            throw VectorRefusal()
        }
        let cipher = AESGCM(key: key)
        let box = try input.hex("ct") + input.hex("tag")
        let plaintext = try [UInt8](capacity: box.count) { (output) throws(AESGCM.AuthenticationFailure) in
            try cipher.open(box.span, nonce: nonce.span, authenticating: data.span, into: &output)
        }
        guard plaintext == (try input.hex("msg")) else { return .hex("msg", plaintext) }
        let sealed = [UInt8](capacity: plaintext.count + AESGCM.tagByteCount) {
            cipher.seal(plaintext.span, nonce: nonce.span, authenticating: data.span, into: &$0)
        }
        return [
            "ct": .string(Hex.encode(Array(sealed.dropLast(AESGCM.tagByteCount)))),
            "tag": .string(Hex.encode(Array(sealed.suffix(AESGCM.tagByteCount)))),
        ]
    }

    static let x25519 = VectorOperation(
        WycheproofSchema(
            name: "xdh_comp", algorithms: ["XDH", "X25519"], groupType: "XdhComp",
            parameters: [("curve", .text("curve25519"))], input: "public private", output: "shared",
            refusesZero: true)
    ) { input in
        let scalar = try input.secretHex("private")
        guard scalar.count == X25519.byteCount, let theirs = X25519.PublicKey(try input.hex("public")) else {
            throw VectorRefusal()
        }
        let secret = try X25519.PrivateKey(adopting: scalar).sharedSecret(with: theirs)
        return .hex("shared", secret.withBytes { Array(copying: $0) })
    }

    /// A point may be compressed or not; its length says which.
    static let p256 = VectorOperation(
        WycheproofSchema(
            name: "ecdh_ecpoint", algorithms: ["ECDH"], groupType: "EcdhEcpointTest",
            parameters: [("curve", .text("secp256r1")), ("encoding", .text("ecpoint"))],
            input: "public private", output: "shared")
    ) { input in
        let (point, integer) = (try input.hex("public"), try input.hex("private"))
        let format: P256.PointFormat =
            point.count == P256.PointFormat.compressed.byteCount ? .compressed : .uncompressed
        let theirs = try P256.PublicKey(point.span, format: format)
        // Wycheproof writes an integer without leading zeros, or with one.
        let digits = integer.drop { $0 == 0 }
        guard digits.count <= P256.scalarByteCount else { throw P256.KeyError.scalarOutOfRange }
        let scalar = [UInt8](repeating: 0, count: P256.scalarByteCount - digits.count) + digits
        let ours = try P256.PrivateKey(adopting: SecretBytes(copying: scalar.span))
        return .hex("shared", ours.sharedSecret(with: theirs).withBytes { Array(copying: $0) })
    }

    static let hkdf = VectorOperation(
        WycheproofSchema(
            name: "hkdf", algorithms: ["HKDF-SHA-256"], groupType: "HkdfTest",
            parameters: [("keySize", .any)], input: "ikm salt info size", output: "okm")
    ) { input in
        let (salt, info) = (try input.hex("salt"), try input.hex("info"))
        let count = try input.count("size")
        guard (1...255 * SHA256.byteCount).contains(count), info.count <= HKDF.maximumInfoByteCount else {
            throw VectorRefusal()
        }
        let key = HKDF.derive(
            from: try input.secretHex("ikm"), salt: salt.span, info: info.span, count: count)
        return .hex("okm", key.withBytes { Array(copying: $0) })
    }

    /// Checks the tag; one that holds is computed again and given.
    static let hmac = VectorOperation(
        WycheproofSchema(
            name: "mac", algorithms: ["HMACSHA256"], groupType: "MacTest",
            parameters: [("keySize", .any), ("tagSize", .sizes([256]))], input: "key msg", output: "tag",
            takesOutput: true)
    ) { input in
        let (message, tag) = (try input.hex("msg"), try input.hex("tag"))
        let key = try input.secretHex("key")
        guard HMACSHA256.isValid(tag.span, of: message.span, key: key) else {
            throw VectorRefusal()
        }
        return .hex("tag", HMACSHA256.tag(of: message.span, key: key))
    }
}
