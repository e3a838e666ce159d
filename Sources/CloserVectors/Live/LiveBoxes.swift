internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Cases of ECIES on P-256: bare, and as a keybox.
enum LiveBoxes {
    @Sendable static func openECIES() throws -> LiveCase {
        let keyset = try Draw.keyset(Draw.eciesTemplate())
        let box = try seal(to: keyset, in: Draw.bytes(0...64))
        return box.opening([
            "keyset": keyset.hex, "ciphertext": .hexText(box.bytes), "context": .hexText(box.context),
        ])
    }

    @Sendable static func sealECIES() throws -> LiveCase {
        let keyset = try Draw.keyset(Draw.eciesTemplate()), prefix = keyset.primary.prefix.byteCount
        let publicKeyset: JSONValue = .hexText(try NoSecretKeyset.binary(keyset.publicKeyset()))
        let context: JSONValue = ["context": .hexText(Draw.bytes(0...64))]
        return try sealing(
            context.adding("publicKeyset", publicKeyset), read: "ecies.open", keyset, context, "ciphertext"
        ) {
            Array(try $0.hex("ciphertext").dropFirst(prefix).prefix(P256.PointFormat.uncompressed.byteCount))
        }
    }

    @Sendable static func openKeybox() throws -> LiveCase {
        let keyset = try Draw.keyset(identity, prefixes: [.tink])
        let box = try seal(to: keyset, in: Array(Draw.text(0...100).utf8))
        return box.opening([
            "keyset": keyset.hex, "keybox": .string(try KeyboxToken(box.bytes).description),
            "context": .string(box.contextText),
        ])
    }

    @Sendable static func sealKeybox() throws -> LiveCase {
        let keyset = try Draw.keyset(identity, prefixes: [.tink])
        let publicKey: JSONValue = .string(try PublicKeyToken(primaryOf: keyset).description)
        let context: JSONValue = ["context": .string(Draw.text(0...100))]
        return try sealing(
            context.adding("publicKey", publicKey), read: "keybox.open", keyset, context, "keybox"
        ) { Array(try KeyboxToken(parsing: $0.text("keybox")).box.dropFirst(5).prefix(65)) }
    }

    private static let identity = KeyTemplate.ecies(ECIESParameters())

    private static func seal(to keyset: Keyset, in context: [UInt8]) throws -> DrawnBox {
        let publicKeyset = try keyset.publicKeyset()
        return try DrawnBox(in: context, behind: keyset.primary.prefix.byteCount) { plaintext, context in
            try HybridBox.seal(SecretBytes(copying: plaintext.span), to: publicKeyset, context: context)
        }
    }

    /// Read back with the primary alone.
    private static func sealing(
        _ input: JSONValue, read operation: String, _ keyset: Keyset, _ context: JSONValue, _ output: String,
        drawn: @escaping (VectorInput) throws -> [UInt8]
    ) throws -> LiveCase {
        let plaintext = Draw.plaintext()
        return LiveCase(
            comment: "\(plaintext.count) bytes", sealing: input.adding("plaintext", .hexText(plaintext)),
            ReadBack(
                operation: operation, input: context.adding("keyset", try keyset.primaryAlone.hex),
                outputMembers: [output], expected: .hex("plaintext", plaintext), drawn: drawn))
    }
}
