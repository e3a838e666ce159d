public import CloserPrimitives
package import CloserWire

/// One direction of a chat between two people, under one chat key of each: it seals messages, and opens them (closer-keys-formats(7), CHATS,
/// Bound messages).
///
/// Its key is HKDF-SHA256 of two X25519 agreements, that of the people's long-term keys and that of their chat keys, and names both people and
/// both chat keys. So nothing is sealed to a long-term key alone, and a message that is sent back to its author stays closed. The key
/// schedule is kept: make one for each direction and pair of chat keys.
///
/// - Important: It has no state. Which numbers were seen, and which keys count, a vault knows.
public final class ChatChannel: Sendable {
    /// A chat key with its index: its birth, in seconds since 1970, and at least 1.
    public struct Key<Value: Sendable>: Sendable {
        /// The key's birth.
        public let index: UInt32
        /// The key.
        public let key: Value

        /// A chat key. An index of 0 is a mistake of the caller.
        public init(_ key: Value, index: UInt32) {
            precondition(index > 0, "a chat key has an index of 1 or more")
            (self.key, self.index) = (key, index)
        }
    }

    /// Who we are in a direction.
    public enum Role: Sendable {
        /// We write.
        case sender
        /// We read.
        case recipient
    }

    /// The two people's public chat keys.
    struct PublicKeys: Sendable {
        let sender: Key<X25519PublicKey>
        let recipient: Key<X25519PublicKey>
    }

    private let cipher: AESGCM
    private let keys: PublicKeys
    /// What every message authenticates: the chat, its sender and recipient.
    private let place: [UInt8]

    /// The channel from a user to another.
    ///
    /// - Parameters:
    ///   - chat: the chat's name: ``Identifier/Of/init(_:_:)`` of the two users.
    ///   - sender: who writes.
    ///   - recipient: who reads.
    ///   - role: which of the two we are.
    ///   - ours: our long-term key.
    ///   - chatKey: our chat key.
    ///   - theirs: their long-term key.
    ///   - theirChatKey: their chat key.
    /// - Throws: `.lowOrderPublicKey`.
    public convenience init(
        chat: ChatID, from sender: UserID, to recipient: UserID, as role: Role, ours: X25519PrivateKey,
        _ chatKey: Key<X25519PrivateKey>, theirs: X25519PublicKey, _ theirChatKey: Key<X25519PublicKey>
    ) throws(X25519KeyError) {
        try self.init(
            chat: chat, from: sender, to: recipient, as: role, knowing: try ours.agree(with: theirs), chatKey,
            theirChatKey)
    }

    /// The channel of two people whose long-term keys agree on `shared`, 32 bytes: `Z`.
    package init(
        chat: ChatID, from sender: UserID, to recipient: UserID, as role: Role,
        knowing shared: borrowing SecretBytes, _ chatKey: Key<X25519PrivateKey>,
        _ theirChatKey: Key<X25519PublicKey>
    ) throws(X25519KeyError) {
        let our = Key(chatKey.key.publicKey, index: chatKey.index)
        let keys =
            switch role {
            case .sender: PublicKeys(sender: our, recipient: theirChatKey)
            case .recipient: PublicKeys(sender: theirChatKey, recipient: our)
            }
        let info = [UInt8](lengthPrefixed: [
            Self.label, sender.bytes, recipient.bytes, Array(bigEndian: keys.sender.index),
            Array(bigEndian: keys.recipient.index), keys.sender.key.bytes, keys.recipient.key.bytes,
        ])
        let ofChatKeys = try chatKey.key.agree(with: theirChatKey.key)
        let secrets = SecretBytes(shortLived: 2 * X25519.byteCount) { output in
            shared.withBytes { output.append($0) }
            ofChatKeys.withBytes { output.append($0) }
        }
        let salt = chat.bytes
        let key = HKDF.derive(from: secrets, salt: salt.span, info: info.span, count: 32)
        (self.keys, cipher) = (keys, AESGCM(key: key))
        place = [UInt8](lengthPrefixed: [Self.label, salt, sender.bytes, recipient.bytes])
    }

    /// Seals a message under an id that the app drew.
    ///
    /// - Throws: `.tooLarge` for JSON of more than 64 KiB.
    public func seal(
        _ message: ChatMessage, id: MessageID, from randomness: Randomness = .system
    ) throws(ChatMessage.FormatError) -> ChatToken {
        let (data, padded) = (data(id), try message.padded())
        let box = cipher.sealCombined(padded.span, authenticating: data.span, nonceFrom: randomness)
        return ChatToken(keys, box)
    }

    /// Opens a message that was found under an id.
    ///
    /// - Throws: `.authenticationFailed` for another chat, direction, id or key, and `.format` for a message that its sender wrote wrong.
    public func open(_ token: ChatToken, id: MessageID) throws(ChatChannel.OpenError) -> ChatMessage {
        let isOfKeys =
            token.senderIndex == keys.sender.index && token.recipientIndex == keys.recipient.index
            && token.senderKey == keys.sender.key
        guard isOfKeys else { throw .authenticationFailed }
        let (data, box) = (data(id), token.box)
        let padded: [UInt8]
        do {
            padded = try [UInt8](capacity: box.count) { (output) throws(AESGCM.AuthenticationFailure) in
                try cipher.openCombined(box.span, authenticating: data.span, into: &output)
            }
        } catch { throw .authenticationFailed }
        do { return try ChatMessage(padded: padded) } catch { throw .format(error) }
    }

    /// The associated data: the place, and the message's id.
    private func data(_ id: MessageID) -> [UInt8] { place + [UInt8](lengthPrefixed: [id.bytes]) }

    private static let label = Array("closer-keys/v2/chat".utf8)

    /// Why a message stays closed.
    public enum OpenError: Error, Equatable, Sendable {
        /// Another chat, author, recipient, id or key, or it was changed. They look alike.
        case authenticationFailed
        /// Its sender sealed something else than a message.
        case format(ChatMessage.FormatError)
    }
}

extension ChatChannel.Key: Equatable where Value: Equatable {}

extension X25519PrivateKey {
    /// The secret that both sides share, 32 bytes, biased: an input of HKDF and no key.
    package func agree(with theirs: X25519PublicKey) throws(X25519KeyError) -> SecretBytes {
        do { return try key.sharedSecret(with: theirs.key) } catch { throw .lowOrderPublicKey }
    }
}

extension ChatChannel: CustomStringConvertible, CustomReflectable {
    /// A text without the key.
    public var description: String { "ChatChannel(redacted)" }
    /// A mirror without children, so that `dump` finds no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ChatChannel.OpenError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .authenticationFailed:
            ErrorWords(
                .authFailed, "it does not open: another chat, author, id or key, or it was changed",
                "a message opens only where its author wrote it to")
        case .format(let error): error.words
        }
    }
}
