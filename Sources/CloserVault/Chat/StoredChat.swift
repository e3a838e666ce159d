internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// How far a chat with a person has come, both ways.
struct StoredChat: Sendable {
    let userID: UserID
    /// The number of our next message.
    private var next: UInt64 = 1
    /// The last messages that we sent: the first eight bytes of their ids' SHA-256, and their numbers.
    private var sent: [(mark: UInt64, number: UInt64)] = []
    /// What was seen of theirs.
    var reading = ChatReading()

    init(_ userID: UserID) { self.userID = userID }

    private static let maximumSentCount = 32

    /// How many messages we sent, unless numbers were skipped.
    var lastNumber: UInt64 { next - 1 }

    /// The number of our message of this id: the same again if it was among the last.
    mutating func number(of id: MessageID) -> UInt64 {
        let mark = UInt64(bigEndian: SHA256.hash(id.bytes.span).prefix(8))
        if let known = sent.last(where: { $0.mark == mark }) { return known.number }
        defer { next += 1 }
        sent = sent.suffix(Self.maximumSentCount - 1) + [(mark, next)]
        return next
    }

    /// Numbers that a newer copy of this vault may have used are left out. `chance`, of 32 bits, parts two vaults that were put back from
    /// one copy, also where a clock was wrong.
    mutating func skipNumbers(to now: Timestamp, chance: UInt32 = 0) {
        next = max(next + UInt64(ChatReading.maximumGap) + 1, now.milliseconds) + UInt64(chance)
    }
}

extension StoredChat: Record {
    static let kind = RecordKind.chat
    static func id(_ userID: UserID) -> RecordID { RecordID(userID.bytes) }
    var recordID: RecordID { Self.id(userID) }
    var maximumByteCount: Int { 256 + 16 * (Self.maximumSentCount + ChatNumbers.maximumRangeCount) }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        userID = try fields.identifier(in: bytes)
        next = try fields.number(in: bytes)
        sent = try Self.pairs(try fields.bytes(in: bytes)).map { (mark: $0, number: $1) }
        let pairs = try Self.pairs(try fields.bytes(in: bytes))
        guard next > 0, sent.count <= Self.maximumSentCount, pairs.allSatisfy({ $0 <= $1 }),
            let seen = ChatNumbers(pairs.map { $0...$1 })
        else { throw .damaged }
        reading = ChatReading(seen: seen, seenByThem: try fields.number(in: bytes))
    }

    private static func pairs(_ bytes: [UInt8]) throws(VaultError) -> [(UInt64, UInt64)] {
        guard bytes.count.isMultiple(of: 16) else { throw .damaged }
        return stride(from: 0, to: bytes.count, by: 16).map {
            (UInt64(bigEndian: bytes[$0..<$0 + 8]), UInt64(bigEndian: bytes[$0 + 8..<$0 + 16]))
        }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        func pair(_ one: UInt64, _ other: UInt64) -> [UInt8] {
            [UInt8](bigEndian: one) + [UInt8](bigEndian: other)
        }
        output.append(field: userID.text)
        output.append(field: [UInt8](bigEndian: next))
        output.append(field: sent.flatMap { pair($0.mark, $0.number) })
        output.append(field: reading.seen.ranges.flatMap { pair($0.lowerBound, $0.upperBound) })
        output.append(field: [UInt8](bigEndian: reading.seenByThem))
    }
}

extension Transaction {
    func chat(with userID: UserID) throws(VaultError) -> StoredChat {
        if let known = try record(StoredChat.self, StoredChat.id(userID)) { return known }
        var new = StoredChat(userID)
        // This copy may not know people whom a newer one wrote to.
        if let copy = try record(OlderCopy.self, OlderCopy.id) { new.skipNumbers(to: copy.since) }
        return new
    }
}
