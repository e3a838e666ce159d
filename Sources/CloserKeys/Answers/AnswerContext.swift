/// Where an answer belongs: `daily:YYYY-MM-DD` or `thread:<threadId>` (security §3.1, `_c`).
///
/// It stops a server from showing an answer again on another day or in another thread.
public struct AnswerPlace: Equatable, Hashable, Sendable {
    /// Neither of the two forms, or no date of the calendar.
    public struct FormatError: Error, Equatable, Sendable {}

    /// As it is written.
    public let text: String

    public init(parsing text: String) throws(FormatError) {
        // An accent behind the colon would be one Character with it: what is cut here is ASCII, or nothing.
        guard text.utf8.allSatisfy({ $0 < 0x80 }), Self.isDaily(text) || Self.isThread(text) else {
            throw FormatError()
        }
        self.text = text
    }

    /// Whether it is a message in a thread, and no daily question.
    public var isThread: Bool { Self.isThread(text) }

    private static func isThread(_ text: String) -> Bool {
        guard text.utf8.starts(with: "thread:".utf8) else { return false }
        return (try? Identifier(parsing: String(text.dropFirst("thread:".count)))) != nil
    }

    private static func isDaily(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == "daily:YYYY-MM-DD".utf8.count, bytes.starts(with: "daily:".utf8) else {
            return false
        }
        let parts = text.dropFirst("daily:".count).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.map(\.utf8.count) == [4, 2, 2], let year = numbers[0], let month = numbers[1],
            let day = numbers[2], (1...12).contains(month)
        else { return false }
        return (1...days(in: month, of: year)).contains(day)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}
