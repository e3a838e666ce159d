import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import Testing

@Suite("A couple's life, as an app lives it")
struct CoupleLifeTests {
    private let folder: TemporaryFolder
    private let alice: Phone
    private let bob: Phone
    private let couple: CoupleID
    private let question: QuestionID
    private let place: AnswerPlace

    init() throws {
        folder = try TemporaryFolder()
        (alice, bob) = (try Phone("alice", in: folder), try Phone("bob", in: folder))
        (couple, question) = (try CoupleID(parsing: "couple_1"), try QuestionID(parsing: "q_42"))
        place = try AnswerPlace(parsing: "daily:2026-11-20")
    }

    @Test("the parts of a draft are moved out: a phrase for paper, an invite for the partner, who joins")
    func createAndJoin() throws {
        let phrase = try begin()
        let words = InsecureCopy.string(phrase.text).split(separator: " ")
        #expect(words.count == RecoveryPhrase.wordCount)
        #expect(try alice.vault.couple(couple).fingerprint == bob.vault.couple(couple).fingerprint)
        #expect(try bob.vault.pairingState(of: couple) == .serverKnown)
    }

    @Test("fields go both ways") func fields() throws {
        _ = try begin()
        let token = try alice.vault.couple(couple).fieldKey().seal(Data("good morning".utf8))
        let opened = try bob.vault.couple(couple).fieldKey().open(FieldToken(parsing: Data(token.text)))
        #expect(Data(opened.plaintext) == Data("good morning".utf8))
    }

    @Test("safety numbers are compared, and the couple gets a key that no server saw") func rekey() throws {
        _ = try begin()
        try compareSafetyNumbers()
        #expect(try alice.vault.pairingState(of: couple) == .verified)

        let draft = try alice.vault.draftRekey(of: couple, partner: bob.user)
        try alice.vault.store(draft)
        let document = Data(draft.document.bytes)
        let newPhrase = draft.phrase

        let drafted = try bob.vault.draftAcceptance(
            for: RekeyDocument(parsing: document), of: couple, partner: alice.user)
        guard let drafted else { throw VaultError.rekey(.changedMeanwhile) }
        try bob.vault.store(drafted)
        let accepted = drafted.couple
        #expect(accepted.epoch == 1)
        #expect(try alice.vault.couple(couple).fingerprint == accepted.fingerprint)
        #expect(try bob.vault.pairingState(of: couple) == .rekeyed)

        let replacement = try Phone("alice", in: folder, model: "second phone")
        let stored = Data(try alice.vault.couple(couple).document.bytes)
        let recovered = try replacement.vault.recover(
            couple, from: CoupleDocument(parsing: stored), phrase: newPhrase, beginningAt: .strict)
        #expect(recovered.fingerprint == accepted.fingerprint)
    }

