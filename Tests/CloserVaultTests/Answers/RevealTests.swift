import CloserKeys
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

@Suite("Revealing the partner's answer")
struct RevealTests {
    private let story: Story
    private let ours: PartnerAnswer
    private let theirs: PartnerAnswer
    private let keybox: ReleaseKeyDocument

    init() throws {
        story = try Story()
        (ours, theirs) = (try story.seal(in: story.alice), try story.seal(in: story.bob))
        keybox = try story.releaseOfBob(facing: ours)
    }

    private var alice: Vault { story.alice }

    private func reveal(_ theirs: PartnerAnswer? = nil, with keybox: ReleaseKeyDocument? = nil) throws {
        _ = try alice.reveal(story.name, of: theirs ?? self.theirs, with: keybox ?? self.keybox)
    }

    @Test("the first success stores the pin, and the same answer may be seen again")
    func revealed() throws {
        for _ in 1...3 {
            let revelation = try alice.reveal(story.name, of: theirs, with: keybox)
            let (answer, authenticity) = (revelation.answer, revelation.authenticity)
            #expect(String(decoding: answer.payload, as: UTF8.self).contains("an answer that is long enough"))
            #expect(authenticity == .serverForgeable)
        }
        let stored = try alice.answer(story.name)
        #expect(stored.isRevealed && !stored.isReleased && !stored.isInConflict)
        #expect(stored.pin == Pin(theirs.document.commitment, epoch: 0))
        #expect(try alice.partners(of: story.couple).map(\.authenticates) == [true])
    }

    @Test("released and revealed, an answer keeps its pins and its release, and not its text")
    func shrunk() throws {
        try reveal()
        #expect(try alice.answer(story.name).document.commitment == ours.document.commitment)
        let key = try story.bob.device.publicKey
        let released = try alice.release(story.name, to: theirs, key: key).document.bytes
        let stored = try alice.answer(story.name)
        #expect(stored.sealed == nil)
        #expect(throws: AnswerError.textNotKept) { try stored.document }
        #expect(stored.commitment == ours.document.commitment && stored.isPinned)
        #expect(try alice.release(story.name, to: theirs, key: key).document.bytes == released)
        try reveal()
        try refuses(AnswerError.exists(isReplaceable: false), alice) {
            try story.seal(in: alice, replacing: true)
        }
        try refuses(AnswerError.ownCommitment, alice) {
            try reveal(story.changed(theirs, commitment: ours.document.commitment))
        }
    }

    @Test(
        "nobody is shown an answer before giving one",
        .proves(
            "W6: an answer is shown only to a user who has sealed one, or whose former phone did, as the server says"
        ))
    func oursFirst() throws {
        let question = try QuestionID(parsing: "q_43")
        let name = AnswerName(couple: story.couple, question: question, place: story.place)
        let second = try story.seal(in: story.bob, question: question)
        try refuses(AnswerError.notSealed, alice) { _ = try alice.reveal(name, of: second, with: keybox) }
        let otherDay = AnswerName(
            couple: story.couple, question: story.question,
            place: try AnswerPlace(parsing: "daily:2026-11-21"))
        try refuses(AnswerError.notSealed, alice) { _ = try alice.reveal(otherDay, of: theirs, with: keybox) }
    }

    @Test(
        "a copied commitment, ourselves, another user or question, no keybox",
        .proves("W18: a copy of our own commitment is refused"))
    func refused() throws {
        try refuses(AnswerError.ownCommitment, alice) {
            try reveal(story.changed(theirs, commitment: ours.document.commitment))
        }
        try refuses(AnswerError.partnerIsSelf, alice) { try reveal(ours) }
        try refuses(AnswerError.otherAnswer, alice) { try reveal(story.changed(theirs, userID: "carol")) }
        try refuses(AnswerError.otherAnswer, alice) { try reveal(story.changed(theirs, question: "q_43")) }
        try refuses(AnswerError.noKeybox, alice) {
            _ = try alice.reveal(story.name, of: theirs, with: nil)
        }
    }

