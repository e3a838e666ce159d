import CloserKeys
import Testing

@Suite("An archive of two answers")
struct AnswerArchiveTests {
    /// As Python's json.dumps writes it, with sorted keys, without spaces, and without escapes.
    private static let text = """
        {"answers":{"alice":{"_c":"daily:2026-11-20","answer":"ja é"},"bob":{"answer":"no","n":1e+21}},\
        "authenticity":"authenticated","coupleId":"couple_1","partnerId":"alice","place":"daily:2026-11-20",\
        "questionId":"q_42","version":1}
        """

    private func archive(_ text: String, couple: String = "couple_1", question: String = "q_42") throws
        -> AnswerArchive
    {
        try AnswerArchive(
            parsing: text.utf8, of: CoupleID(parsing: couple), QuestionID(parsing: question),
            at: AnswerPlace(parsing: "daily:2026-11-20"))
    }

    @Test("what another program wrote is read, and written the same") func read() throws {
        let archive = try archive(Self.text)
        #expect(archive.theirs.author.text == "alice" && archive.ours.author.text == "bob")
        #expect(
            String(decoding: archive.theirs.payload, as: UTF8.self)
                == #"{"_c":"daily:2026-11-20","answer":"ja é"}"#)
        #expect(archive.claim == .authenticated)
        #expect(String(decoding: archive.bytes, as: UTF8.self) == Self.text)
        let place = AnswerArchive.fieldPlace(of: archive.question, at: archive.place)
        #expect(place.description == "ck.answers/daily:2026-11-20/q_42")
    }

    @Test(
        "another member, spelling, version, author or payload is no archive",
        arguments: [
            (#""version":1"#, #""version":2"#), (#""version":1"#, #""version":1,"w":0"#),
            (",\"version\":1", ""),
            (#""bob":"#, #""bób":"#), (#"{"answer":"no","n":1e+21}"#, #""no""#), ("1e+21", "1E21"),
            (#""authenticated""#, #""proven""#), (#""partnerId":"alice""#, #""partnerId":"carol""#),
            (#""bob":{"#, #""carol":{},"bob":{"#), (#"{"answers""#, #" {"answers""#),
        ])
    func refused(_ change: (from: String, to: String)) throws {
        let text = Self.text.replacing(change.from, with: change.to)
        #expect(text != Self.text)
        #expect(throws: AnswerArchive.FormatError.self) { try archive(text) }
    }

    @Test("an answer of sixteen levels, the most that one may have, comes back") func deep() throws {
        let deepest = String(repeating: #"{"a":"#, count: 15) + "{}" + String(repeating: "}", count: 15)
        let text = Self.text.replacing(#"{"answer":"no","n":1e+21}"#, with: deepest)
        #expect(String(decoding: try archive(text).ours.payload, as: UTF8.self) == deepest)
        #expect(throws: AnswerArchive.FormatError.self) {
            try archive(text.replacing("{}", with: #"{"a":{}}"#))
        }
    }

    @Test("an archive of another couple, question or place is refused") func elsewhere() throws {
        #expect(throws: AnswerArchive.FormatError.self) { try archive(Self.text, couple: "couple_2") }
        #expect(throws: AnswerArchive.FormatError.self) { try archive(Self.text, question: "q_43") }
        let other = Self.text.replacing(#""place":"daily:2026-11-20""#, with: #""place":"daily:2026-11-21""#)
        #expect(throws: AnswerArchive.FormatError.self) { try archive(other) }
    }
}
