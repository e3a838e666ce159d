import CloserKeys
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

@Suite("Archives, and what is left of an answer that is in one")
struct ArchiveTests {
    private let story: Story

    init() throws { story = try Story() }

    private var alice: Vault { story.alice }

    private func name(_ number: Int) throws -> AnswerName {
        AnswerName(couple: story.couple, question: try QuestionID(parsing: "q_\(number)"), place: story.place)
    }

    /// Both answer, Alice releases and reveals, and makes an archive.
    private func reveal(_ number: Int, archiving: Vault.Archiving? = .always) throws -> AnswerRevelation {
        let name = try name(number)
        let ours = try story.seal(in: alice, question: name.question)
        let theirs = try story.seal(in: story.bob, question: name.question)
        _ = try alice.release(name, to: theirs, key: story.bob.device.publicKey)
        let box = try story.bob.release(name, to: ours, key: alice.device.publicKey).document
        let revelation = try alice.reveal(name, of: theirs, with: box, archiving: archiving)
        if let archive = revelation.archive { try alice.noteArchive(archive, of: name) }
        return revelation
    }

    @Test("an archive is a field of the couple at its own place") func field() throws {
        let token = try #require(try reveal(1).archive)
        let (name, key) = (try name(1), try story.bob.couple(story.couple).fieldKey())
        let place = AnswerArchive.fieldPlace(of: name.question, at: story.place)
        let opened = try key.open(token, place: place)
        let archive = try AnswerArchive(
            parsing: opened.plaintext, of: story.couple, name.question,
            at: story.place)
        #expect((archive.ours.author.text, archive.theirs.author.text) == ("alice", "bob"))
        #expect(archive.claim == .serverForgeable)
        #expect(try alice.answer(name).isArchived)
    }

    @Test(
        "an answer takes at most 1,200 bytes of the vault, and what is left of a forgotten one at most 400",
        .proves("a forgotten answer takes at most 400 bytes of the vault, with short ids"))
    func size() throws {
        // The list of the states before is full, and grows no more.
        let couple = try alice.couple(story.couple)
        for _ in 0..<255 { try alice.change { $0.put(couple) } }
        let (before, count) = (try story.vaults.bytes(alice.name).count, 20)
        for number in 1...count { _ = try reveal(number) }
        let full = try story.vaults.bytes(alice.name).count
        #expect((full - before) / count <= 1200)
        try alice.forget(answers: (1...count).map { try name($0) })
        #expect(try (story.vaults.bytes(alice.name).count - before) / count <= 400)
        #expect(
            try alice.answers().allSatisfy { $0.isReleased && $0.isRevealed && $0.isPinned && !$0.isKeyKept })
    }

    @Test("what no archive keeps is not forgotten, nor what stands beside it") func kept() throws {
        _ = (try reveal(1), try reveal(2, archiving: nil))
        try refuses(AnswerError.notArchived, alice) { try alice.forget(answers: [name(1), name(2)]) }
    }

    @Test("an archive under a key that was given up keeps nothing, and one that does not open is not noted")
    func retired() throws {
        let (first, second) = (try #require(try reveal(1).archive), try #require(try reveal(2).archive))
        try refuses(AnswerError.notArchived, alice) { try alice.noteArchive(first, of: name(2)) }
        try alice.noteArchive(second, of: name(2))
        let former = try alice.couple(story.couple).key.keyset
        let keyset = try former.adding(.aes256GCM)
        let newest = try #require(keyset.entries.last?.id)
        try alice.plant(story.couple, keyset: keyset.promoting(newest), rekeyed: [newest])
        try alice.retire(former.primaryID, of: story.couple)
        try refuses(AnswerError.notArchived, alice) { try alice.forget(answers: [name(1)]) }
        #expect(try alice.forgettableAnswers(of: story.couple).isEmpty)
    }

    @Test(
        "a phone that replaces none accepts no document as our answer, nor does a new one for a later day",
        .proves(
            "W6: an answer is shown only to a user who has sealed one, or whose former phone did, as the server says"
        ))
    func ownElsewhere() throws {
        let (theirs, forged) = (
            try story.seal(in: story.bob),
            try story.forged(Array("{\"a\":\"an answer of some length\"}".utf8), of: "alice")
        )
        let box = try story.bob.release(story.name, to: forged.answer, key: alice.device.publicKey).document
        let own = OwnAnswer(forged.answer.document, at: story.place)
        func reveal() throws { _ = try alice.reveal(story.name, of: theirs, with: box, own: own) }
        try refuses(AnswerError.notSealed, alice, reveal)
        try recover(at: 1_795_000_000)
        try refuses(AnswerError.notSealed, alice, reveal)
        try recover(at: 1_795_132_800)
        try reveal()
        #expect(try alice.answer(story.name).commitment == forged.answer.document.commitment)
    }

    /// Alice's vault gets the couple's keys of before it at that time.
    private func recover(at time: UInt64) throws {
        try alice.change { transaction throws(VaultError) in
            var couple = try transaction.couple(story.couple)
            couple.recoveredAt = time
            transaction.put(couple)
        }
    }
}
