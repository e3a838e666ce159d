internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// X25519, and the messages of FitLink and Fond.
enum ChatOperations {
    @Sendable static func agree(_ input: VectorInput) throws -> JSONValue {
        let scalar = try input.secretHex("privateKey")
        let theirs = try X25519PublicKey(try input.hex("publicKey"))
        guard scalar.count == X25519.byteCount else { throw X25519KeyError.malformed }
        let secret = try X25519.PrivateKey(adopting: scalar).sharedSecret(with: theirs.key)
        return .hex("sharedSecret", secret.withBytes { Array(copying: $0) })
    }

    @Sendable static func sealFitLink(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let message = try input.fitLinkKey().seal(message: try input.hex("plaintext"), from: randomness)
        return .object(message.members)
    }

    @Sendable static func openFitLink(_ input: VectorInput) throws -> JSONValue {
        let key = try input.fitLinkKey()
        let message = try FitLinkMessage(
            encryptedContent: try input.text("encrypted_content"), iv: try input.text("iv"))
        return .hex("plaintext", try key.open(message))
    }

    @Sendable static func sealFond(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let field = try input.fondKey().seal(field: try input.hex("plaintext"), from: randomness)
        return .text("field", field.description)
    }

    @Sendable static func openFond(_ input: VectorInput) throws -> JSONValue {
        let key = try input.fondKey()
        let field = try FondField(parsing: try input.text("field"))
        return .hex("plaintext", try key.open(field))
    }
}

extension VectorInput {
    fileprivate func fitLinkKey() throws -> ChatKey {
        let (ours, theirs) = try keyPair()
        return try ChatKey(fitLink: try ChatID(parsing: try text("chatId")), ours: ours, theirs: theirs)
    }

    fileprivate func fondKey() throws -> ChatKey {
        let (ours, theirs) = try keyPair()
        return try ChatKey(fond: ours, theirs: theirs, salt: try hex("salt"), info: try ascii("info"))
    }

    private func keyPair() throws -> (ours: X25519PrivateKey, theirs: X25519PublicKey) {
        let ours = try X25519PrivateKey(adopting: try secretHex("privateKey"))
        return (ours, try X25519PublicKey(parsing: try text("peerPublicKey")))
    }
}
