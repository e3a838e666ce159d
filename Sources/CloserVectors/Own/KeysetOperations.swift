internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Keysets, and what Tink does with them.
enum KeysetOperations {
    @Sendable static func openAEAD(_ input: VectorInput) throws -> JSONValue {
        let opened = try KeysetAEAD(try input.keyset("keyset")).open(
            try input.hex("ciphertext"), associatedData: try input.hex("associatedData"))
        return .hex("plaintext", opened.plaintext)
    }

    @Sendable static func openECIES(_ input: VectorInput) throws -> JSONValue {
        try open(try input.hex("ciphertext"), input, context: try input.hex("context"))
    }

    @Sendable static func openKeybox(_ input: VectorInput) throws -> JSONValue {
        let token = try KeyboxToken(parsing: try input.text("keybox"))
        return try open(token.box, input, context: try input.ascii("context"))
    }

    private static func open(_ box: [UInt8], _ input: VectorInput, context: [UInt8]) throws -> JSONValue {
        let opened = try HybridBox.open(box, with: try input.keyset("keyset"), context: context)
        return .hex("plaintext", opened.plaintext.withBytes { Array(copying: $0) })
    }

    @Sendable static func openStream(_ input: VectorInput) throws -> JSONValue {
        let opened = try StreamingAEAD(try input.keyset("keyset")).open(
            try input.hex("ciphertext"), associatedData: try input.hex("associatedData"))
        return .hex("plaintext", opened.plaintext)
    }

    @Sendable static func sealAEAD(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let (plaintext, data) = (try input.hex("plaintext"), try input.hex("associatedData"))
        let aead = try KeysetAEAD(try input.keyset("keyset"))
        return .hex("ciphertext", aead.seal(plaintext.span, associatedData: data.span, from: randomness))
    }

    @Sendable static func sealECIES(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let keyset = try NoSecretKeyset.read(binary: try input.hex("publicKeyset"))
        return .hex("ciphertext", try seal(input, to: keyset, context: try input.hex("context"), randomness))
    }

    @Sendable static func sealKeybox(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let keyset = try PublicKeyToken(parsing: try input.ascii("publicKey")).keyset
        let box = try seal(input, to: keyset, context: try input.ascii("context"), randomness)
        return .text("keybox", try KeyboxToken(box).description)
    }

    private static func seal(
        _ input: VectorInput, to keyset: Keyset, context: [UInt8], _ randomness: Randomness
    ) throws -> [UInt8] {
        let plaintext = try input.hex("plaintext")
        return try HybridBox.seal(plaintext.span, to: keyset, context: context.span, from: randomness)
    }

    @Sendable static func sealStream(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let aead = try StreamingAEAD(try input.keyset("keyset"))
        var sealer = try aead.sealer(associatedData: try input.hex("associatedData"), from: randomness)
        return .hex("ciphertext", try sealer.sealAll(try input.hex("plaintext")))
    }

    @Sendable static func parse(_ input: VectorInput) throws -> JSONValue {
        let bytes = try input.secretHex("keyset")
        let reading: Reading = try input.text("reading") == "strict" ? .strict : .lenient
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

    @Sendable static func parsePublicKey(_ input: VectorInput) throws -> JSONValue {
        let keyset = try PublicKeyToken(parsing: try input.ascii("publicKey")).keyset
        guard case .eciesPublic(let key)? = keyset.primary.material else { throw KeysetError.holdsSecret }
        return [
            "keyId": .number(Double(keyset.primaryID)), "point": .string(Hex.encode(key.uncompressedPoint)),
        ]
    }
}

extension VectorInput {
    /// A binary keyset in hexadecimal, as other Tinks write it.
    func keyset(_ name: String) throws -> Keyset {
        let bytes = try secretHex(name)
        return try InsecureCleartextKeyset.read(binary: bytes)
    }

    func identifier(_ name: String) throws -> Identifier { try Identifier(parsing: try text(name)) }
}
