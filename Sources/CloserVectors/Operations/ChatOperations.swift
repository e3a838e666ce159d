internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// Diagnostics between two X25519 key pairs, as FitLink and Fond have them.
enum ChatOperations {
    static let all = [openFitLink, sealFitLink, openFond, sealFond]

    static let openFitLink = VectorOperation(
        "chat.fitlink.open", file: "chat_fitlink.json",
        takes: "privateKey peerPublicKey chatId encrypted_content iv", gives: "plaintext",
        trace: { test, trace in
            try tell(
                test.input, salt: { try test.input.utf8("chatId") }, info: { Array("FitLinkChat".utf8) },
                into: &trace)
        }
    ) { input in
        let key = try input.fitLinkKey()
        let message = try FitLinkMessage(
            encryptedContent: try input.text("encrypted_content"), iv: try input.text("iv"))
        return .hex("plaintext", try key.open(message))
    }

    static let sealFitLink = VectorOperation(
        "chat.fitlink.seal", takes: "privateKey peerPublicKey chatId plaintext",
        gives: "encrypted_content iv",
        drawn: LiveSealing(
            reader: openFitLink, sealed: SealedPart(member: "encrypted_content", form: .base64),
            fresh: SealedPart(member: "iv", form: .base64), freshName: "nonce", draw: drawFitLink)
    ) { input, randomness in
        let message = try input.fitLinkKey().seal(message: try input.hex("plaintext"), from: randomness)
        return .object(message.members)
    }

    static let openFond = VectorOperation(
        "chat.fond.open", file: "chat_fond.json", takes: "privateKey peerPublicKey salt info field",
        gives: "plaintext",
        trace: { test, trace in
            try tell(
                test.input, salt: { try test.input.hex("salt") }, info: { try test.input.utf8("info") },
                into: &trace)
        }
    ) { input in
        let key = try input.fondKey()
        let field = try FondField(parsing: try input.text("field"))
        return .hex("plaintext", try key.open(field))
    }

    static let sealFond = VectorOperation(
        "chat.fond.seal", takes: "privateKey peerPublicKey salt info plaintext", gives: "field",
        drawn: LiveSealing(
            reader: openFond, sealed: SealedPart(member: "field", form: .base64),
            fresh: SealedPart(member: "field", form: .base64, count: AESGCM.nonceByteCount),
            freshName: "nonce", draw: drawFond)
    ) { input, randomness in
        let field = try input.fondKey().seal(field: try input.hex("plaintext"), from: randomness)
        return .text("field", field.description)
    }

    /// The shared secret, which needs no salt and no info, and the key that is derived from all three.
    private static func tell(
        _ input: VectorInput, salt: () throws -> [UInt8], info: () throws -> [UInt8], into trace: inout Trace
    ) throws {
        let theirs = try X25519PublicKey(parsing: try input.text("peerPublicKey"))
        let scalar = try input.secretHex("privateKey")
        guard scalar.count == X25519.byteCount else { return }
        let secret = try X25519.PrivateKey(adopting: scalar).sharedSecret(with: theirs.key)
        trace.add("sharedSecret", secret)
        let (salt, info) = (try salt(), try info())
        guard info.count <= HKDF.maximumInfoByteCount else { return }
        trace.add(
            "derivedKey",
            HKDF.derive(from: secret, salt: salt.span, info: info.span, count: ChatKey.byteCount))
    }

    @Sendable private static func drawFitLink(_: LiveDirection) throws -> RandomCase {
        let chat = RandomValue.identifier()
        return try draw(
            ["chatId": .string(chat)],
            lies: [RandomCase.Lie(member: "chatId", value: .string(RandomValue.other(than: chat)))])
    }

    @Sendable private static func drawFond(_: LiveDirection) throws -> RandomCase {
        let salt = RandomValue.oneIn(3) ? [] : RandomValue.bytes(1...64)
        let info = RandomValue.oneIn(3) ? "Fond" : RandomValue.text(0...40)
        return try draw(
            ["salt": .hexText(salt), "info": .string(info)],
            lies: [
                RandomCase.Lie(member: "info", value: .string(RandomValue.other(than: info))),
                // HMAC pads its key with zeros: a salt that ends with one more zero is the same salt.
                RandomCase.Lie(member: "salt", value: .hexText(salt + [1])),
            ])
    }

    /// Between two people who have just met.
    private static func draw(_ context: JSONValue, lies: [RandomCase.Lie]) throws -> RandomCase {
        let (sender, reader, stranger) = (try RandomPerson(), try RandomPerson(), try RandomPerson())
        let plaintext = RandomValue.plaintext()
        let sealing = sender.members(with: reader).merging(context)
        let other = RandomCase.Lie(
            member: "peerPublicKey", value: .string(stranger.key.publicKey.description))
        return RandomCase(
            comment: "\(plaintext.count) bytes", sealing: sealing.adding("plaintext", .hexText(plaintext)),
            opening: reader.members(with: sender).merging(context), opened: .hex("plaintext", plaintext),
            lies: lies + [other])
    }
}

extension VectorInput {
    fileprivate func fitLinkKey() throws -> ChatKey {
        let (ours, theirs) = try keyPair()
        return try ChatKey(fitLink: try ChatID(parsing: try text("chatId")), ours: ours, theirs: theirs)
    }

    fileprivate func fondKey() throws -> ChatKey {
        let (ours, theirs) = try keyPair()
        return try ChatKey(fond: ours, theirs: theirs, salt: try hex("salt"), info: try utf8("info"))
    }

    func keyPair() throws -> (ours: X25519PrivateKey, theirs: X25519PublicKey) {
        let ours = try X25519PrivateKey(adopting: try secretHex("privateKey"))
        return (ours, try X25519PublicKey(parsing: try text("peerPublicKey")))
    }
}
