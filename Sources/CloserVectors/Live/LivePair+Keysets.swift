internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

// Under a keyset of symmetric keys: bare, as a field of a couple, as a stream.
extension LivePair {
    static let aead = LivePair(
        seal: "aead.seal", open: "aead.open", outputs: ["ciphertext"],
        sealed: SealedPart(member: "ciphertext", form: .hex),
        fresh: SealedPart(member: "ciphertext", form: .hex, count: AESGCM.nonceByteCount),
        freshName: "nonce"
    ) { direction in
        let keys = try DrawnKeyset(for: direction) { .aes256GCM }
        let data = Draw.bytes(0...64)
        return try LiveDraw(
            Draw.plaintext(), under: keys, for: direction, in: ["associatedData": .hexText(data)],
            sealingKey: ["keyset": .keyset(keys.sealer)],
            lies: [LiveDraw.Lie(member: "associatedData", value: .hexText(Draw.other(than: data)))])
    }

    static let field = LivePair(
        seal: "field.seal", open: "field.open", outputs: ["token"],
        sealed: SealedPart(member: "token", form: .token(.field)),
        fresh: SealedPart(member: "token", form: .token(.field), count: AESGCM.nonceByteCount),
        freshName: "nonce"
    ) { direction in
        let keys = try DrawnKeyset(for: direction) { .aes256GCM }
        let couple = try Draw.identifier().text
        return try LiveDraw(
            Draw.plaintext(), under: keys, for: direction, in: ["coupleId": .string(couple)],
            sealingKey: ["keyset": .keyset(keys.sealer)],
            lies: [LiveDraw.Lie(member: "coupleId", value: .string(Draw.other(than: couple)))])
    }

    /// A stream has no prefix. Its first byte is the header's length: another is no stream.
    static let stream = LivePair(
        seal: "stream.seal", open: "stream.open", outputs: ["ciphertext"],
        sealed: SealedPart(member: "ciphertext", form: .hex, start: 1),
        fresh: SealedPart(member: "ciphertext", form: .hex, start: 1, count: 32),
        freshName: "salt"
    ) { direction in
        let segments = Draw.pick([StreamingParameters.fourKiB, .fourKiB, .oneMiB])
        let keys = try DrawnKeyset(for: direction, prefixes: [.raw]) { .streaming(segments) }
        let data = Draw.bytes(0...64)
        return try LiveDraw(
            Draw.streamPlaintext(segmentByteCount: segments.segmentByteCount), under: keys, for: direction,
            in: ["associatedData": .hexText(data)], sealingKey: ["keyset": .keyset(keys.sealer)],
            lies: [LiveDraw.Lie(member: "associatedData", value: .hexText(Draw.other(than: data)))])
    }
}
