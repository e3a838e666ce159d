internal import CloserKeys
internal import CloserTink
internal import CloserWire

/// What can be said of a token without a key.
struct TokenFinding {
    let members: [JSONValue.Member]

    /// Enough bytes to recognise each token by its name.
    static let longestName = 64

    private static let names = ["enc:", "sealed:", "keybox:", "pub:", "sha256:"]

    static func isNamed(_ text: [UInt8]) -> Bool { names.contains { text.starts(with: $0.utf8) } }

    /// Nil if `text` has none of our names; throws if it has one and is no token.
    init?(of text: [UInt8]) throws {
        guard let name = Self.names.first(where: { text.starts(with: $0.utf8) }) else { return nil }
        switch name {
        case "enc:":
            let ciphertext = try FieldToken(parsing: text).ciphertext
            members = Self.ciphertext("field", ciphertext, overhead: 28)
        case "sealed:": members = Self.ciphertext("sealed answer", try SealedToken(parsing: text).ciphertext, overhead: 28)
        case "keybox:": members = Self.ciphertext("keybox", try KeyboxToken(parsing: text).box, overhead: 93)
        case "pub:":
            members = [.init("kind", "public key")] + (try PublicKeyToken(parsing: text).keyset.summary)
        default:
            let digest = try Commitment(parsing: text).digest
            members = [.init("kind", "commitment"), .init("sha256", .string(Hex.encode(digest.span)))]
        }
    }

    /// A prefix is a hint: a ciphertext without one may begin with the same bytes.
    private static func ciphertext(_ kind: String, _ bytes: [UInt8], overhead: Int) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("kind", .string(kind)), .init("ciphertextBytes", .number(Double(bytes.count))),
        ]
        guard bytes.count > OutputPrefix.byteCount, bytes[0] <= 1 else { return members }
        let id = bytes[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        members.append(.init("prefix", bytes[0] == 1 ? "tink" : "crunchy or legacy"))
        members.append(.init("keyId", .number(Double(id))))
        return members
    }
}
