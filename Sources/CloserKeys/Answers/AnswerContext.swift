package import CloserWire

/// Whose answer it is, and to which question of which couple.
///
/// It is the context of every ciphertext of an answer: see ``KeyContext``.
package struct AnswerContext: Equatable, Sendable {
    /// The couple whose answer it is.
    package let couple: CoupleID
    /// The question that is answered.
    package let question: QuestionID
    /// The partner who answers.
    package let author: UserID

    /// The question begins with `ck.`, which is reserved for names of our own: it could be mistaken for a rekey.
    package struct ReservedQuestion: Error, Equatable, Sendable {}

    /// Combines three names. A reserved question is refused.
    ///
    /// - Throws: ``ReservedQuestion``.
    package init(couple: CoupleID, question: QuestionID, author: UserID) throws(ReservedQuestion) {
        guard !question.text.utf8.starts(with: "ck.".utf8) else { throw ReservedQuestion() }
        (self.couple, self.question, self.author) = (couple, question, author)
    }
}

/// Where an answer belongs: `daily:YYYY-MM-DD` or `thread:<threadId>`, the member `_c` of its payload.
///
/// Questions repeat. With the place in the payload's MAC, a server cannot show an old answer again on another day or in
/// another thread (docs/threat-model.md#w19).
public struct AnswerPlace: Equatable, Hashable, Sendable {
    /// The text has another form, or its date is missing from the calendar.
    public struct FormatError: Error, Equatable, Sendable {}

    /// The place as it is written.
    public let text: String

    /// Takes one of the two forms, exactly.
    ///
    /// - Throws: ``FormatError``.
    public init(parsing text: String) throws(FormatError) {
        // `isThread` cuts by Characters. An accent behind the colon would form one Character with it, so anything but ASCII is refused
        // first.
        guard text.utf8.allSatisfy({ $0 < 0x80 }), Self.isDaily(text) || Self.isThread(text) else {
            throw FormatError()
        }
        self.text = text
    }

    /// Whether it is a message in a thread, rather than a daily question.
    public var isThread: Bool { Self.isThread(text) }

    private static func isThread(_ text: String) -> Bool {
        guard text.utf8.starts(with: "thread:".utf8) else { return false }
        return (try? ThreadID(parsing: String(text.dropFirst("thread:".count)))) != nil
    }

    private static func isDaily(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == "daily:YYYY-MM-DD".utf8.count, bytes.starts(with: "daily:".utf8),
            bytes[10] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: "-"),
            let year = number(bytes[6..<10]), let month = number(bytes[11..<13]),
            let day = number(bytes[14...]), (1...12).contains(month)
        else { return false }
        return (1...days(in: month, of: year)).contains(day)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0) { number, digit in
            guard let number, (0x30...0x39).contains(digit) else { return nil }
            return number * 10 + Int(digit - 0x30)
        }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

extension AnswerContext.ReservedQuestion: WordedError {
    package var words: ErrorWords {
        ErrorWords(.malformed, "question ids that begin with ck. are reserved")
    }
}

extension AnswerPlace.FormatError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.malformed, "a place is daily:YYYY-MM-DD, a day of the calendar, or thread:ID")
    }
}