    @Test("both answer, both release, both read: nobody sees first") func answers() throws {
        _ = try begin()
        let ours = try send(alice, #"{"answer":"yes","stars":5}"#)
        #expect(try state(of: bob) == .unanswered)
        let theirs = try send(bob, #"{"answer":"no"}"#)
        #expect(try state(of: alice) == .sealed)

        let forBob = try release(alice, theirs, to: bob)
        let forAlice = try release(bob, ours, to: alice)
        #expect(try state(of: alice) == .released)

        #expect(try reveal(bob, ours, forBob, of: alice) == #"{"answer":"yes","stars":5}"#)
        #expect(try reveal(alice, theirs, forAlice, of: bob) == #"{"answer":"no"}"#)
        #expect(try state(of: alice) == .revealed)
    }

    @Test("a lost phone is replaced with the phrase") func recover() throws {
        let phrase = try begin()
        let stored = Data(try alice.vault.couple(couple).document.bytes)
        let paper = SecretBytes(copying: InsecureCopy.bytes(phrase.text))
        let replacement = try Phone("alice", in: folder, model: "second phone")
        try replacement.vault.recover(
            couple, from: CoupleDocument(parsing: stored), phrase: RecoveryPhrase(typed: paper),
            beginningAt: .strict)
        #expect(
            try replacement.vault.couple(couple).fingerprint == bob.vault.couple(couple).fingerprint)
    }

    @Test("a code that goes by mouth is typed, and the invite has none") func codeByMouth() throws {
        let draft = try alice.vault.draftCouple(of: couple, beginningAt: .strict)
        try alice.vault.store(draft)
        guard let invite = draft.invite else { throw Missing.invite }
        let document = try InviteDocument(parsing: invite)
        let sent = Data(InsecureCopy.bytes(document.withoutCode().bytes))
        guard let code = document.code else { throw Missing.code }
        let heard = InsecureCopy.string(code.text).lowercased()

        let received = try InviteDocument(parsing: SecretBytes(copying: sent))
        let typed = try InviteCode(typed: SecretBytes(utf8: heard))
        #expect(try bob.vault.join(couple, with: received, code: typed, beginningAt: .strict).id == couple)
    }

    // MARK: - Steps

    /// Creates the couple, and gives the phrase.
    private func begin() throws -> RecoveryPhrase {
        let draft = try alice.vault.draftCouple(of: couple, beginningAt: .strict)
        try alice.vault.store(draft)
        guard let invite = draft.invite else { throw Missing.invite }
        try join(Data(InsecureCopy.bytes(invite)))
        return draft.phrase
    }

    private func join(_ received: Data) throws {
        let invite = try InviteDocument(parsing: SecretBytes(copying: received))
        switch invite.code {
        case .some(let code): try bob.vault.join(couple, with: invite, code: code, beginningAt: .strict)
        case .none: throw Missing.code
        }
    }

    private func compareSafetyNumbers() throws {
        let shown = try bob.vault.safetyNumber(of: couple, partner: alice.user, key: alice.publicKey)
        let typed = try SafetyNumber(typed: Data(shown.description.utf8))
        try alice.vault.verify(partner: bob.user, of: couple, key: bob.publicKey, against: typed)
        let ours = try alice.vault.safetyNumber(of: couple, partner: bob.user)
        try bob.vault.verify(partner: alice.user, of: couple, key: alice.publicKey, against: ours)
    }

    private var name: AnswerName { AnswerName(couple: couple, question: question, place: place) }

    private func state(of phone: Phone) throws -> AnswerState { try phone.vault.answerState(of: name) }

    private func send(_ phone: Phone, _ json: String) throws -> Data {
        let answer = try phone.vault.seal(
            answer: Data(json.utf8), to: question, at: place, of: couple)
        return Data(try answer.document.bytes)
    }

    private func release(_ phone: Phone, _ partners: Data, to partner: Phone) throws -> Data {
        let theirs = PartnerAnswer(of: partner.user, try AnswerDocument(parsing: partners))
        return Data(try phone.vault.release(name, to: theirs, key: partner.publicKey).document.bytes)
    }

    private func reveal(
        _ phone: Phone, _ partners: Data, _ keybox: Data, of partner: Phone
    ) throws -> String {
        let theirs = PartnerAnswer(of: partner.user, try AnswerDocument(parsing: partners))
        let revelation = try phone.vault.reveal(
            name, of: theirs, with: ReleaseKeyDocument(parsing: keybox))
        #expect(revelation.answer.payload.count % 256 == 0)
        #expect(revelation.authenticity == .serverForgeable)
        return String(decoding: revelation.answer.answer, as: UTF8.self)
    }

    private enum Missing: Error { case invite, code }
}

@Suite("A keybox, taken apart")
struct PartsTests {
    @Test("what a keybox held is moved out and used") func keybox() throws {
        let identity = Keyset(.ecies(ECIESParameters()))
        let box = try HybridBox.seal(
            SecretBytes(utf8: "sixteen letters!"), to: identity.publicKeyset(),
            context: Data("a|b".utf8))
        let opened = try HybridBox.open(Data(box), with: identity, context: Data("a|b".utf8))
        let keyID = opened.keyID
        let content = opened.plaintext
        #expect(
            keyID == identity.primaryID && Data(InsecureCopy.bytes(content)) == Data("sixteen letters!".utf8))
    }

    @Test("what has no name of its own yet is taken apart, too") func chained() throws {
        let identity = Keyset(.ecies(ECIESParameters()))
        let box = try HybridBox.seal(
            InviteCode.random().takeText(), to: identity.publicKeyset(), context: Data())
        let code = try InviteCode(
            parsing: HybridBox.open(box, with: identity, context: Data()).takePlaintext())
        #expect(InsecureCopy.string(code.text).count == 6)
    }
}
