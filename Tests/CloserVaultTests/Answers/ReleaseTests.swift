import CloserKeys
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

@Suite("Releasing an answer")
struct ReleaseTests {
    private let story: Story
    private let ours: PartnerAnswer
    private let theirs: PartnerAnswer
    private let key: PublicKeyToken

    init() throws {
        story = try Story()
        (ours, theirs) = (try story.seal(in: story.alice), try story.seal(in: story.bob))
        key = try story.bob.device.publicKey
    }

    private var alice: Vault { story.alice }

    @discardableResult
    private func release(_ theirs: PartnerAnswer, key: PublicKeyToken? = nil) throws -> [UInt8] {
        try alice.release(story.name, to: theirs, key: key ?? self.key).document.bytes
    }

    @Test("the keybox opens for the partner, the answer is pinned and the partner's key is stored")
    func released() throws {
        let released = try alice.release(story.name, to: theirs, key: key)
        let (document, isVerified) = (released.document, released.isPartnerVerified)
        #expect((document.senderID.text, document.recipientID.text, isVerified) == ("alice", "bob", false))
        let stored = try alice.answer(story.name)
        #expect(stored.isReleased && !stored.isRevealed)
        #expect(stored.pin?.commitment == theirs.document.commitment)
        #expect(try alice.partners(of: story.couple).map(\.key) == [key])
        let revelation = try story.bob.reveal(story.name, of: ours, with: document)
        let (answer, authenticity) = (revelation.answer, revelation.authenticity)
        #expect(answer.commitment == ours.document.commitment)
        #expect(authenticity == .serverForgeable)
    }

    @Test("the same input gives the same bytes, also from a document that was written anew")
    func again() throws {
        let first = try release(theirs)
        for _ in 1...5 { #expect(try release(theirs) == first) }
        let reread = try story.changed(theirs)
        #expect(try release(reread) == first)
    }

    @Test(
        "another person, another key, another text or another commitment is refused after a release",
        .proves("W6: an answer cannot change after its author has read the other's"))
    func otherInput() throws {
        try release(theirs)
        try refuses(AnswerError.releasedToAnother, alice) {
            try release(story.changed(theirs, partner: "carol", userID: "carol"))
        }
        let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        try refuses(AnswerError.partnerKeyChanged, alice) { try release(theirs, key: other) }
        try refuses(AnswerError.partnerKeyIsOurs, alice) { try release(theirs, key: alice.device.publicKey) }
        let token = try story.forged(Array("{\"answer\":\"another answer of some length\"}".utf8)).answer
            .document.token
        try refusesButForConflict { try release(story.changed(theirs, token: token)) }
        // It is noted already.
        try refuses(.reveal(.pinMismatch), alice) {
            try release(story.changed(theirs, commitment: .testOnlyOther))
        }
        #expect(try alice.answer(story.name).isInConflict)
    }

    @Test(
        "a partner's new key gets the answer once it is verified, and each key the same bytes for ever",
        .proves("W8: an answer that was released goes to a verified new key, and to no other"))
    func newKey() throws {
        let first = try release(theirs)
        let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        try refuses(AnswerError.partnerKeyChanged, alice) { try release(theirs, key: other) }
        let bob = try UserID(parsing: "bob")
        let digits = try alice.safetyNumber(of: story.couple, partner: bob, key: other)
        try alice.verify(partner: bob, of: story.couple, key: other, against: digits)
        let second = try release(theirs, key: other)
        #expect(try first != second && release(theirs, key: other) == second && release(theirs) == first)
        #expect(try alice.release(story.name, to: theirs, key: other).isToNewKey)
        #expect(try !alice.release(story.name, to: theirs, key: key).isPartnerVerified)
    }

    @Test("a key that is pinned and unverified gets nothing that another key of the partner got")
    func unverifiedKey() throws {
        try release(theirs)
        let bob = try UserID(parsing: "bob")
        try alice.change { transaction throws(VaultError) in
            transaction.delete(.partner, under: Partner.id(bob, of: story.couple))
        }
        let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        try refuses(AnswerError.notVerified, alice) { try release(theirs, key: other) }
    }

    /// The note is all that may change: the answer's record and the counter.
    private func refusesButForConflict(_ body: () throws -> Void) throws {
        let (rows, before) = (try alice.rows(), try alice.answer(story.name))
        #expect(throws: VaultError.reveal(.pinMismatch), performing: body)
        #expect(try Set(alice.rows()).symmetricDifference(rows).count == 4)
        let after = try alice.answer(story.name)
        #expect(after.isInConflict)
        #expect(try after.document == before.document)
        #expect((after.pin, after.release) == (before.pin, before.release))
        #expect(after.isRevealed == before.isRevealed)
    }

    @Test("after a conflict, the answer that was pinned first still gets the same bytes")
    func afterConflict() throws {
        let first = try release(theirs)
        #expect(throws: VaultError.reveal(.pinMismatch)) {
            try release(story.changed(theirs, commitment: .testOnlyOther))
        }
        #expect(try release(theirs) == first)
        #expect(try alice.answer(story.name).isInConflict)
    }

    @Test(
        "before a release: a copied commitment, ourselves, another user, another question, no answer of ours",
        .proves("W18: a copy of our own commitment is refused"))
    func refused() throws {
        try refuses(AnswerError.ownCommitment, alice) {
            try release(story.changed(theirs, commitment: ours.document.commitment))
        }
        try refuses(AnswerError.partnerIsSelf, alice) { try release(ours) }
        try refuses(AnswerError.otherAnswer, alice) { try release(story.changed(theirs, userID: "carol")) }
        try refuses(AnswerError.otherAnswer, alice) { try release(story.changed(theirs, partner: "carol")) }
        try refuses(AnswerError.otherAnswer, alice) { try release(story.changed(theirs, question: "q_43")) }
        let other = AnswerName(
            couple: story.couple, question: try QuestionID(parsing: "q_43"), place: story.place)
        try refuses(AnswerError.notSealed, alice) { _ = try alice.release(other, to: theirs, key: key) }
        let stranger = AnswerName(
            couple: try CoupleID(parsing: "couple_2"), question: story.question, place: story.place)
        try refuses(CoupleError.missing, alice) { _ = try alice.release(stranger, to: theirs, key: key) }
        #expect(try alice.partners(of: story.couple).isEmpty)
    }

    @Test(
        "where a verified key is required, one that nobody compared is refused, and not even stored",
        .proves("W4: `--require-verified` refuses a key that was not compared"))
    func requiringVerified() throws {
        try refuses(AnswerError.notVerified, alice) {
            _ = try alice.release(story.name, to: theirs, key: key, requiringVerified: true)
        }
        #expect(try alice.partners(of: story.couple).isEmpty)
    }

    @Test(
        "the first key of a partner stays for other questions, and another one is refused",
        .proves("W4: the first key of a partner is pinned, and another key is refused until it is compared"))
    func partnerPin() throws {
        try release(theirs)
        let question = try QuestionID(parsing: "q_43")
        try story.seal(in: alice, question: question)
        let second = try story.seal(in: story.bob, question: question)
        let name = AnswerName(couple: story.couple, question: question, place: story.place)
        let swapped = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        try refuses(AnswerError.partnerKeyChanged, alice) {
            _ = try alice.release(name, to: second, key: swapped)
        }
        _ = try alice.release(name, to: second, key: key)
        #expect(try alice.partners(of: story.couple).map(\.key) == [key])
    }
}
