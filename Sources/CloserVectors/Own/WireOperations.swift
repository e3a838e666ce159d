internal import CloserWire

/// Bytes and texts, without cryptography.
enum WireOperations {
    @Sendable static func decodeBase64(_ input: VectorInput) throws -> JSONValue {
        let variant: Base64 = try input.text("variant") == "url" ? .url : .standard
        return .hex("bytes", try variant.decode(try input.text("text")))
    }

    @Sendable static func canonicalize(_ input: VectorInput) throws -> JSONValue {
        .hex("canonical", try JSONValue(parsing: try input.hex("text")).canonicalBytes)
    }
}
