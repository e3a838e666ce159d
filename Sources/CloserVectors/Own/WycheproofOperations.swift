internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// The bare primitives, as Wycheproof's own files ask for them.
enum WycheproofOperations {
    /// Opens the box; what comes out must seal to the same box again.
    @Sendable static func aead(_ input: VectorInput) throws -> JSONValue {
        let (nonce, data) = (try input.hex("iv"), try input.hex("aad"))
        let key = try input.secretHex("key")
        // The group says its sizes, and a test may have others.
        guard [16, 32].contains(key.count), nonce.count == AESGCM.nonceByteCount else {
            throw PrimitiveRefusal()
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

    @Sendable static func x25519(_ input: VectorInput) throws -> JSONValue {
        let scalar = try input.secretHex("private")
        guard scalar.count == X25519.byteCount, let theirs = X25519.PublicKey(try input.hex("public")) else {
            throw PrimitiveRefusal()
        }
        let secret = try X25519.PrivateKey(adopting: scalar).sharedSecret(with: theirs)
        return .hex("shared", secret.withBytes { Array(copying: $0) })
    }

    /// Either form of a point; the first byte says which.
    @Sendable static func p256(_ input: VectorInput) throws -> JSONValue {
        let (point, integer) = (try input.hex("public"), try input.hex("private"))
        let format: P256.PointFormat =
            point.count == P256.PointFormat.compressed.byteCount ? .compressed : .uncompressed
        let theirs = try P256.PublicKey(point.span, format: format)
        // Wycheproof writes integers as short as they are, or with a zero in front.
        let digits = integer.drop { $0 == 0 }
        guard digits.count <= P256.scalarByteCount else { throw P256.KeyError.scalarOutOfRange }
        let scalar = [UInt8](repeating: 0, count: P256.scalarByteCount - digits.count) + digits
        let ours = try P256.PrivateKey(adopting: SecretBytes(copying: scalar.span))
        return .hex("shared", ours.sharedSecret(with: theirs).withBytes { Array(copying: $0) })
    }

    @Sendable static func hkdf(_ input: VectorInput) throws -> JSONValue {
        let (salt, info) = (try input.hex("salt"), try input.hex("info"))
        let count = try input.count("size")
        guard (1...255 * SHA256.byteCount).contains(count), info.count <= HKDF.maximumInfoByteCount else {
            throw PrimitiveRefusal()
        }
        let key = HKDF.derive(
            from: try input.secretHex("ikm"), salt: salt.span, info: info.span, count: count)
        return .hex("okm", key.withBytes { Array(copying: $0) })
    }

    /// Checks the tag; one that holds is computed again and given.
    @Sendable static func hmac(_ input: VectorInput) throws -> JSONValue {
        let (message, tag) = (try input.hex("msg"), try input.hex("tag"))
        let key = try input.secretHex("key")
        guard HMACSHA256.isValid(tag.span, of: message.span, key: key) else {
            throw PrimitiveRefusal()
        }
        return .hex("tag", HMACSHA256.tag(of: message.span, key: key))
    }
}
