internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Keysets as files, AES-256-GCM under them without a format of ours, and public keys as tokens.
enum KeysetOperations {
    static let all = [openAEAD, sealAEAD, parse, parsePublicKey]

    static let openAEAD = VectorOperation(
        "aead.open", file: "aead.json", group: "keyset", takes: "ciphertext associatedData",
        gives: "plaintext",
        trace: { test, trace in trace.add("associatedData", try test.input.hex("associatedData")) }
    ) { input in
        let opened = try KeysetAEAD(try input.keyset("keyset")).open(
            try input.hex("ciphertext"), associatedData: try input.hex("associatedData"))
        return .hex("plaintext", opened.plaintext)
    }

    static let sealAEAD = VectorOperation(
        "aead.seal", takes: "keyset plaintext associatedData", gives: "ciphertext",
        drawn: LiveSealing(
            reader: openAEAD, sealed: SealedPart(member: "ciphertext", form: .hex),
            fresh: SealedPart(member: "ciphertext", form: .hex, count: AESGCM.nonceByteCount),
            freshName: "nonce", draw: draw)
    ) { input, randomness in
        let (plaintext, data) = (try input.hex("plaintext"), try input.hex("associatedData"))
        let aead = try KeysetAEAD(try input.keyset("keyset"))
        return .hex("ciphertext", aead.seal(plaintext.span, associatedData: data.span, from: randomness))
    }

    @Sendable private static func draw(_ direction: LiveDirection) throws -> RandomCase {
        let keys = try RandomKeyset(for: direction) { .aes256GCM }
        let data = RandomValue.bytes(0...64)
        return try RandomCase(
            RandomValue.plaintext(), under: keys, for: direction, in: ["associatedData": .hexText(data)],
            sealingKey: ["keyset": .keyset(keys.sealer)],
            lies: [RandomCase.Lie(member: "associatedData", value: .hexText(RandomValue.other(than: data)))])
    }

    static let parse = VectorOperation(
        "keyset.parse", file: "keyset.json", group: "format reading", takes: "keyset",
        gives: "primaryKeyId keys"
    ) { input in
        let bytes = try input.secretHex("keyset")
        let reading: Keyset.Reading = try input.text("reading") == "strict" ? .strict : .lenient
        let keyset =
            try input.text("format") == "json"
            ? try InsecureCleartextKeyset.read(json: bytes)
            : try InsecureCleartextKeyset.read(binary: bytes, reading)
        return [
            "primaryKeyId": .number(Double(keyset.primaryID)),
            "keys": .array(keyset.entries.map { describe($0, in: keyset) }),
        ]
    }

    private static func describe(_ entry: KeyEntry, in keyset: Keyset) -> JSONValue {
        [
            "keyId": .number(Double(entry.id)), "type": .string(entry.typeName),
            "status": .string("\(entry.status)"), "prefix": .string("\(entry.prefix)"),
            "primary": .bool(entry.id == keyset.primaryID && entry.status == .enabled),
        ]
    }

    static let parsePublicKey = VectorOperation(
        "publicKey.parse", file: "public_key.json", takes: "publicKey", gives: "keyId point"
    ) { input in
        let keyset = try PublicKeyToken(parsing: try input.utf8("publicKey")).keyset
        guard case .eciesPublic(let key)? = keyset.primary.material else { throw KeysetError.holdsSecret }
        return [
            "keyId": .number(Double(keyset.primaryID)), "point": .string(Hex.encode(key.uncompressedPoint)),
        ]
    }
}
