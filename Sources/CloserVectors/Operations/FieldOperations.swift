internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// A field of a couple: an `enc:v1:` token under the couple key, or an `enc:v2:` token, which is bound to its place, too.
enum FieldOperations {
    static let all = [open, seal, openPlaced, sealPlaced]

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

    static let openPlaced = VectorOperation(
        "placedField.open", file: "field_v2.json", group: "keyset", takes: "token coupleId place",
        gives: "plaintext",
        trace: { test, trace in
            let binding = FieldBinding.place(try test.input.place())
            trace.add(
                "associatedData",
                binding.associatedData(of: try test.input.identifier("coupleId") as CoupleID))
        }
    ) { input in
        let key = try CoupleKey(try input.keyset("keyset"))
        let token = try PlacedFieldToken(parsing: try input.text("token"))
        let opened = try key.open(
            token, couple: try input.identifier("coupleId"), place: try input.place())
        return .hex("plaintext", opened.plaintext)
    }

    static let sealPlaced = VectorOperation(
        "placedField.seal", takes: "keyset plaintext coupleId place", gives: "token",
        drawn: LiveSealing(
            reader: openPlaced, sealed: SealedPart(member: "token", form: .token(.placedField)),
            fresh: SealedPart(member: "token", form: .token(.placedField), count: AESGCM.nonceByteCount),
            freshName: "nonce", draw: drawPlaced)
    ) { input, randomness in
        let key = try CoupleKey(try input.keyset("keyset"))
        let plaintext = try input.hex("plaintext")
        let token = try key.seal(
            field: plaintext.span, couple: try input.identifier("coupleId"), place: try input.place(),
            from: randomness)
        return .text("token", token.description)
    }

    @Sendable private static func draw(_ direction: LiveDirection) throws -> RandomCase {
        try draw(direction, at: [:])
    }

    @Sendable private static func drawPlaced(_ direction: LiveDirection) throws -> RandomCase {
        try draw(direction, at: ["place": RandomValue.place()])
    }

    /// In a couple and, where `names` says more, at what else the field is bound to.
    private static func draw(_ direction: LiveDirection, at names: [String: String]) throws -> RandomCase {
        let keys = try RandomKeyset(for: direction) { .aes256GCM }
        let bound = names.merging(["coupleId": RandomValue.identifier()]) { $1 }
        return try RandomCase(
            RandomValue.plaintext(), under: keys, for: direction,
            in: .object(bound.map { JSONValue.Member($0, .string($1)) }),
            sealingKey: ["keyset": .keyset(keys.sealer)],
            lies: bound.map { RandomCase.Lie(member: $0, value: .string(RandomValue.other(than: $1))) })
    }
}

extension VectorInput {
    /// Where the field is.
    func place() throws -> FieldPlace { try FieldPlace(parsing: try text("place")) }
}
