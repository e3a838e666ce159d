import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys
@testable import CloserVault

@Suite("Sealing an answer")
struct SealTests {
    private let story: Story

    init() throws { story = try Story() }

    @Test("a sealed answer is kept with its key, its place and its author")
    func kept() throws {
        let sealed = try story.seal(in: story.alice)
        let stored = try story.alice.answer(story.name)
        #expect(try stored.document == sealed.document)
        #expect(stored.author.text == "alice")
        #expect(stored.place == story.place)
        #expect(!stored.isPinned && !stored.isReleased && !stored.isRevealed && !stored.isInConflict)
    }

    @Test("another one over it is refused, and with replacing it takes its place")
    func replacing() throws {
        let first = try story.seal(in: story.alice)
        try refuses(AnswerError.exists(isReplaceable: true), story.alice) {
            try story.seal(in: story.alice)
        }
        let second = try story.seal(in: story.alice, replacing: true)
        #expect(second.document.commitment != first.document.commitment)
        #expect(try story.alice.answer(story.name).document == second.document)
    }

    /// In a process of its own: it counts what the whole process takes.
    @Test("to list answers takes no piece of guarded memory: their keys stay sealed")
    func pieces() async {
        await #expect(processExitsWith: .success) {
            let story = try Story()
            for number in 0..<64 {
                try story.seal(in: story.alice, question: QuestionID(parsing: "q_\(number)"))
            }
            _ = try story.alice.answers()  // what is made once is there
            let before = SelfTest.memory.taken
            let count = try story.alice.answers().count
            let taken = SelfTest.memory.taken - before
            precondition(count == 64 && taken == 0, "\(taken) pieces for \(count) answers")
        }
    }

    @Test("all answers are listed, by couple, place and question, and those of one couple alone")
    func listed() throws {
        #expect(try story.alice.answers().isEmpty)
        let later = try AnswerPlace(parsing: "daily:2026-11-21")
        let other = try QuestionID(parsing: "q_1")
        try story.seal(in: story.alice, place: later)
        try story.seal(in: story.alice)
        try story.seal(in: story.alice, question: other)
        let second = try CoupleID(parsing: "couple_0")
        try story.alice.plant(second)
        try story.alice.seal(answer: #"{"answer":"x"}"#.utf8, to: other, at: later, of: second)
        func names(_ couple: CoupleID?) throws -> [String] {
            try story.alice.answers(of: couple).map {
                "\($0.couple.text) \($0.place.text) \($0.question.text)"
            }
        }
        let ours = [
            "couple_1 daily:2026-11-20 q_1", "couple_1 daily:2026-11-20 q_42",
            "couple_1 daily:2026-11-21 q_42",
        ]
        #expect(try names(nil) == ["couple_0 daily:2026-11-21 q_1"] + ours)
        #expect(try names(story.couple) == ours)
        // Not of a couple whose name only begins so, and not of one that is not there.
        try story.alice.plant(CoupleID(parsing: "couple_10"))
        #expect(try names(CoupleID(parsing: "couple_10")).isEmpty)
        #expect(throws: VaultError.couple(.missing)) {
            try story.alice.answers(of: CoupleID(parsing: "couple"))
        }
    }

    @Test("replacing ends with our release")
    func afterRelease() throws {
        try story.seal(in: story.alice)
        let theirs = try story.seal(in: story.bob)
        _ = try story.alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        for replacing in [false, true] {
            try refuses(AnswerError.exists(isReplaceable: false), story.alice) {
                try story.seal(in: story.alice, replacing: replacing)
            }
        }
    }

    @Test("replacing ends with the partner's reveal, though ours is not released")
    func afterReveal() throws {
        let ours = try story.seal(in: story.alice)
        let theirs = try story.seal(in: story.bob)
        _ = try story.alice.reveal(story.name, of: theirs, with: story.releaseOfBob(facing: ours))
        #expect(try !story.alice.answer(story.name).isReleased)
        try refuses(AnswerError.exists(isReplaceable: false), story.alice) {
            try story.seal(in: story.alice, replacing: true)
        }
    }

    @Test("an answer of an unknown couple, a reserved question, or no object: nothing is kept")
    func refused() throws {
        let (alice, place) = (story.alice, story.place)
        let other = try CoupleID(parsing: "couple_2")
        try refuses(CoupleError.missing, alice) {
            try alice.seal(answer: "{}".utf8, to: story.question, at: place, of: other)
        }
        try refuses(AnswerError.reservedQuestion, alice) {
            try story.seal(in: alice, question: QuestionID(parsing: "ck.rekey.1"))
        }
        let fault = JSONFault(.unexpectedByte(at: 0), in: [0x5B].span)
        try refuses(.payload(.malformed(fault)), alice) { try story.seal("[1]", in: alice) }
        try refuses(.payload(.reservedName), alice) { try story.seal("{\"_b\":1}", in: alice) }
        try refuses(.payload(.tooShort), alice) {
            try story.seal("{}", in: alice, profile: .compat)
        }
    }

    @Test("one question in two places is two answers, and then the place must be named")
    func places() throws {
        let thread = try AnswerPlace(parsing: "thread:t_1")
        let anywhere = AnswerName(couple: story.couple, question: story.question, place: nil)
        #expect(throws: VaultError.answer(.notSealed)) { try story.alice.answer(anywhere) }
        let daily = try story.seal(in: story.alice)
        #expect(try story.alice.answer(anywhere).document == daily.document)
        let message = try story.seal(in: story.alice, place: thread)
        #expect(throws: VaultError.answer(.severalPlaces(2))) { try story.alice.answer(anywhere) }
        #expect(try story.alice.answer(story.name).document == daily.document)
        let inThread = AnswerName(couple: story.couple, question: story.question, place: thread)
        #expect(try story.alice.answer(inThread).document == message.document)
        #expect(message.document.isRevealed == nil)
        let theirs = try story.seal(in: story.bob)
        try refuses(AnswerError.severalPlaces(2), story.alice) {
            _ = try story.alice.release(anywhere, to: theirs, key: story.bob.device.publicKey)
        }
        try refuses(AnswerError.severalPlaces(2), story.alice) {
            _ = try story.alice.reveal(anywhere, of: theirs, with: nil)
        }
    }
}
