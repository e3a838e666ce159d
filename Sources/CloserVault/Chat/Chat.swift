public import CloserKeys
internal import CloserPrimitives

extension Vault {
    /// The chat with a person: its keys, and which messages were sent and seen.
    ///
    /// Keep one for a screen or a batch: it keeps the keys of the messages that it opened.
    public final class Chat: Sendable {
        /// The other person.
        public let partner: UserID
        /// The chat's name.
        public let id: ChatID
        let vault: Vault
        let ours: UserID
        /// What tells the keys that ``openingKeys()`` gave last from others; nil if it gave none.
        let given = Lock<OpeningMark?>(nil)
        private let channels = Lock<[ChannelName: ChatChannel]>([:])

        fileprivate init(_ vault: Vault, _ ours: UserID, _ partner: UserID) throws(VaultError) {
            do { id = try ChatID(ours, partner) } catch { throw .chat(.nameTooLong) }
            (self.vault, self.ours, self.partner) = (vault, ours, partner)
        }
    }

    /// The chat with a person whose key was pinned, or came by a pairing.
    ///
    /// - Throws: ``VaultError``: `.verification(.partnerIsSelf)` for this device's own user, `.chat(.noKey)` for a person without a key
    ///   here, and as each verb that reads.
    public func chat(with partner: UserID) throws(VaultError) -> Chat {
        let ours = try read { (transaction) throws(VaultError) in
            let device = try transaction.device
            try device.checkOther(partner)
            _ = try transaction.person(partner)
            return device.userID
        }
        return try Chat(self, ours, partner)
    }
}

extension Vault.Chat {
    /// A message that was received.
    public struct Received: Sendable {
        /// The message.
        public let message: ChatMessage
        /// Whether its number was neither seen before nor given up: of more than 64 gaps the vault gives up the lowest. A vault that was
        /// put back sees some numbers once more: show no id twice.
        public let isNew: Bool
        /// The numbers of theirs that are missing below it, said once, when the gap appears.
        public let missing: [ClosedRange<UInt64>]
        /// The highest of our numbers that they have, by their word; nil if they said none.
        public let seenByThem: UInt64?
        /// Whether people compared digits, or a pairing brought their key.
        public let isVerified: Bool
    }

    /// Receives a message that they wrote to us under an id, and counts it.
    ///
    /// - Throws: ``VaultError``: `.chat` with `.keyGone`, `.opening`, `.preview` or `.expired`, and as each verb that changes. An
    ///   expired message is counted.
    public func receive(_ token: ChatToken, id: MessageID) throws(VaultError) -> Received {
        let now = vault.now
        let (received, isExpired) = try vault.change { (transaction) throws(VaultError) in
            var (person, chat) = (try transaction.person(partner), try transaction.chat(with: partner))
            let before = (person: person, reading: chat.reading)
            person.expireKeys(at: now)
            let message = try open(token, id: id, from: person, transaction)
            guard let verdict = chat.reading.note(message, at: now) else { throw .chat(.preview) }
            // An older key than the last, or one from the future, does not count, and the message does.
            try? person.take(ChatChannel.Key(token.senderKey, index: token.senderIndex), at: now)
            if chat.reading != before.reading || person != before.person {
                transaction.put(chat)
                transaction.put(person)
                try transaction.expireChatKeys(at: now)
            }
            let (seen, missing) = (chat.reading.seenByThem, verdict.missing.map { [$0] } ?? [])
            let received = Received(
                message: message, isNew: verdict.isNew, missing: missing, seenByThem: seen > 0 ? seen : nil,
                isVerified: person.isVerified)
            return (received, verdict.isExpired)
        }
        guard !isExpired else { throw .chat(.expired(missing: received.missing)) }
        return received
    }

    /// Receives many messages in one change, the oldest first. Each has a result of its own, as of ``receive(_:id:)``.
    ///
    /// - Throws: ``VaultError``, as each verb that changes: then none of them was counted.
    public func receive(
        _ messages: [(token: ChatToken, id: MessageID)]
    ) throws(VaultError) -> [Result<Received, VaultError>] {
        var results: [Result<Received, VaultError>] = []
        try vault.together {
            results = messages.map { message in
                Result { () throws(VaultError) in try receive(message.token, id: message.id) }
            }
        }
        return results
    }

    /// Looks at a message, also one of ours, a preview or one that was seen: nothing is counted.
    ///
    /// - Throws: ``VaultError``: `.chat` with `.keyGone`, `.opening` or `.expired`, and as each verb that reads.
    public func peek(_ token: ChatToken, id: MessageID, from sender: UserID) throws(VaultError) -> ChatMessage
    {
        let now = vault.now
        let message = try vault.read { (transaction) throws(VaultError) in
            var person = try transaction.person(partner)
            person.expireKeys(at: now)
            switch sender {
            case ours: return try openOurs(token, id: id, to: person, transaction)
            case partner: return try open(token, id: id, from: person, transaction)
            // A server may name a third person as the author.
            default: throw .chat(.opening(.authenticationFailed))
            }
        }
        guard !message.isExpired(at: now) else { throw .chat(.expired(missing: [])) }
        return message
    }

