internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// A field of a couple: an `enc:v1:` token under the couple key.
enum FieldOperations {
    static let all = [open, seal]

    static let open = VectorOperation(
        "field.open", file: "field.json", group: "keyset", takes: "token coupleId", gives: "plaintext",
        trace: { test, trace in
            let couple: CoupleID = try test.input.identifier("coupleId")
            trace.add("associatedData", couple.bytes)
        }
    ) { input in
        let key = try CoupleKey(try input.keyset("keyset"))
        let token = try FieldToken(parsing: try input.text("token"))
        let opened = try key.open(token, couple: try input.identifier("coupleId"))
        return .hex("plaintext", opened.plaintext)
    }

    static let seal = VectorOperation(
        "field.seal", takes: "keyset plaintext coupleId", gives: "token",
        drawn: LiveSealing(
            reader: open, sealed: SealedPart(member: "token", form: .token(.field)),
            fresh: SealedPart(member: "token", form: .token(.field), count: AESGCM.nonceByteCount),
            freshName: "nonce", draw: draw)
    ) { input, randomness in
        let key = try CoupleKey(try input.keyset("keyset"))
        let plaintext = try input.hex("plaintext")
        let token = try key.seal(
            field: plaintext.span, couple: try input.identifier("coupleId"), from: randomness)
        return .text("token", token.description)
    }

    @Sendable private static func draw(_ direction: LiveDirection) throws -> RandomCase {
        let keys = try RandomKeyset(for: direction) { .aes256GCM }
        let couple = RandomValue.identifier()
        return try RandomCase(
            RandomValue.plaintext(), under: keys, for: direction, in: ["coupleId": .string(couple)],
            sealingKey: ["keyset": .keyset(keys.sealer)],
            lies: [RandomCase.Lie(member: "coupleId", value: .string(RandomValue.other(than: couple)))])
    }
}
