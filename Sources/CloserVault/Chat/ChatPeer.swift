public import CloserKeys
internal import CloserPrimitives

extension Vault {
    /// Pins the first key of a person. The same again changes nothing. Says whether it is the first.
    ///
    /// - Throws: ``VaultError``: `.verification` with `.partnerIsSelf` or `.keyIsOurs`; `.chat` with `.keyChanged` for another key or with
    ///   `.nameTooLong`, and as each verb that changes.
    @discardableResult
    public func pin(_ key: X25519PublicKey, of partner: UserID) throws(VaultError) -> Bool {
        try change { (transaction) throws(VaultError) in
            let device = try transaction.device
            try device.checkOther(partner, key)
            guard (try? ChatID(device.userID, partner)) != nil else { throw .chat(.nameTooLong) }
            guard let known = try transaction.knownPerson(partner) else {
                transaction.put(Person(partner, key, isVerified: false))
                return true
            }
            guard known.key == key else { throw .chat(.keyChanged) }
            return false
        }
    }

    /// The digits of a chat, which both people see alike: for `key`, or else for the key that is known here.
    ///
    /// It computes for some milliseconds, on purpose.
    ///
    /// - Throws: ``VaultError``: `.verification` with `.partnerIsSelf` or `.keyIsOurs`; `.chat(.noKey)`, and as each verb that reads.
    public func safetyNumber(ofChatWith partner: UserID, key: X25519PublicKey? = nil) throws(VaultError)
        -> SafetyNumber
    {
        try read { (transaction) throws(VaultError) in
            let key = try transaction.key(of: partner, or: key)
            return try transaction.device.digits(with: partner, key)
        }
    }

    /// Remembers that the other device shows the same digits. Another key than before ends all chat keys of the chat, and counts from now on.
    ///
    /// - Throws: ``VaultError``: as ``safetyNumber(ofChatWith:key:)``, and `.verification(.mismatch)`.
    public func verify(
        chatWith partner: UserID, key: X25519PublicKey? = nil, against theirs: SafetyNumber
    ) throws(VaultError) {
        try change { (transaction) throws(VaultError) in
            let key = try transaction.key(of: partner, or: key)
            guard try transaction.device.digits(with: partner, key) == theirs else {
                throw .verification(.mismatch)
            }
            try transaction.verify(
                transaction.knownPerson(partner) ?? Person(partner, key, isVerified: true), key)
        }
    }

    /// Refuses a message of FitLink that is not bound, in the chat or under the key of a person whose app binds them.
    ///
    /// - Throws: ``VaultError``: `.chat(.unbound)`, and as each verb that reads.
    public func checkUnbound(in chat: ChatID, with key: X25519PublicKey) throws(VaultError) {
        try read { (transaction) throws(VaultError) in
            let ours = try transaction.device.userID
            for partner in try transaction.personIDs() {
                let person = try transaction.person(partner)
                let isOfThem = person.key == key || (try? ChatID(ours, partner)) == chat
                guard !isOfThem || !person.speaksBound else { throw .chat(.unbound) }
            }
        }
    }
}

extension Vault.Chat {
    /// What a vault knows of a chat.
    public struct State: Sendable {
        /// The other person's long-term key.
        public let key: X25519PublicKey
        /// Whether people compared digits, or a pairing brought it.
        public let isVerified: Bool
        /// Whether their app binds its messages, as a document or a message showed.
        public let speaksBound: Bool
        /// The births of our newest chat key and of theirs; nil for none.
        public let keyIndices: (ours: UInt32?, theirs: UInt32?)
        /// The number of our last message, and the highest of ours that they have; 0 for none.
        public let numbers: (sent: UInt64, seenByThem: UInt64)
        /// The numbers of theirs that were seen.
        public let seen: [ClosedRange<UInt64>]
    }

    /// What this vault knows of the chat.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public var state: State {
        get throws(VaultError) {
            try vault.read { (transaction) throws(VaultError) in
                let (person, chat) = (try transaction.person(partner), try transaction.chat(with: partner))
                return State(
                    key: person.key, isVerified: person.isVerified, speaksBound: person.speaksBound,
                    keyIndices: (person.ours.newest, person.theirs.last?.index),
                    numbers: (chat.lastNumber, chat.reading.seenByThem), seen: chat.reading.seen.ranges)
            }
        }
    }
}

extension Device {
    fileprivate func digits(
        with partner: UserID, _ key: X25519PublicKey
    ) throws(VaultError) -> SafetyNumber {
        try checkOther(partner, key)
        return SafetyNumber(
            SafetyNumber.Party(user: userID, key: chatKey.publicKey),
            SafetyNumber.Party(user: partner, key: key))
    }

    fileprivate func checkOther(_ partner: UserID, _ key: X25519PublicKey) throws(VaultError) {
        try checkOther(partner)
        guard !x25519Keys.contains(where: { $0.publicKey == key.key }) else {
            throw .verification(.keyIsOurs)
        }
    }

    func checkOther(_ partner: UserID) throws(VaultError) {
        guard partner != userID else { throw .verification(.partnerIsSelf) }
    }
}

extension Transaction {
    /// The given key of a person, else the one that is known here.
    fileprivate func key(
        of partner: UserID, or given: X25519PublicKey?
    ) throws(VaultError) -> X25519PublicKey {
        if let given { given } else { try person(partner).key }
    }
}
