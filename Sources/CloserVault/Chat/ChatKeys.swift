public import CloserKeys
internal import CloserPrimitives

// Chat keys are renewed, and what was sealed to an old one opens no more (closer-keys-formats(7), CHATS, Chat keys).

extension Vault.Chat {
    /// Our newest chat key, for the server. Call it at each start of the app: it draws a key if the newest is a week old, or `always`.
    ///
    /// - Throws: ``VaultError``, as each verb that changes.
    public func renew(always: Bool = false) throws(VaultError) -> ChatKeyDocument {
        let now = vault.now
        return try vault.change { (transaction) throws(VaultError) in
            var person = try transaction.person(partner)
            if person.renewKey(at: now, always: always) { transaction.put(person) }
            try transaction.expireChatKeys(at: now)
            return try document(of: person, by: transaction.device)
        }
    }

    /// Takes their chat key, as their server document has it. The same again changes nothing.
    ///
    /// - Throws: ``VaultError``: `.chat` with `.macInvalid`, `.fromFuture` or `.olderKey`, and as each verb that changes.
    public func take(_ document: ChatKeyDocument) throws(VaultError) {
        let now = vault.now
        let refusal: ChatError? = try vault.change { (transaction) throws(VaultError) in
            var person = try transaction.person(partner)
            guard
                (try? document.isProven(
                    in: id, from: partner, to: ours, by: person.key, for: transaction.device.chatKey)) == true
            else { throw .chat(.macInvalid) }
            let before = person
            var refusal: ChatError?
            do throws(ChatError) {
                try person.take(ChatChannel.Key(document.key, index: document.index), at: now)
            } catch { refusal = error }
            guard person != before else { return refusal }
            transaction.put(person)
            try transaction.expireChatKeys(at: now)
            return refusal
        }
        if let refusal { throw .chat(refusal) }
    }

    private func document(of person: Person, by device: Device) throws(VaultError) -> ChatKeyDocument {
        guard let newest = person.ours.newest, let key = person.ours.key(newest) else {
            throw .chat(.notReady(ours: true))
        }
        do {
            return try ChatKeyDocument(
                of: ChatChannel.Key(key.key.publicKey, index: newest), chat: id, from: ours, to: partner,
                with: device.chatKey, for: person.key)
        } catch { throw .chat(.opening(.authenticationFailed)) }
    }

    /// What an extension needs to look at their messages.
    ///
    /// - Important: Store it again when ``openingKeysChanged`` says so: else a chat key that was deleted here stays in the item.
    /// - Throws: ``VaultError``, as each verb that reads.
    public func openingKeys() throws(VaultError) -> ChatOpeningKeys {
        let now = vault.now
        let (person, device) = try vault.read { (transaction) throws(VaultError) in
            var person = try transaction.person(partner)
            person.expireKeys(at: now)
            return (person, try transaction.device)
        }
        let shared: SecretBytes
        do { shared = try device.chatKey.agree(with: person.key) } catch {
            throw .chat(.opening(.authenticationFailed))
        }
        given.withLock { $0 = OpeningMark(person, device) }
        return ChatOpeningKeys(id, from: partner, to: ours, shared, person.ours)
    }

    /// Whether ``openingKeys()`` would give other keys than it gave last, or gave none yet: after a renewal, and where a key was deleted.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public var openingKeysChanged: Bool {
        get throws(VaultError) {
            let now = vault.now
            let mark = try vault.read { (transaction) throws(VaultError) in
                var person = try transaction.person(partner)
                person.expireKeys(at: now)
                return OpeningMark(person, try transaction.device)
            }
            return given.withLock { $0 != mark }
        }
    }

    /// What tells the opening keys of a chat from others: both long-term keys, and the births of our chat keys.
    struct OpeningMark: Equatable {
        private let keys: [UInt8]
        private let indices: [UInt32]

        fileprivate init(_ person: Person, _ device: Device) {
            (keys, indices) = (person.key.bytes + device.chatKey.publicKey.bytes, person.ours.indices)
        }
    }
}

extension Vault {
    /// Our newest chat key for everybody whom we chat with, in one change: as ``Chat/renew(always:)`` for each.
    ///
    /// - Throws: ``VaultError``, as each verb that changes.
    public func renewChats(always: Bool = false) throws(VaultError) -> [ChatKeyDocument] {
        let partners = try read { (transaction) throws(VaultError) in try transaction.personIDs() }
        var results: [Result<ChatKeyDocument, VaultError>] = []
        try together {
            results = partners.map { partner in
                Result { () throws(VaultError) in try chat(with: partner).renew(always: always) }
            }
        }
        return try results.map { (result) throws(VaultError) in try result.get() }
    }
}