    @Test(
        "a keybox for another user, of another sender, for another key, or for another answer",
        .proves("W6: a keybox that does not open leaves the vault unchanged"))
    func keyboxes() throws {
        let (carol, bob) = (try UserID(parsing: "carol"), theirs.partner)
        try refuses(AnswerError.keyboxForAnother, alice) {
            try reveal(with: ReleaseKeyDocument(keybox.keybox, from: bob, to: carol))
        }
        try refuses(AnswerError.otherAnswer, alice) {
            try reveal(with: ReleaseKeyDocument(keybox.keybox, from: carol, to: ours.partner))
        }
        let context = try AnswerContext(couple: story.couple, question: story.question, author: bob)
        let sealed = try #require(try story.bob.answer(story.name).sealed)
        let elsewhere = try sealed.release(of: context, to: ours.partner, key: story.bob.device.publicKey)
        try refuses(.keybox(.noMatchingKey), alice) {
            try reveal(with: ReleaseKeyDocument(elsewhere, from: bob, to: ours.partner))
        }
        let toCarol = try sealed.release(of: context, to: carol, key: alice.device.publicKey)
        try refuses(.keybox(.authenticationFailed), alice) {
            try reveal(with: ReleaseKeyDocument(toCarol, from: bob, to: ours.partner))
        }
        let several = try Keyset(.aes256GCM).adding(.aes256GCM)
        let boxed = SealedAnswer(
            token: sealed.token, commitment: sealed.commitment, oneTimeKey: several)
        let two = try boxed.release(of: context, to: ours.partner, key: alice.device.publicKey)
        try refuses(.keyset(.severalKeys), alice) {
            try reveal(with: ReleaseKeyDocument(two, from: bob, to: ours.partner))
        }
    }

    @Test(
        "another text, another commitment, another day: each with its own error",
        .proves("W19: an answer of another day or thread is refused"))
    func readingOrder() throws {
        let forged = try story.forged(Array("{\"answer\":\"another answer of some length\"}".utf8))
        try refuses(.reveal(.noMatchingKey), alice) {
            try reveal(story.changed(theirs, token: forged.answer.document.token))
        }
        try refuses(.reveal(.commitmentMismatch), alice) {
            try reveal(story.changed(theirs, commitment: .testOnlyOther))
        }
        let day = try AnswerPlace(parsing: "daily:2026-11-21")
        let replayed = try story.seal(in: story.bob, place: day)
        let name = AnswerName(couple: story.couple, question: story.question, place: day)
        let box = try story.bob.release(name, to: ours, key: alice.device.publicKey).document
        try refuses(.reveal(.placeMismatch), alice) { try reveal(replayed, with: box) }
    }

    @Test("a payload with members of ours and no valid MAC")
    func noMAC() throws {
        let stranger = try CoupleKey(Keyset(.aes256GCM))
        let context = try AnswerContext(
            couple: story.couple, question: story.question, author: theirs.partner)
        let payload = try AnswerPayload(
            hardened: "{\"answer\":\"yes\"}".utf8, of: context, at: story.place, key: stranger)
        let forged = try story.forged(payload.bytes)
        try refuses(.reveal(.macInvalid), alice) {
            try reveal(forged.answer, with: forged.keybox)
        }
        let part = try story.forged(Array("{\"_c\":\"daily:2026-11-20\",\"answer\":\"yes\"}".utf8))
        try refuses(.reveal(.malformed), alice) { try reveal(part.answer, with: part.keybox) }
    }

    @Test(
        "what was pinned at the release and is not what is shown: a conflict, and no more",
        .proves("W6: an answer cannot change after its author has read the other's"))
    func conflict() throws {
        let another = try story.forged(Array("{\"answer\":\"a fake that the server had pinned\"}".utf8))
        _ = try alice.release(story.name, to: another.answer, key: story.bob.device.publicKey)
        let (rows, before) = (try alice.rows(), try alice.answer(story.name))
        #expect(throws: VaultError.reveal(.pinMismatch)) { try reveal() }
        let after = try alice.answer(story.name)
        #expect(try Set(alice.rows()).symmetricDifference(rows).count == 4)
        #expect(after.isInConflict && !after.isRevealed && after.state == .conflict)
        #expect((after.pin, after.release) == (before.pin, before.release))
    }
}
