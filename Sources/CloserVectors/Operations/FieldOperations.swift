internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// A field of a couple: an `enc:v1:` token under the couple key, or an `enc:v2:` token, which is bound to its place, too.
enum FieldOperations {
    static let all = [open, seal, openPlaced, sealPlaced]

    static let open = VectorOperation(
        "field.open", file: "field.json", group: "keyset", takes: "token coupleId", gives: "plaintext",
        trace: { test, trace in try addData(of: test.input, at: nil, to: &trace) }
    ) { input in
        try opened(input, at: nil)
    }

    static let seal = VectorOperation(
        "field.seal", takes: "keyset plaintext coupleId", gives: "token",
        drawn: drawn(open, .field) { [:] }
    ) { input, randomness in
        try sealed(input, at: nil, from: randomness)
    }

    static let openPlaced = VectorOperation(
        "placedField.open", file: "field_v2.json", group: "keyset", takes: "token coupleId place",
        gives: "plaintext",
        trace: { test, trace in try addData(of: test.input, at: try test.input.place(), to: &trace) }
    ) { input in
        try opened(input, at: try input.place())
    }

    static let sealPlaced = VectorOperation(
        "placedField.seal", takes: "keyset plaintext coupleId place", gives: "token",
        drawn: drawn(openPlaced, .placedField) { ["place": RandomValue.place()] }
    ) { input, randomness in
        try sealed(input, at: try input.place(), from: randomness)
    }

    private static func opened(_ input: VectorInput, at place: FieldPlace?) throws -> JSONValue {
        let key = try CoupleKey(try input.keyset("keyset"))
        let token = try FieldToken(parsing: try input.text("token"))
        let opened = try key.open(token, couple: try input.identifier("coupleId"), place: place)
        return .hex("plaintext", opened.plaintext)
    }

    private static func sealed(
        _ input: VectorInput, at place: FieldPlace?, from randomness: Randomness
    ) throws -> JSONValue {
        let key = try CoupleKey(try input.keyset("keyset"))
        let token = try key.seal(
            field: try input.hex("plaintext"), couple: try input.identifier("coupleId"), place: place,
            from: randomness)
        return .text("token", token.description)
    }

    private static func addData(of input: VectorInput, at place: FieldPlace?, to trace: inout Trace) throws {
        let couple: CoupleID = try input.identifier("coupleId")
        trace.add("associatedData", FieldPlace.associatedData(of: couple.bytes, at: place))
    }

    private static func drawn(
        _ reader: VectorOperation, _ format: TokenFormat, at names: @escaping @Sendable () -> [String: String]
    ) -> LiveSealing {
        LiveSealing(
            reader: reader, sealed: SealedPart(member: "token", form: .token(format)),
            fresh: SealedPart(member: "token", form: .token(format), count: AESGCM.nonceByteCount),
            freshName: "nonce", draw: { try draw($0, at: names()) })
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
    func place() throws -> FieldPlace { try FieldPlace(parsing: try text("place")) }
}
