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
        try input.openedField(at: nil)
    }

    static let placedField = VectorOperation(
        "openingKeys.placedField", file: "opening_keys.json", takes: "openingKeys token place",
        gives: "coupleId epoch origin plaintext"
    ) { input in
        try input.openedField(at: try input.place())
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

extension VectorInput {
    fileprivate func openingKeys() throws -> OpeningKeys {
        let bytes = try secretHex("openingKeys")
        return try OpeningKeys(parsing: bytes)
    }

    fileprivate func openedField(at place: FieldPlace?) throws -> JSONValue {
        let keys = try openingKeys()
        let opened = try keys.open(FieldToken(parsing: try text("token")), place: place)
        return .object([
            .init("coupleId", .string(keys.couple.text)), .init("epoch", .number(Double(keys.epoch))),
            .init("origin", .string(keys.origin(ofKey: opened.keyID)?.rawValue ?? "unknown")),
            .init("plaintext", .hexText(opened.plaintext)),
        ])
    }
}
