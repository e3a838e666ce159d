internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// A person whom this user chats with: the key that is theirs, and the chat keys of both (closer-keys-formats(7), CHATS, Chat keys).
struct Person: Equatable, Sendable {
    let userID: UserID
    /// Their long-term key: the first that was named, or the one that was vouched for since.
    private(set) var key: X25519PublicKey
    /// Whether people compared digits, or a pairing brought the key.
    private(set) var isVerified: Bool
    /// Whether a document or a message showed that their app binds its messages.
    var speaksBound = false
    /// Whether this copy of the vault may lack chat keys that were drawn later.
    var isOlderCopy = false
    private(set) var ours = ChatKeyring()
    /// Their chat keys that were taken, the oldest first.
    private(set) var theirs: [ChatChannel.Key<X25519PublicKey>] = []

    init(_ userID: UserID, _ key: X25519PublicKey, isVerified: Bool) {
        (self.userID, self.key, self.isVerified) = (userID, key, isVerified)
    }

    static let maximumTheirsCount = 16
    private static let week: UInt64 = 7 * 86_400
    private static let keptFor: UInt64 = 30 * 86_400
    private static let lead: UInt64 = 2 * 86_400

    /// From now on this is their key, and someone vouches for it. Another key than before ends all chat keys.
    mutating func verify(_ key: X25519PublicKey) {
        if key != self.key { endKeys() }
        (self.key, isVerified) = (key, true)
    }

    /// A new long-term key of either side ends the chat keys of both.
    mutating func endKeys() { (ours, theirs) = (ChatKeyring(), []) }

    /// Deletes each of our keys whose successor is thirty days old. Says whether one was.
    @discardableResult
    mutating func expireKeys(at now: Timestamp) -> Bool {
        let (before, indices) = (ours.indices.count, ours.indices)
        let gone = Set(
            zip(indices, indices.dropFirst()).filter { now.secondsSince1970 >= UInt64($1) + Self.keptFor }
                .map(\.0)
        )
        ours = ours.keeping { !gone.contains($0) }
        return ours.indices.count < before
    }

    /// Draws a chat key if one is due. One from the future, of a wrong clock, goes; with several of them the clock is behind, and all stay
    /// unless `always`. Says whether one was drawn.
    mutating func renewKey(at now: Timestamp, always: Bool) -> Bool {
        let now = now.secondsSince1970
        let aheadCount = ours.indices.count { $0 > now + Self.lead }
        guard always || aheadCount < 2 else { return false }
        ours = ours.keeping { $0 <= now + Self.lead }
        let isDue = aheadCount > 0 || ours.newest.map { now >= UInt64($0) + Self.week } ?? true
        // A clock beyond the last index, in the year 2106, draws none.
        guard isDue || always || isOlderCopy,
            let birth = UInt32(exactly: max(now, UInt64(ours.newest ?? 0) + 1))
        else { return false }
        ours = ours.adding(ChatChannel.Key(X25519PrivateKey(), index: birth))
        isOlderCopy = false
        return true
    }

    /// Takes a chat key that its owner proved.
    mutating func take(_ new: ChatChannel.Key<X25519PublicKey>, at now: Timestamp) throws(ChatError) {
        speaksBound = true
        let latest = now.secondsSince1970 + Self.lead
        guard UInt64(new.index) <= latest else { throw .fromFuture }
        // Both clocks were wrong when it was taken.
        theirs.removeAll { $0.index > latest }
        if let last = theirs.last {
            guard new != last else { return }
            guard new.index > last.index else { throw .olderKey }
        }
        theirs = theirs.suffix(Self.maximumTheirsCount - 1) + [new]
    }
}

extension Person: Record {
    static let kind = RecordKind.person
    static func id(_ userID: UserID) -> RecordID { RecordID(userID.bytes) }
    var recordID: RecordID { Self.id(userID) }
    var maximumByteCount: Int {
        256 + ChatKeyring.maximumByteCount + Self.maximumTheirsCount * (4 + X25519.byteCount)
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        userID = try fields.identifier(in: bytes)
        guard let key = X25519.PublicKey(try fields.bytes(in: bytes)) else { throw .damaged }
        // It was checked before it was written, which takes as long as an agreement.
        self.key = X25519PublicKey(key)
        (isVerified, speaksBound) = (try fields.flag(in: bytes), try fields.flag(in: bytes))
        isOlderCopy = try fields.flag(in: bytes)
        guard let ours = ChatKeyring(parsing: try fields.secret(in: bytes)) else { throw .damaged }
        self.ours = ours
        theirs = try Self.publicKeys(try fields.bytes(in: bytes))
    }

