internal import CloserKeys
internal import CloserTink
internal import CloserWire

/// Keysets as files, and public keys as tokens.
enum KeysetOperations {
    static let all = [parse, parsePublicKey]

    static let parse = VectorOperation(
        "keyset.parse", file: "keyset.json", group: "format reading", takes: "keyset",
        gives: "primaryKeyId keys"
    ) { input in
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
