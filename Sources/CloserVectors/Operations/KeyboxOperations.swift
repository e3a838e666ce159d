internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// ECIES on P-256 to a public key: bare, and as a `keybox:v1:` token.
enum KeyboxOperations {
    static let all = [openECIES, sealECIES, open, seal]

    static let openECIES = VectorOperation(
        "ecies.open", file: "ecies.json", group: "keyset", takes: "ciphertext context", gives: "plaintext",
        trace: { test, trace in
            let (box, context) = (try test.input.hex("ciphertext"), try test.input.hex("context"))
            try tell(of: box, test.input, context: context, into: &trace)
        }
    ) { input in
        try open(try input.hex("ciphertext"), input, context: try input.hex("context"))
    }

    /// The ephemeral point comes first. It is uncompressed, as WebCrypto wants it; compressed ones are in the vectors.
    static let sealECIES = VectorOperation(
        "ecies.seal", takes: "publicKeyset plaintext context", gives: "ciphertext",
        drawn: LiveSealing(
            reader: openECIES, sealed: SealedPart(member: "ciphertext", form: .hex),
            fresh: SealedPart(
                member: "ciphertext", form: .hex, count: P256.PointFormat.uncompressed.byteCount),
            freshName: "ephemeral key", draw: drawECIES)
    ) { input, randomness in
        let keyset = try NoSecretKeyset.read(binary: try input.hex("publicKeyset"))
        return .hex("ciphertext", try seal(input, to: keyset, context: try input.hex("context"), randomness))
    }

    static let open = VectorOperation(
        "keybox.open", file: "keybox.json", group: "keyset", takes: "keybox context", gives: "plaintext",
        trace: { test, trace in
            let box = try KeyboxToken(parsing: try test.input.text("keybox")).box
            try tell(of: box, test.input, context: try test.input.utf8("context"), into: &trace)
        }
    ) { input in
        let token = try KeyboxToken(parsing: try input.text("keybox"))
        return try open(token.box, input, context: try input.utf8("context"))
    }

    static let seal = VectorOperation(
        "keybox.seal", takes: "publicKey plaintext context", gives: "keybox",
        drawn: LiveSealing(
            reader: open, sealed: SealedPart(member: "keybox", form: .token(.keybox)),
            fresh: SealedPart(
                member: "keybox", form: .token(.keybox), count: P256.PointFormat.uncompressed.byteCount),
            freshName: "ephemeral key", draw: draw)
    ) { input, randomness in
        let keyset = try PublicKeyToken(parsing: try input.utf8("publicKey")).keyset
        let box = try seal(input, to: keyset, context: try input.utf8("context"), randomness)
        return .text("keybox", try KeyboxToken(box).description)
    }

    private static func open(_ box: [UInt8], _ input: VectorInput, context: [UInt8]) throws -> JSONValue {
        let opened = try HybridBox.open(box, with: try input.keyset("keyset"), context: context)
        return .hex("plaintext", opened.plaintext.withBytes { Array(copying: $0) })
    }

    private static func seal(
        _ input: VectorInput, to keyset: Keyset, context: [UInt8], _ randomness: Randomness
    ) throws -> [UInt8] {
        let plaintext = try input.hex("plaintext")
        return try HybridBox.seal(plaintext.span, to: keyset, context: context.span, from: randomness)
    }

    /// The shared secret, and the key that is derived from it.
    private static func tell(
        of box: [UInt8], _ input: VectorInput, context: [UInt8], into trace: inout Trace
    ) throws {
        guard let (entry, key) = try reader(of: box, in: try input.keyset("keyset")) else { return }
        let parameters = key.publicKey.parameters
        let format: P256.PointFormat =
            parameters.pointFormat == .compressed ? .compressed : .uncompressed
        let kem = Array(box.dropFirst(entry.prefix.byteCount).prefix(format.byteCount))
        let secret = key.sharedSecret(with: ECIESPublicKey(try P256.PublicKey(kem.span, format: format)))
        trace.add("sharedSecret", secret)
        guard context.count <= HKDF.maximumInfoByteCount else { return }
        let material = SecretBytes(capacity: kem.count + secret.count) { output in
            output.append(kem)
            secret.withBytes { output.append($0) }
        }
        trace.add(
            "derivedKey",
            HKDF.derive(
                from: material, salt: parameters.salt.span, info: context.span,
                count: parameters.dem == .aes256GCM ? 32 : 16))
    }

    /// The key that the box names, or else one without a prefix.
    private static func reader(
        of box: [UInt8], in keyset: Keyset
    ) throws -> (entry: KeyEntry, key: ECIESPrivateKey)? {
        var bytes = ByteReader(range: min(1, box.count)..<box.count)
        let id = try bytes.uint32(in: box.span)
        let enabled = keyset.entries.filter { $0.status == .enabled }
        let named = enabled.first { $0.prefix != .raw && $0.id == id }
        guard let entry = named ?? enabled.first(where: { $0.prefix == .raw }),
            case .eciesPrivate(let key)? = entry.material
        else { return nil }
        return (entry, key)
    }

    @Sendable private static func drawECIES(_ direction: LiveDirection) throws -> RandomCase {
        let keys = try RandomKeyset(for: direction, eciesTemplate)
        let context = RandomValue.bytes(0...64)
        let publicKeyset = try NoSecretKeyset.binary(keys.sealer.publicKeyset())
        return try RandomCase(
            RandomValue.plaintext(), under: keys, for: direction, in: ["context": .hexText(context)],
            sealingKey: ["publicKeyset": .hexText(publicKeyset)],
            lies: [RandomCase.Lie(member: "context", value: .hexText(RandomValue.other(than: context)))])
    }

    /// The DEM of Tink's template, or under AES-256; with a salt or without.
    private static func eciesTemplate() -> KeyTemplate {
        let salt = RandomValue.oneIn(2) ? [] : RandomValue.bytes(1...40)
        return .ecies(ECIESParameters(dem: RandomValue.pick([.aes128GCM, .aes256GCM]), salt: salt))
    }

    /// To the public key of a person, who may have older keys.
    @Sendable private static func draw(_ direction: LiveDirection) throws -> RandomCase {
        let keys = try RandomKeyset(for: direction, prefixes: [.tink]) { .ecies(ECIESParameters()) }
        let context = RandomValue.text(0...100)
        let publicKey = try PublicKeyToken(primaryOf: keys.sealer).description
        return try RandomCase(
            RandomValue.plaintext(), under: keys, for: direction, in: ["context": .string(context)],
            sealingKey: ["publicKey": .string(publicKey)],
            lies: [RandomCase.Lie(member: "context", value: .string(RandomValue.other(than: context)))])
    }
}
