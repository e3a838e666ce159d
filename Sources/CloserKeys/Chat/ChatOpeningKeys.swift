public import CloserPrimitives
internal import CloserWire

/// What an extension without a vault needs to look at the messages of one person: a notification, a widget
/// (closer-keys-formats(7), CHATS, Opening keys of a chat).
///
/// It only opens, and counts nothing.
///
/// - Important: Its bytes are secret keys. A thief reads what was sealed to them, and with a chat key of the other side writes as they would.
public struct ChatOpeningKeys: ~Copyable, Sendable {
    /// The chat.
    public let chat: ChatID
    /// Whose messages they open.
    public let sender: UserID
    /// Whose keys they are.
    public let recipient: UserID
    /// Of the two long-term keys: `Z`, 32 bytes.
    private let shared: SecretBytes
    private let keys: ChatKeyring

    /// The keys of one side of a chat.
    package init(
        _ chat: ChatID, from sender: UserID, to recipient: UserID, _ shared: consuming SecretBytes,
        _ keys: ChatKeyring
    ) {
        (self.chat, self.sender, self.recipient) = (chat, sender, recipient)
        self.shared = shared
        self.keys = keys
    }

    /// Opens a message, or the preview of one. Ask ``ChatMessage/isExpired(at:)`` before you show it.
    ///
    /// - Throws: `.authenticationFailed`, also without the chat key that it was sealed to: let the person open the app.
    public func open(_ token: ChatToken, id: MessageID) throws(ChatChannel.OpenError) -> ChatMessage {
        let channel: ChatChannel
        do {
            channel = try ChatChannel(
                chat: chat, from: sender, to: recipient, as: .recipient, knowing: shared,
                try keys.key(for: token), ChatChannel.Key(token.senderKey, index: token.senderIndex))
        } catch { throw .authenticationFailed }
        return try channel.open(token, id: id)
    }
}

// MARK: - As bytes

extension ChatOpeningKeys {
    private static let name = Array("closer-keys/chat-opening/1".utf8)

    /// For one item of the Keychain, in the access group that the app shares with its extension.
    ///
    /// `LP(name, chat, sender, recipient, Z, (u32be(index) ‖ private key)*)`.
    public var bytes: SecretBytes {
        let parts = [Self.name, chat.bytes, sender.bytes, recipient.bytes]
        let keys = keys.copy()
        return SecretBytes(capacity: parts.joined().count + 6 * 4 + shared.count + keys.count) { output in
            for part in parts { output.append(item: part.span) }
            shared.withBytes { output.append(item: $0) }
            keys.withBytes { output.append(item: $0) }
        }
    }

    /// Reads ``bytes``.
    ///
    /// - Throws: ``OpeningKeys/FormatError``.
    public init(parsing secret: borrowing SecretBytes) throws(OpeningKeys.FormatError) {
        self = try secret.withBytes { (bytes) throws(OpeningKeys.FormatError) in
            do { return try ChatOpeningKeys(bytes) } catch { throw .malformed }
        }
    }

    private init(_ bytes: Span<UInt8>) throws {
        var reader = ByteReader(count: bytes.count)
        guard try reader.bytes(in: bytes) == Self.name else { throw OpeningKeys.FormatError.malformed }
        let chat = try ChatID(parsing: try reader.bytes(in: bytes))
        let sender = try UserID(parsing: try reader.bytes(in: bytes))
        let recipient = try UserID(parsing: try reader.bytes(in: bytes))
        let shared = try reader.secret(in: bytes)
        let keys = try reader.secret(in: bytes)
        try reader.finish()
        guard shared.count == X25519.byteCount, let keys = ChatKeyring(parsing: keys) else {
            throw OpeningKeys.FormatError.malformed
        }
        self.init(chat, from: sender, to: recipient, shared, keys)
    }
}
