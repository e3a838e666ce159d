internal import CloserKeys
internal import CloserTink
internal import CloserWire

/// A sealed file: Tink's streaming AEAD, under a key of its own or under a subkey of a couple's key.
enum FileOperations {
    static let all = [open, seal, openOfCouple]

    static let openOfCouple = VectorOperation(
        "file.open", file: "file.json", group: "keyset", takes: "ciphertext associatedData coupleId",
        gives: "plaintext"
    ) { input in
        let key = FieldKey(
            try CoupleKey(try input.keyset("keyset")), of: try input.identifier("coupleId"), origins: nil)
        let opened = try key.files.open(
            try input.hex("ciphertext"), associatedData: try input.hex("associatedData"))
        return .hex("plaintext", opened.plaintext)
    }

    static let open = VectorOperation(
        "stream.open", file: "stream.json", group: "keyset", takes: "ciphertext associatedData",
        gives: "plaintext"
    ) { input in
        let opened = try StreamingAEAD(try input.keyset("keyset")).open(
            try input.hex("ciphertext"), associatedData: try input.hex("associatedData"))
        return .hex("plaintext", opened.plaintext)
    }

    /// A stream has no prefix. Its first byte is the header's length, and with another one it is no stream: bits are
    /// flipped behind it.
    static let seal = VectorOperation(
        "stream.seal", takes: "keyset plaintext associatedData", gives: "ciphertext",
        drawn: LiveSealing(
            reader: open, sealed: SealedPart(member: "ciphertext", form: .hex, start: 1),
            fresh: SealedPart(member: "ciphertext", form: .hex, start: 1, count: 32),
            freshName: "salt", draw: draw)
    ) { input, randomness in
        let aead = try StreamingAEAD(try input.keyset("keyset"))
        var sealer = try aead.sealer(associatedData: try input.hex("associatedData"), from: randomness)
        return .hex("ciphertext", try sealer.sealAll(try input.hex("plaintext")))
    }

    @Sendable private static func draw(_ direction: LiveDirection) throws -> RandomCase {
        let segments = RandomValue.pick([StreamingParameters.fourKiB, .fourKiB, .oneMiB])
        let keys = try RandomKeyset(for: direction, prefixes: [.raw]) { .streaming(segments) }
        let data = RandomValue.bytes(0...64)
        return try RandomCase(
            RandomValue.streamPlaintext(segmentByteCount: segments.segmentByteCount), under: keys,
            for: direction,
            in: ["associatedData": .hexText(data)], sealingKey: ["keyset": .keyset(keys.sealer)],
            lies: [RandomCase.Lie(member: "associatedData", value: .hexText(RandomValue.other(than: data)))])
    }
}
