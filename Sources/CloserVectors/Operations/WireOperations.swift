internal import CloserWire

/// Bytes and texts.
enum WireOperations {
    static let all = [canonicalize, decodeBase64]

    static let canonicalize = VectorOperation(
        "canonical", file: "canonical_json.json", takes: "text", gives: "canonical",
        drawn: {
            let value = JSONValue.object(RandomJSON.members(depth: 3))
            return LiveCase(
                comment: "any spelling", input: ["text": .hexText(LooseJSON.spelled(value).utf8)],
                expectation: .output(.hex("canonical", value.canonicalBytes)))
        }
    ) { input in
        .hex("canonical", try JSONValue(parsing: try input.hex("text")).canonicalBytes)
    }

    static let decodeBase64 = VectorOperation(
        "base64.decode", file: "base64.json", group: "variant", takes: "text", gives: "bytes"
    ) { input in
        let variant: Base64 = try input.text("variant") == "url" ? .url : .standard
        return .hex("bytes", try variant.decode(try input.text("text")))
    }
}
