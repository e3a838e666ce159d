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
    private func reveal(_ number: Int, archiving: Archiving? = .always) throws -> AnswerRevelation {
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

    @Test("a record of before opens, and its key, which was dropped, stays lost") func former() throws {
        _ = try reveal(1)
        let theirs = PartnerAnswer(
            of: try UserID(parsing: "bob"), try story.bob.answer(name(1)).document)
        let former = FormerAnswer(try alice.answer(name(1)))
        try alice.change { $0.put(former) }
        let (stored, bob) = (try alice.answer(name(1)), try UserID(parsing: "bob"))
        #expect(stored.isReleased && stored.isRevealed && !stored.isForgotten && !stored.isArchived)
        let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        let digits = try alice.safetyNumber(of: story.couple, partner: bob, key: other)
        try alice.verify(partner: bob, of: story.couple, key: other, against: digits)
        try refuses(AnswerError.keyNotKept, alice) {
            _ = try alice.release(name(1), to: theirs, key: other)
        }
    }
}

/// An answer that is released and revealed, as 0.2 wrote it: without its one-time key, and without what follows the conflict.
private struct FormerAnswer: Record {
    static let kind = RecordKind.answer
    private let answer: StoredAnswer

    init(_ answer: StoredAnswer) { self.answer = answer }
    init(_: inout RecordFields, in _: Span<UInt8>) throws(VaultError) { throw .damaged }

    var recordID: RecordID { answer.recordID }
    var maximumByteCount: Int { answer.maximumByteCount }

    func write(to output: inout OutputSpan<UInt8>) {
        guard let pin = answer.pin, let release = answer.release else { return }
        for text in [answer.couple.text, answer.question.text, answer.place.text, answer.author.text] {
            output.append(field: text)
        }
        output.append(field: answer.commitment.text)
        for flag in [false, true] { output.append(field: flag) }
        output.append(field: pin.commitment.text)
        output.append(field: [UInt8](bigEndian: UInt64(pin.epoch)))
        output.append(field: Couple.bytes(pin.provingKeyIDs))
        output.append(field: true)
        output.append(field: release.partner.text)
        output.append(field: release.boxes[0].key.text)
        output.append(field: release.payloadDigest)
        output.append(field: release.boxes[0].keybox.text)
        for flag in [true, false] { output.append(field: flag) }
    }
}