    private static func publicKeys(_ bytes: [UInt8]) throws(VaultError) -> [ChatChannel.Key<X25519PublicKey>]
    {
        let size = 4 + X25519.byteCount
        guard bytes.count.isMultiple(of: size), bytes.count <= maximumTheirsCount * size else {
            throw .damaged
        }
        return try stride(from: 0, to: bytes.count, by: size).map { (start) throws(VaultError) in
            let index = UInt32(bigEndian: bytes[start..<start + 4])
            guard index > 0, let key = X25519.PublicKey(bytes[start + 4..<start + size]) else {
                throw .damaged
            }
            return ChatChannel.Key(X25519PublicKey(key), index: index)
        }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: userID.text)
        output.append(field: key.bytes)
        for flag in [isVerified, speaksBound, isOlderCopy] { output.append(field: flag) }
        ours.copy().withBytes { output.append(field: $0) }
        output.append(field: theirs.flatMap { [UInt8](bigEndian: $0.index) + $0.key.bytes })
    }
}

extension Transaction {
    /// A person whose key was pinned, or came by a pairing.
    ///
    /// - Throws: `.chat(.noKey)`.
    func person(_ userID: UserID) throws(VaultError) -> Person {
        if let known = try record(Person.self, Person.id(userID)) { return known }
        let paired = try records(Partner.self).first { $0.userID == userID && $0.x25519Key != nil }
        guard let key = paired?.x25519Key else { throw .chat(.noKey) }
        return Person(userID, key, isVerified: true)
    }

    /// With whom there can be a chat, sorted.
    func personIDs() throws(VaultError) -> [UserID] {
        var ids = Set(try records(Partner.self).filter { $0.x25519Key != nil }.map(\.userID))
        // One at a time: the keys of all would need more guarded pages than a process gets.
        for entry in index.entries(of: .person, under: nil) { ids.insert((try open(entry) as Person).userID) }
        let ours = try device.userID
        return ids.filter { (try? ChatID(ours, $0)) != nil }.sorted { $0.text < $1.text }
    }

    /// Deletes the old chat keys with everybody.
    mutating func expireChatKeys(at now: Timestamp) throws(VaultError) {
        for entry in index.entries(of: .person, under: nil) {
            var other: Person = try open(entry)
            if other.expireKeys(at: now) { put(other) }
        }
    }

    /// As ``person(_:)``; nil if no key is known.
    func knownPerson(_ userID: UserID) throws(VaultError) -> Person? {
        do { return try person(userID) } catch {
            guard error == .chat(.noKey) else { throw error }
            return nil
        }
    }

    /// A pairing brought a person's key. It counts as long as no other one was known.
    mutating func meet(_ userID: UserID, _ key: X25519PublicKey) throws(VaultError) {
        guard let known = try knownPerson(userID), known.key != key || !known.isVerified else { return }
        try verify(known, key)
    }

    /// From now on someone vouches for a person's key. Behind another key may be a new vault, which counts from 1.
    mutating func verify(_ person: Person, _ key: X25519PublicKey) throws(VaultError) {
        if person.key != key, var chat = try record(StoredChat.self, StoredChat.id(person.userID)) {
            chat.reading = ChatReading()
            put(chat)
        }
        var person = person
        person.verify(key)
        put(person)
    }

    /// Our long-term key is a new one, or this vault was put back: no chat key of before seals, and no number counts twice.
    mutating func restartChats(endingKeys: Bool, at now: Timestamp = .now) throws(VaultError) {
        for entry in index.entries(of: .person, under: nil) {
            var person: Person = try open(entry)
            if endingKeys { person.endKeys() } else { person.isOlderCopy = true }
            put(person)
        }
        // Also where this copy has sent nothing yet: a newer one may have.
        for userID in try personIDs() {
            var chat = try chat(with: userID)
            chat.skipNumbers(to: now, chance: .random(in: 0 ... .max))
            put(chat)
        }
    }
}
