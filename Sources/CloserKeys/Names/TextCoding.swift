// Names, tokens and documents within an app's own `Codable` values. Each is one text, which is parsed strictly where it is
// decoded, so that nothing comes in that the parser would refuse.
//
// A document is its JSON as a text, too, and no nested object: a decoder would hide a name that stands there twice.

extension Decoder {
    /// What `parse` makes of the one text that is here. An error of its is the `underlyingError` of a `DecodingError`.
    func parsed<Value, Failure: Error>(
        _ noun: String, _ parse: (String) throws(Failure) -> Value
    ) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        do { return try parse(text) } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "this is not \(noun)", underlyingError: error)
            )
        }
    }
}

extension Encoder {
    /// Writes the one text.
    func write(_ text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }

    /// Writes text that is there as UTF-8.
    func write(utf8 text: [UInt8]) throws { try write(String(decoding: text, as: UTF8.self)) }
}

// MARK: - Names

extension Identifier.Of: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a name of ours") { try Self(parsing: $0) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text) }
}

// MARK: - Tokens

extension Token: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)-(String)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a token of its kind") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: text) }
}

extension PublicKeyToken: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a public key token") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: text) }
}

extension Commitment: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a commitment") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: text) }
}

extension AnswerPlace: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a place") { try Self(parsing: $0) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text) }
}

extension X25519PublicKey: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)-(String)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("an X25519 public key") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(description) }
}

// MARK: - Documents

extension CoupleDocument: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a couple's document") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: bytes) }
}

extension AnswerDocument: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("an answer's document") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: bytes) }
}

extension ReleaseKeyDocument: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a release") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: bytes) }
}

extension RekeyDocument: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a rekey") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: bytes) }
}

extension DeviceDocument: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a device's document") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: bytes) }
}

extension PairOffer: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("an offer of a pairing") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: bytes) }
}

extension PairReply: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a reply of a pairing") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: bytes) }
}

extension PairGrant: Codable {
    /// Decodes the text and parses it as strictly as ``init(parsing:)``.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed("a grant of a pairing") { try Self(parsing: $0.utf8) }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws { try encoder.write(utf8: bytes) }
}
