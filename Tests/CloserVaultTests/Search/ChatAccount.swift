import CloserKeys
import CloserPrimitives
import CloserWire

@testable import CloserVault

/// What a vault must know of a chat, kept beside it as closer-keys-formats(7), CHATS says. It is a value: a vault that is put back has the
/// account of then.
struct ChatAccount {
    typealias Key = ChatChannel.Key<X25519PublicKey>

    /// Every key that was drawn and not taken for one of a wrong clock, the oldest first.
    private(set) var ours: [Key] = []
    private(set) var theirs: [Key] = []
    private var sent: [(id: MessageID, number: UInt64)] = []
    private var seen: Set<UInt64> = []
    private var told: [ClosedRange<UInt64>] = []
    var isOlderCopy = false
    /// The latest time that this vault's clock has shown.
    var latest: UInt64 = 0

    private static let day = ChatScene.day
    private static let keptFor = 30 * day
    private static let lead = 2 * day

    // MARK: - Keys

    /// The index of the key that a renewal must draw; nil if none is due. The key of a wrong clock goes; with two, the clock is behind.
    mutating func renew(at now: UInt64, always: Bool) -> UInt32? {
        let right = ours.filter { UInt64($0.index) <= now + Self.lead }
        guard always || ours.count - right.count < 2 else { return nil }
        let isOld = right.last.map { now >= UInt64($0.index) + 7 * Self.day } ?? true
        let isDue = isOld || always || isOlderCopy || right.count < ours.count
        ours = right
        guard isDue else { return nil }
        isOlderCopy = false
        return max(UInt32(now), (right.last?.index ?? 0) + 1)
    }

    mutating func draw(_ key: Key) { ours.append(key) }

    /// How a key of theirs that is proven is taken.
    mutating func take(_ key: Key, at now: UInt64) -> ChatError? {
        guard UInt64(key.index) <= now + Self.lead else { return .fromFuture }
        theirs.removeAll { UInt64($0.index) > now + Self.lead }
        guard let last = theirs.last, last != key else {
            if theirs.isEmpty { theirs = [key] }
            return nil
        }
        guard key.index > last.index else { return .olderKey }
        theirs.append(key)
        return nil
    }

    /// Whether what was sealed to this key of ours opens; nil if a clock that was wrong may have deleted it.
    func opens(_ key: Key, at now: UInt64) -> Bool? {
        guard let place = ours.firstIndex(of: key) else { return false }
        guard place + 1 < ours.count else { return true }
        let end = UInt64(ours[place + 1].index) + Self.keptFor
        return now >= end ? false : latest >= end ? nil : true
    }

    /// Whether a message of ours opens here, which was sealed with one key to another.
    func opens(_ mail: ChatMail, at now: UInt64) -> Bool? {
        theirs.suffix(16).contains(mail.reader) ? opens(mail.author, at: now) : false
    }

    // MARK: - Numbers

    /// The number that an id must have again; nil if a new one is due.
    func number(of id: MessageID) -> UInt64? { sent.suffix(32).last { $0.id == id }?.number }

    mutating func send(_ id: MessageID, _ number: UInt64) {
        if self.number(of: id) == nil { sent.append((id, number)) }
    }

    /// What a message must be called: new or not, with the gap that it shows.
    mutating func receive(_ mail: ChatMail) -> (isNew: Bool, missing: [ClosedRange<UInt64>]) {
        let (first, number) = ((seen.max() ?? 0) + 1, mail.message.number)
        let isNew = seen.insert(number).inserted
        return (isNew, number > first && number - first <= 1_000_000 ? [first...number - 1] : [])
    }

    /// Whether these gaps were neither told before nor seen.
    mutating func tell(_ gaps: [ClosedRange<UInt64>]) -> Bool {
        defer { told += gaps }
        return gaps.allSatisfy { gap in
            !told.contains { $0.overlaps(gap) } && !seen.contains { gap.contains($0) }
        }
    }
}

/// A message as its server has it.
struct ChatMail {
    let id: MessageID
    /// The place of who wrote it.
    let from: Int
    let token: ChatToken
    let preview: ChatToken?
    /// As its author sealed it.
    let message: ChatMessage
    /// Between which keys it was sealed.
    let author: ChatAccount.Key
    let reader: ChatAccount.Key

    func isExpired(at now: UInt64) -> Bool {
        message.isExpired(at: Timestamp(secondsSince1970: now))
    }

    /// The same box as if its reader had sealed it to its author: each of the two keys stands for the other.
    var mirrored: ChatToken {
        get throws {
            let prefix = Array("chat:v2:".utf8)
            let text = Array(token.text.dropFirst(prefix.count))
            let payload = try Base64.url.decode(text.span)
            let exchanged = payload[4..<8] + payload[0..<4] + reader.key.bytes + payload[40...]
            return try ChatToken(parsing: prefix + Array(Base64.url.encode(Array(exchanged)).utf8))
        }
    }
}

extension ChatKeyDocument {
    var chatKey: ChatAccount.Key { ChatAccount.Key(key, index: index) }
}
