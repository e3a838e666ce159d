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

    @Sendable static func openFitLink(_ input: VectorInput) throws -> JSONValue {
        let (ours, theirs) = try input.keyPair()
        let key = try ChatKey(
            fitLink: try ChatID(parsing: try input.text("chatId")), ours: ours, theirs: theirs)
        let message = try FitLinkMessage(
            encryptedContent: try input.text("encrypted_content"), iv: try input.text("iv"))
        return .hex("plaintext", try key.open(message))
    }

    @Sendable static func openFond(_ input: VectorInput) throws -> JSONValue {
        let (ours, theirs) = try input.keyPair()
        let key = try ChatKey(
            fond: ours, theirs: theirs, salt: try input.hex("salt"), info: try input.ascii("info"))
        let field = try FondField(parsing: try input.text("field"))
        return .hex("plaintext", try key.open(field))
    }
}

extension VectorInput {
    fileprivate func keyPair() throws -> (ours: X25519PrivateKey, theirs: X25519PublicKey) {
        let ours = try X25519PrivateKey(adopting: try secretHex("privateKey"))
        return (ours, try X25519PublicKey(parsing: try text("peerPublicKey")))
    }
}
