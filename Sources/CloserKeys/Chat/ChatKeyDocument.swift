internal import CloserPrimitives
internal import CloserWire

/// A chat key on its way to the other person, with a proof of whose it is (closer-keys-formats(7), CHATS, Chat keys).
///
/// The proof is a MAC under a key of the two long-term keys. It convinces a reader who has compared these keys with the sender.
public struct ChatKeyDocument: Equatable, Sendable {
    /// Whose key it is.
    public let sender: UserID
    /// For whom.
    public let recipient: UserID
    /// The key's birth, in seconds since 1970.
    public let index: UInt32
    /// The key.
    public let key: X25519PublicKey
    /// 32 bytes.
    let mac: [UInt8]

    /// The document of our chat key.
    ///
    /// - Throws: `.lowOrderPublicKey`.
    public init(
        of chatKey: ChatChannel.Key<X25519PublicKey>, chat: ChatID, from sender: UserID, to recipient: UserID,
        with ours: X25519PrivateKey, for theirs: X25519PublicKey
    ) throws(X25519KeyError) {
        (self.sender, self.recipient, index, key) = (sender, recipient, chatKey.index, chatKey.key)
        let message = Self.message(chat, chatKey)
        mac = HMACSHA256.tag(of: message.span, key: try Self.key(ours, theirs, from: sender, to: recipient))
    }

    /// Whether the sender, the owner of a long-term key, made this document for us, in this chat.
    ///
    /// Our own document has a valid MAC under the same secret: only its names tell it from one of the other person.
    ///
    /// - Throws: `.lowOrderPublicKey`.
    public func isProven(
        in chat: ChatID, from sender: UserID, to recipient: UserID, by theirs: X25519PublicKey,
        for ours: X25519PrivateKey
    ) throws(X25519KeyError) -> Bool {
        guard (self.sender, self.recipient) == (sender, recipient) else { return false }
        let message = Self.message(chat, ChatChannel.Key(key, index: index))
        let key = try Self.key(ours, theirs, from: sender, to: recipient)
        return HMACSHA256.isValid(mac.span, of: message.span, key: key)
    }

    private static func message(_ chat: ChatID, _ key: ChatChannel.Key<X25519PublicKey>) -> [UInt8] {
        [UInt8](lengthPrefixed: [label, chat.bytes, Array(bigEndian: key.index), key.key.bytes])
    }

    private static func key(
        _ ours: X25519PrivateKey, _ theirs: X25519PublicKey, from sender: UserID, to recipient: UserID
    ) throws(X25519KeyError) -> SecretBytes {
        try ours.agree(
            with: theirs, info: [UInt8](lengthPrefixed: [label, sender.bytes, recipient.bytes]))
    }

    private static let label = Array("closer-keys/v2/chat-key".utf8)
}

extension ChatKeyDocument {
    /// Parses the JSON document. Other members are ignored.
    ///
    /// - Throws: `.notAnObject`, `.misspelled`, or `.malformed`.
    public init(parsing document: some Collection<UInt8>) throws(ChatFormatError) {
        let members: [JSONValue.Member]
        do { members = try JSONValue.members(of: document) } catch { throw .notAnObject(error) }
        guard let sender = members["senderId"]?.string.flatMap({ try? UserID(parsing: $0) }),
            let recipient = members["recipientId"]?.string.flatMap({ try? UserID(parsing: $0) }),
            let index = members["index"]?.number.flatMap({ UInt32(exactly: $0) }), index > 0,
            let key = members["publicKey"]?.string.flatMap({ try? X25519PublicKey(parsing: $0) }),
            let mac = members["mac"]?.string.flatMap({ try? Base64.url.decode(Array($0.utf8).span) }),
            mac.count == 32
        else { throw .malformed }
        (self.sender, self.recipient, self.index, self.key, self.mac) = (sender, recipient, index, key, mac)
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let members: [JSONValue.Member] = [
            .init("senderId", .string(sender.text)), .init("recipientId", .string(recipient.text)),
            .init("index", .number(Double(index))), .init("publicKey", .string(key.description)),
            .init("mac", .string(Base64.url.encode(mac))),
        ]
        return JSONValue.object(members).bytes
    }
}
