internal import CloserKeys
internal import CloserTink
internal import CloserWire

/// What an app stores for its extension (closer-keys-formats(7), OPENING KEYS), and what it opens.
enum OpeningKeysOperations {
    static let all = [field, placedField, fitLink, fond]

    static let field = VectorOperation(
        "openingKeys.field", file: "opening_keys.json", takes: "openingKeys token",
        gives: "coupleId epoch origin plaintext"
    ) { input in
        let keys = try input.openingKeys()
        return keys.told(of: try keys.open(FieldToken(parsing: try input.text("token"))))
    }

    static let placedField = VectorOperation(
        "openingKeys.placedField", file: "opening_keys.json", takes: "openingKeys token place",
        gives: "coupleId epoch origin plaintext"
    ) { input in
        let keys = try input.openingKeys()
        let token = try PlacedFieldToken(parsing: try input.text("token"))
        return keys.told(of: try keys.open(token, place: try input.place()))
    }

    static let fitLink = VectorOperation(
        "openingKeys.fitlink", file: "opening_keys.json", takes: "openingKeys encrypted_content iv",
        gives: "plaintext"
    ) { input in
        let message = try FitLinkMessage(
            encryptedContent: try input.text("encrypted_content"), iv: try input.text("iv"))
        return .hex("plaintext", try input.openingKeys().open(message))
    }

    static let fond = VectorOperation(
        "openingKeys.fond", file: "opening_keys.json", takes: "openingKeys field", gives: "plaintext"
    ) { input in
        let field = try FondField(parsing: try input.text("field"))
        return .hex("plaintext", try input.openingKeys().open(field))
    }
}

extension OpeningKeys {
    /// The output for a field that they opened.
    fileprivate func told(of opened: Opened) -> JSONValue {
        .object([
            .init("coupleId", .string(couple.text)), .init("epoch", .number(Double(epoch))),
            .init("origin", .string(origin(ofKey: opened.keyID)?.rawValue ?? "unknown")),
            .init("plaintext", .hexText(opened.plaintext)),
        ])
    }
}

extension VectorInput {
    fileprivate func openingKeys() throws -> OpeningKeys {
        let bytes = try secretHex("openingKeys")
        return try OpeningKeys(parsing: bytes)
    }
}
