internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// AES-256-GCM under a Tink keyset, without a format around it.
enum AEADOperations {
    static let all = [open, seal]

    static let open = VectorOperation(
        "aead.open", file: "aead.json", group: "keyset", takes: "ciphertext associatedData",
        gives: "plaintext",
        trace: { test, trace in trace.add("associatedData", try test.input.hex("associatedData")) }
    ) { input in
        let opened = try KeysetAEAD(try input.keyset("keyset")).open(
            try input.hex("ciphertext"), associatedData: try input.hex("associatedData"))
        return .hex("plaintext", opened.plaintext)
    }

    static let seal = VectorOperation(
        "aead.seal", takes: "keyset plaintext associatedData", gives: "ciphertext",
        drawn: LiveSealing(
            reader: open, sealed: SealedPart(member: "ciphertext", form: .hex),
            fresh: SealedPart(member: "ciphertext", form: .hex, count: AESGCM.nonceByteCount),
            freshName: "nonce", draw: draw)
    ) { input, randomness in
        let (plaintext, data) = (try input.hex("plaintext"), try input.hex("associatedData"))
        let aead = try KeysetAEAD(try input.keyset("keyset"))
        return .hex("ciphertext", aead.seal(plaintext.span, associatedData: data.span, from: randomness))
    }

    @Sendable private static func draw(_ direction: LiveDirection) throws -> LiveDraw {
        let keys = try DrawnKeyset(for: direction) { .aes256GCM }
        let data = Draw.bytes(0...64)
        return try LiveDraw(
            Draw.plaintext(), under: keys, for: direction, in: ["associatedData": .hexText(data)],
            sealingKey: ["keyset": .keyset(keys.sealer)],
            lies: [LiveDraw.Lie(member: "associatedData", value: .hexText(Draw.other(than: data)))])
    }
}