    private func open(
        _ token: ChatToken, id: MessageID, from person: Person, _ transaction: Transaction
    ) throws(VaultError) -> ChatMessage {
        let theirs = ChatChannel.Key(token.senderKey, index: token.senderIndex)
        let name = ChannelName(.recipient, person, token.recipientIndex, theirs)
        let isHere = person.ours.indices.contains(token.recipientIndex)
        return try open(token, id, name, isHere ? known(name) : nil) { () throws(VaultError) in
            let chatKey: ChatChannel.Key<X25519PrivateKey>
            do throws(ChatKeyring.LookupError) { chatKey = try person.ours.key(for: token) } catch {
                throw .chat(ChatError(error))
            }
            return try channel(.recipient, person, chatKey, theirs, transaction)
        }
    }

    private func openOurs(
        _ token: ChatToken, id: MessageID, to person: Person, _ transaction: Transaction
    ) throws(VaultError) -> ChatMessage {
        guard let chatKey = person.ours.key(token.senderIndex),
            let theirs = person.theirs.first(where: { $0.index == token.recipientIndex })
        else { throw .chat(.keyGone(isOlderCopy: false)) }
        let name = ChannelName(.sender, person, chatKey.index, theirs)
        return try open(token, id, name, known(name)) { () throws(VaultError) in
            try channel(.sender, person, chatKey, theirs, transaction)
        }
    }

    /// Keeps the channel of a message that opened: anybody can name a key in a token.
    private func open(
        _ token: ChatToken, _ id: MessageID, _ name: ChannelName, _ known: ChatChannel?,
        _ make: () throws(VaultError) -> ChatChannel
    ) throws(VaultError) -> ChatMessage {
        let channel: ChatChannel
        if let known { channel = known } else { channel = try make() }
        let message: ChatMessage
        do { message = try channel.open(token, id: id) } catch { throw .chat(.opening(error)) }
        if known == nil { remember(channel, as: name) }
        return message
    }
}

extension ChatError {
    fileprivate init(_ error: ChatKeyring.LookupError) {
        self =
            switch error {
            case .reflected: .opening(.authenticationFailed)
            case .gone(let isOlderCopy): .keyGone(isOlderCopy: isOlderCopy)
            }
    }
}

// MARK: - The keys of messages

extension Vault.Chat {
    /// What tells a channel from all others of this chat.
    fileprivate struct ChannelName: Hashable {
        let role: ChatChannel.Role
        let ours: UInt32
        let theirs: UInt32
        let keys: [UInt8]

        init(
            _ role: ChatChannel.Role, _ person: Person, _ ours: UInt32,
            _ theirs: ChatChannel.Key<X25519PublicKey>
        ) {
            (self.role, self.ours, self.theirs) = (role, ours, theirs.index)
            keys = person.key.bytes + theirs.key.bytes
        }
    }

    private func remember(_ channel: ChatChannel, as name: ChannelName) {
        channels.withLock { channels in
            if channels.count >= Self.maximumChannelCount { channels = [:] }
            channels[name] = channel
        }
    }

    private static let maximumChannelCount = 64

    private func known(_ name: ChannelName) -> ChatChannel? { channels.withLock { $0[name] } }

    /// The channel that seals to their newest key, kept for the next message.
    func sending(
        _ person: Person, _ chatKey: ChatChannel.Key<X25519PrivateKey>,
        _ theirs: ChatChannel.Key<X25519PublicKey>, _ transaction: Transaction
    ) throws(VaultError) -> ChatChannel {
        let name = ChannelName(.sender, person, chatKey.index, theirs)
        if let known = known(name) { return known }
        let channel = try channel(.sender, person, chatKey, theirs, transaction)
        remember(channel, as: name)
        return channel
    }

    /// The channel of a pair of chat keys.
    private func channel(
        _ role: ChatChannel.Role, _ person: Person, _ chatKey: ChatChannel.Key<X25519PrivateKey>,
        _ theirs: ChatChannel.Key<X25519PublicKey>, _ transaction: Transaction
    ) throws(VaultError) -> ChatChannel {
        let ourKey = try transaction.device.chatKey
        let (from, to) = role == .sender ? (ours, partner) : (partner, ours)
        do throws(X25519KeyError) {
            return try ChatChannel(
                chat: id, from: from, to: to, as: role, ours: ourKey, chatKey, theirs: person.key, theirs)
        } catch { throw .chat(.opening(.authenticationFailed)) }
    }
}
