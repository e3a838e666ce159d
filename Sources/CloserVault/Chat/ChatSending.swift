public import CloserKeys
public import CloserPrimitives

extension Vault.Chat {
    /// A message that is to be sent.
    public struct Draft: Sendable {
        fileprivate let kind: ChatMessage.Kind
        fileprivate let body: String
        fileprivate var replyTo: MessageID?
        fileprivate var expiresAt: Timestamp?
        fileprivate var payload: [UInt8]?

        /// A message of a kind. Its body may be empty.
        public init(_ kind: ChatMessage.Kind, _ body: String = "") { (self.kind, self.body) = (kind, body) }

        /// A text.
        public static func text(_ body: String) -> Draft { Draft(.text, body) }

        /// About another message.
        public consuming func replying(to id: MessageID) -> Draft {
            replyTo = id
            return self
        }

        /// Readers hide it from then on, by their clocks.
        public consuming func expiring(at time: Timestamp) -> Draft {
            expiresAt = time
            return self
        }

        /// With a JSON object: a file that it describes, a plan, a receipt.
        public consuming func payload(_ json: some Collection<UInt8>) -> Draft {
            payload = Array(json)
            return self
        }
    }

    /// A message that was sealed, for `encrypted_content`.
    public struct Sent: Sendable {
        /// The message.
        public let token: ChatToken
        /// A preview for a notification, if one was asked for.
        public let preview: ChatToken?
        /// How old the chat keys are, ours and theirs, in seconds.
        public let keyAges: (ours: UInt64, theirs: UInt64)
    }

    /// Seals a message under an id that the app drew, and counts it. The same id again, among the last 32, takes the same number, so a
    /// message that a kill kept from the server leaves no gap.
    ///
    /// `previewCount` asks for a preview whose token has at most so many characters.
    ///
    /// - Throws: ``VaultError``: `.chat` with `.notReady`, `.message` or `.previewTooShort`, and as each verb that changes.
    public func send(_ draft: Draft, id: MessageID, previewCount: Int? = nil) throws(VaultError) -> Sent {
        let now = vault.now
        return try vault.change { (transaction) throws(VaultError) in
            var (person, chat) = (try transaction.person(partner), try transaction.chat(with: partner))
            person.expireKeys(at: now)
            guard let newest = person.ours.newest, let chatKey = person.ours.key(newest) else {
                throw .chat(.notReady(ours: true))
            }
            guard let theirs = person.theirs.last else { throw .chat(.notReady(ours: false)) }
            let channel = try sending(person, chatKey, theirs, transaction)
            let (number, seen) = (chat.number(of: id), chat.reading.seen.highest)
            let message = try draft.message(number, at: now, seen: seen > 0 ? seen : nil)
            let cut = previewCount.map { message.preview(maximumTokenCount: $0) }
            guard cut.map({ $0 != nil }) ?? true else { throw .chat(.previewTooShort) }
            transaction.put(chat)
            try transaction.expireChatKeys(at: now)
            let token = try channel.stored(message, id)
            let preview: ChatToken? = if let cut = cut ?? nil { try channel.stored(cut, id) } else { nil }
            return Sent(
                token: token, preview: preview,
                keyAges: (now.seconds(since: newest), now.seconds(since: theirs.index)))
        }
    }
}

extension Vault.Chat.Draft {
    fileprivate func message(_ number: UInt64, at now: Timestamp, seen: UInt64?) throws(VaultError)
        -> ChatMessage
    {
        do {
            return try ChatMessage(
                kind, number: number, sentAt: now.milliseconds, body: body, seen: seen,
                replyTo: replyTo, expiresAt: expiresAt.map(\.milliseconds), payload: payload)
        } catch { throw .chat(.message(error)) }
    }
}

extension ChatChannel {
    fileprivate func stored(_ message: ChatMessage, _ id: MessageID) throws(VaultError) -> ChatToken {
        do { return try seal(message, id: id) } catch { throw .chat(.message(error)) }
    }
}

extension Timestamp {
    /// 0 for an index of the future.
    func seconds(since index: UInt32) -> UInt64 {
        secondsSince1970 > index ? secondsSince1970 - UInt64(index) : 0
    }
}
