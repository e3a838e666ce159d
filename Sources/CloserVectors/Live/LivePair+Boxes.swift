internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

// ECIES on P-256: bare, and as a keybox.
extension LivePair {
    /// The ephemeral point stands first. WebCrypto has uncompressed ones alone: the others are in the vectors.
    static let ecies = LivePair(
        seal: "ecies.seal", open: "ecies.open", outputs: ["ciphertext"],
        sealed: SealedPart(member: "ciphertext", form: .hex),
        fresh: SealedPart(member: "ciphertext", form: .hex, count: P256.PointFormat.uncompressed.byteCount),
        freshName: "ephemeral key"
    ) { direction in
        let keys = try DrawnKeyset(for: direction, eciesTemplate)
        let context = Draw.bytes(0...64)
        let publicKeyset = try NoSecretKeyset.binary(keys.sealer.publicKeyset())
        return try LiveDraw(
            Draw.plaintext(), under: keys, for: direction, in: ["context": .hexText(context)],
            sealingKey: ["publicKeyset": .hexText(publicKeyset)],
            lies: [LiveDraw.Lie(member: "context", value: .hexText(Draw.other(than: context)))])
    }

    /// To the public key of a person, who may have older ones.
    static let keybox = LivePair(
        seal: "keybox.seal", open: "keybox.open", outputs: ["keybox"],
        sealed: SealedPart(member: "keybox", form: .token(.keybox)),
        fresh: SealedPart(
            member: "keybox", form: .token(.keybox), count: P256.PointFormat.uncompressed.byteCount),
        freshName: "ephemeral key"
    ) { direction in
        let keys = try DrawnKeyset(for: direction, prefixes: [.tink]) { .ecies(ECIESParameters()) }
        let context = Draw.text(0...100)
        let publicKey = try PublicKeyToken(primaryOf: keys.sealer).description
        return try LiveDraw(
            Draw.plaintext(), under: keys, for: direction, in: ["context": .string(context)],
            sealingKey: ["publicKey": .string(publicKey)],
            lies: [LiveDraw.Lie(member: "context", value: .string(Draw.other(than: context)))])
    }

    /// As Tink's template has it, or under AES-256, with a salt or without.
    @Sendable private static func eciesTemplate() -> KeyTemplate {
        let salt = Draw.oneIn(2) ? [] : Draw.bytes(1...40)
        return .ecies(ECIESParameters(dem: Draw.pick([.aes128GCM, .aes256GCM]), salt: salt))
    }
}
