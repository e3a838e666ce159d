public import CloserPrimitives
package import CloserWire

/// The numbers of one direction of a chat that were seen, as ranges (closer-keys-formats(7), CHATS, What a reader keeps).
package struct ChatNumbers: Equatable, Sendable {
    /// In order, with a gap between any two.
    package private(set) var ranges: [ClosedRange<UInt64>] = []

    /// None.
    package init() {}

    /// Ranges that were written; nil unless they are in order, apart, and at most ``maximumRangeCount``.
    package init?(_ ranges: [ClosedRange<UInt64>]) {
        let areApart = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound }
        guard ranges.count <= Self.maximumRangeCount, ranges.first.map({ $0.lowerBound > 0 }) ?? true,
            ranges.allSatisfy({ $0.upperBound < ChatMessage.numberLimit }), areApart
        else { return nil }
        self.ranges = ranges
    }

    /// The greatest; 0 if none was seen.
    package var highest: UInt64 { ranges.last?.upperBound ?? 0 }

    package func contains(_ number: UInt64) -> Bool { ranges.contains { $0.contains(number) } }

    /// Notes a number. If that makes more ranges than are kept, the lowest gap counts as seen.
    fileprivate mutating func insert(_ number: UInt64) {
        guard !contains(number) else { return }
        let place = ranges.firstIndex { $0.lowerBound > number } ?? ranges.count
        ranges.insert(number...number, at: place)
        join(at: place)
        if place > 0 { join(at: place - 1) }
        if ranges.count > Self.maximumRangeCount {
            ranges.replaceSubrange(0...1, with: [ranges[0].lowerBound...ranges[1].upperBound])
        }
    }

    /// Makes one range of this and the next, if they touch.
    private mutating func join(at place: Int) {
        guard place + 1 < ranges.count, ranges[place].upperBound + 1 == ranges[place + 1].lowerBound else {
            return
        }
        ranges.replaceSubrange(
            place...place + 1, with: [ranges[place].lowerBound...ranges[place + 1].upperBound])
    }

    package static let maximumRangeCount = 64
}

extension JSONValue {
    /// `[[1,5],[7,7]]`.
    package static func ranges(_ ranges: [ClosedRange<UInt64>]) -> JSONValue {
        .array(ranges.map { [.number(Double($0.lowerBound)), .number(Double($0.upperBound))] })
    }
}

/// What a reader knows of the other's messages in a chat, and what a message is to it.
package struct ChatReading: Equatable, Sendable {
    /// The other's numbers that were seen.
    package var seen: ChatNumbers
    /// The highest of our numbers that the other has, by their word; 0 if they said none.
    package var seenByThem: UInt64

    package init(seen: ChatNumbers = ChatNumbers(), seenByThem: UInt64 = 0) {
        (self.seen, self.seenByThem) = (seen, seenByThem)
    }

    /// What a message is to its reader.
    package struct Verdict: Equatable, Sendable {
        /// Whether its number was not seen before.
        package let isNew: Bool
        /// Whether its author wanted it gone by now.
        package let isExpired: Bool
        /// The gap that it shows: a later message shows it no more.
        package let missing: ClosedRange<UInt64>?
    }

    /// Notes a message that opened. Nil for a preview, which is not noted.
    package mutating func note(_ message: ChatMessage, at now: Timestamp) -> Verdict? {
        guard !message.isCut else { return nil }
        let (isNew, highest) = (!seen.contains(message.number), seen.highest)
        seen.insert(message.number)
        seenByThem = max(seenByThem, message.seen ?? 0)
        let missing = message.number > highest + 1 ? highest + 1...message.number - 1 : nil
        return Verdict(
            isNew: isNew, isExpired: message.isExpired(at: now),
            missing: missing.flatMap { $0.count <= Self.maximumGap ? $0 : nil })
    }

    /// A vault that was put back goes on from the clock's milliseconds, and some more by chance, which leaves a greater gap.
    package static let maximumGap = 1_000_000
}

extension ChatMessage {
    /// Whether its author wanted it gone by then.
    public func isExpired(at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now.milliseconds } ?? false
    }
}

extension Timestamp {
    /// Since 1970; the greatest number for a time that none holds.
    package var milliseconds: UInt64 {
        let (milliseconds, isTooGreat) = secondsSince1970.multipliedReportingOverflow(by: 1000)
        return isTooGreat ? .max : milliseconds
    }
}
