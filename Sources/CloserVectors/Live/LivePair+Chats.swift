internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

// Messages between two X25519 key pairs, as FitLink and Fond have them.
extension LivePair {
    static let fitLink = LivePair(
        seal: "chat.fitlink.seal", open: "chat.fitlink.open", outputs: ["encrypted_content", "iv"],
        sealed: SealedPart(member: "encrypted_content", form: .base64),
        fresh: SealedPart(member: "iv", form: .base64),
        freshName: "nonce"
    ) { _ in
        let chat = try Draw.identifier().text
        return try LiveDraw(
            chatIn: ["chatId": .string(chat)],
            lies: [LiveDraw.Lie(member: "chatId", value: .string(Draw.other(than: chat)))])
    }

    static let fond = LivePair(
        seal: "chat.fond.seal", open: "chat.fond.open", outputs: ["field"],
        sealed: SealedPart(member: "field", form: .base64),
        fresh: SealedPart(member: "field", form: .base64, count: AESGCM.nonceByteCount),
        freshName: "nonce"
    ) { _ in
        let (salt, info) = (
            Draw.oneIn(3) ? [] : Draw.bytes(1...64), Draw.oneIn(3) ? "Fond" : Draw.text(0...40)
        )
        return try LiveDraw(
            chatIn: ["salt": .hexText(salt), "info": .string(info)],
            lies: [
                LiveDraw.Lie(member: "info", value: .string(Draw.other(than: info))),
                // HMAC pads its key with zeros: a salt that ends with one more is the same.
                LiveDraw.Lie(member: "salt", value: .hexText(salt + [1])),
            ])
    }
}

extension LiveDraw {
    /// Between two people who have just met.
    fileprivate init(chatIn context: JSONValue, lies: [Lie]) throws {
        let (sender, reader, stranger) = (try LivePerson(), try LivePerson(), try LivePerson())
        let plaintext = Draw.plaintext()
        let sealing = sender.members(with: reader).merging(context)
        let other = Lie(member: "peerPublicKey", value: .string(stranger.key.publicKey.description))
        self.init(
            comment: "\(plaintext.count) bytes", sealing: sealing.adding("plaintext", .hexText(plaintext)),
            opening: reader.members(with: sender).merging(context), opened: .hex("plaintext", plaintext),
            lies: lies + [other])
    }
}
