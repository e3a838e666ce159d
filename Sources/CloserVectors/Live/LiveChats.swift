internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// Cases between two X25519 key pairs: the messages of FitLink and Fond, and bare agreement.
enum LiveChats {
    @Sendable static func openFitLink() throws -> LiveCase {
        let (sender, reader) = (try Person(), try Person())
        let box = try DrawnBox(in: Draw.identifier().bytes, behind: 0) { plaintext, context in
            let chat = try ChatID(parsing: String(decoding: context, as: UTF8.self))
            let message = try ChatKey(fitLink: chat, ours: sender.key, theirs: reader.key.publicKey).seal(
                message: plaintext)
            return message.iv + message.encryptedContent
        }
        let (iv, content) = (
            box.bytes.prefix(AESGCM.nonceByteCount), box.bytes.dropFirst(AESGCM.nonceByteCount)
        )
        return box.opening(
            reader.members(with: sender).adding("chatId", .string(box.contextText))
                .adding("encrypted_content", .base64(content)).adding("iv", .base64(iv)))
    }

    @Sendable static func sealFitLink() throws -> LiveCase {
        let (sender, reader) = (try Person(), try Person())
        let context: JSONValue = ["chatId": .string(try Draw.identifier().text)]
        return sealing(
            sender, reader, context, read: "chat.fitlink.open", ["encrypted_content", "iv"]
        ) { try $0.ascii("iv") }
    }

    @Sendable static func openFond() throws -> LiveCase {
        let (sender, reader) = (try Person(), try Person())
        let salt = Draw.bytes(0...64)
        let box = try DrawnBox(in: Array(Draw.text(0...40).utf8), behind: 0) { plaintext, context in
            try ChatKey(fond: sender.key, theirs: reader.key.publicKey, salt: salt, info: context)
                .seal(field: plaintext).combined
        }
        return box.opening(
            reader.members(with: sender).adding("salt", .hexText(salt))
                .adding("info", .string(box.contextText)).adding("field", .base64(box.bytes)))
    }

    @Sendable static func sealFond() throws -> LiveCase {
        let (sender, reader) = (try Person(), try Person())
        let context: JSONValue = ["salt": .hexText(Draw.bytes(0...64)), "info": .string(Draw.text(0...40))]
        return sealing(sender, reader, context, read: "chat.fond.open", ["field"]) {
            Array(try FondField(parsing: $0.text("field")).combined.prefix(AESGCM.nonceByteCount))
        }
    }

    @Sendable static func agree() throws -> LiveCase {
        let (ours, theirs) = (try Person(), try Person())
        let input: JSONValue = [
            "privateKey": .hexText(theirs.scalar), "publicKey": .hexText(ours.key.publicKey.bytes),
        ]
        let secret = try X25519.PrivateKey(adopting: SecretBytes(copying: ours.scalar.span))
            .sharedSecret(with: theirs.key.publicKey.key)
        let expected = secret.withBytes { Array(copying: $0) }
        return LiveCase(comment: "", input: input, expectation: .output(.hex("sharedSecret", expected)))
    }

    private static func sealing(
        _ sender: Person, _ reader: Person, _ context: JSONValue, read operation: String, _ output: [String],
        drawn: @escaping (VectorInput) throws -> [UInt8]
    ) -> LiveCase {
        let plaintext = Draw.plaintext()
        let input = sender.members(with: reader).merging(context).adding("plaintext", .hexText(plaintext))
        return LiveCase(
            comment: "\(plaintext.count) bytes", sealing: input,
            ReadBack(
                operation: operation, input: reader.members(with: sender).merging(context),
                outputMembers: output, expected: .hex("plaintext", plaintext), drawn: drawn))
    }

    /// A key pair, with its secret half as a case has it.
    private struct Person {
        let scalar: [UInt8]
        let key: X25519PrivateKey

        init() throws {
            let bytes = Draw.bytes(32...32)
            (scalar, key) = (bytes, try X25519PrivateKey(adopting: SecretBytes(copying: bytes.span)))
        }

        func members(with peer: Person) -> JSONValue {
            ["privateKey": .hexText(scalar), "peerPublicKey": .base64(peer.key.publicKey.bytes)]
        }
    }
}

extension JSONValue {
    fileprivate static func base64(_ bytes: some Sequence<UInt8>) -> JSONValue {
        .string(Base64.standard.encode(Array(bytes)))
    }

    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        .object((members ?? []) + (other.members ?? []))
    }
}
