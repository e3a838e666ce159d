package import CloserWire

/// Our chat keys in a chat, of which a message names one (closer-keys-formats(7), CHATS, Chat keys).
package struct ChatKeyring: Sendable {
    private let keys: [UInt32: X25519PrivateKey]

    /// Our keys. Of two with one index, the first counts.
    package init(_ keys: [ChatChannel.Key<X25519PrivateKey>]) {
        self.keys = Dictionary(keys.map { ($0.index, $0.key) }) { first, _ in first }
    }

    /// The key to which the other person sealed a message.
    package func key(for token: ChatToken) throws(LookupError) -> ChatChannel.Key<X25519PrivateKey> {
        // Such a message opens: an attacker with our keys can agree with us alone.
        guard !keys.values.contains(where: { $0.publicKey == token.senderKey }) else { throw .reflected }
        guard let key = keys[token.recipientIndex] else { throw .gone }
        return ChatChannel.Key(key, index: token.recipientIndex)
    }

    /// Why a message has no key.
    package enum LookupError: IdentifiedError, Equatable {
        /// The sender's key in it is one of ours.
        case reflected
        /// It is sealed to a key that was deleted, or that a newer copy of the vault has.
        case gone
        package var errorID: ErrorID { self == .gone ? .noKey : .authFailed }
    }
}
