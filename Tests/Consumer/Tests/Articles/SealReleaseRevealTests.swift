import CloserKeys
import CloserTink
import CloserVault
import Foundation
import Testing

// doc: SealReleaseReveal
/// What the app shows below a question.
nonisolated func line(for question: AnswerName, in vault: Vault) throws -> String {
    switch try vault.answerState(of: question) {
    case .unanswered: return "Answer, and you will see what your partner wrote."
    case .sealed: return "Your answer is sealed. Waiting for your partner."
    case .released: return "Your answer is released. Waiting for theirs."
    case .revealed:
        return try vault.answer(question).isReleased
            ? "You can read each other's answers."
            : "You have read your partner's answer. They cannot read yours yet."
    case .conflict:
        return "Your partner's answer was exchanged after the first one arrived. Talk about this one."
    }
}
// doc: end

// doc: SealReleaseReveal
/// What to tell when an answer is not taken, or not shown.
nonisolated func reason(for error: any Error) -> String {
    switch error {
    case VaultError.answer(.exists(isReplaceable: true)): "You have answered already."
    case VaultError.answer(.exists): "You have answered already, and it can no longer be changed."
    case VaultError.payload(.tooLarge): "Your answer is too long."
    case VaultError.payload: "Your answer could not be sealed. Please contact us."
    case VaultError.answer(.otherAnswer), VaultError.answer(.partnerIsSelf):
        "This is not your partner's answer to this question. Please contact us."
    case VaultError.keybox(.noMatchingKey):
        "Your partner released this answer to another phone of yours. Ask them to release it again."
    case VaultError.answer(.notSealed): "Answer first."
    case VaultError.answer(.noKeybox): "Your partner has not released their answer yet."
    case VaultError.answer(.partnerKeyChanged):
        "Your partner has another key than before. Compare your safety numbers."
    case VaultError.answer(.notVerified): "Compare your safety numbers first."
    case VaultError.reveal(.pinMismatch):
        "This is not the answer that arrived first. Talk about this one."
    case VaultError.answer(.unauthenticated): "Nothing proves that your partner wrote this."
    case VaultError.answer(.serverForgeable):
        "This answer is older than your new key. Ask your partner to answer again."
    case VaultError.answer, VaultError.keybox, VaultError.keyset, VaultError.reveal:
        "This answer was changed on its way, so it is not shown."
    default: "Please try again, or contact us."
    }
}
// doc: end

@Suite("The article: Seal, release, reveal")
struct SealReleaseRevealTests {
    private let (vault, theirVault): (Vault, Vault)
    private let folder: TemporaryFolder
    private let couple: CoupleID
    private let question: QuestionID
    private let place: AnswerPlace
    private let partner: UserID
    private let partnerKey: PublicKeyToken

    init() throws {
        folder = try TemporaryFolder()
        let (alice, bob) = (try Phone("alice", in: folder), try Phone("bob", in: folder))
        (vault, theirVault) = (alice.vault, bob.vault)
        (couple, question) = (try CoupleID(parsing: "couple_1"), try QuestionID(parsing: "q_42"))
        place = try AnswerPlace(parsing: "daily:2026-11-20")
        (partner, partnerKey) = (bob.user, try bob.publicKey)
        let draft = try vault.draftCouple(of: couple, beginningAt: .strict)
        try vault.store(draft)
        let words = draft.phrase
        try theirVault.recover(couple, from: draft.couple.document, phrase: words, beginningAt: .strict)
    }

    private var name: AnswerName { AnswerName(couple: couple, question: question, place: place) }

    private func theirAnswer(_ json: String) throws -> Data {
        let sealed = try theirVault.seal(answer: Data(json.utf8), to: question, at: place, of: couple)
        return Data(try sealed.document.bytes)
    }

    private func theirRelease(of answer: Data) throws -> Data {
        let ours = PartnerAnswer(
            of: try vault.device.userID, try AnswerDocument(parsing: answer))
        return Data(
            try theirVault.release(name, to: ours, key: vault.device.publicKey).document.bytes)
    }

    @Test("the three steps, as the article has them") func steps() throws {
        #expect(try line(for: name, in: vault).hasPrefix("Answer, and"))
        let json = Data(#"{"answer":"yes"}"#.utf8)
        var uploaded: [Data] = []
        let upload = { (document: [UInt8]) in uploaded.append(Data(document)) }

        // doc: SealReleaseReveal
        let ours = try vault.seal(answer: json, to: question, at: place, of: couple)
        upload(try ours.document.bytes)
        // doc: end

        #expect(try line(for: name, in: vault).contains("sealed"))
        let theirAnswer = try theirAnswer(#"{"answer":"no"}"#)

        // doc: SealReleaseReveal
        let name = AnswerName(couple: couple, question: question, place: place)
        let theirs = PartnerAnswer(of: partner, try AnswerDocument(parsing: theirAnswer))
        let released = try vault.release(name, to: theirs, key: partnerKey)
        upload(released.document.bytes)
        // doc: end

        #expect(uploaded.count == 2 && !released.isPartnerVerified)
        #expect(try line(for: name, in: vault).contains("released"))
        let theirRelease = try theirRelease(of: uploaded[0])

        // doc: SealReleaseReveal
        let revelation = try vault.reveal(name, of: theirs, with: ReleaseKeyDocument(parsing: theirRelease))
        let answer = Data(revelation.answer.answer)
        // doc: end

        #expect(answer == Data(#"{"answer":"no"}"#.utf8))
        #expect(revelation.authenticity == .serverForgeable)
        #expect(try line(for: name, in: vault) == "You can read each other's answers.")
        #expect(try vault.release(name, to: theirs, key: partnerKey).document == released.document)
    }

    @Test("an archive with a reveal, and a reveal on a new phone") func newPhone() throws {
        let json = Data(#"{"answer":"yes"}"#.utf8)
        let ours = try vault.seal(answer: json, to: question, at: place, of: couple)
        let ourDocument = Data(try ours.document.bytes)
        let theirs = PartnerAnswer(of: partner, try AnswerDocument(parsing: theirAnswer(#"{"answer":"no"}"#)))
        _ = try vault.release(name, to: theirs, key: partnerKey)
        let theirRelease = try theirRelease(of: ourDocument)

        // doc: SealReleaseReveal
        let archive = try vault.reveal(
            name, of: theirs, with: ReleaseKeyDocument(parsing: theirRelease),
            own: OwnAnswer(ours.document, at: place),
            archiving: .always
        ).archive
        let archivePlace = AnswerArchive.fieldPlace(of: question, at: place)
        // doc: end

        let token = try #require(archive)
        let opened = try theirVault.couple(couple).fieldKey().open(token, place: archivePlace).plaintext
        let read = try AnswerArchive(parsing: opened, of: couple, question, at: place)
        #expect(read.ours.author.text == "alice" && read.theirs.author == partner)
        try newPhone(ourDocument, theirs)
    }

    /// The partner verifies the new phone's key, and releases to it.
    private func newPhone(_ ourDocument: Data, _ theirs: PartnerAnswer) throws {
        let (phone, user) = (try Phone("alice", in: folder, model: "new phone"), try vault.device.userID)
        let key = try phone.publicKey
        let digits = try theirVault.safetyNumber(of: couple, partner: user, key: key)
        try theirVault.verify(partner: user, of: couple, key: key, against: digits)
        let draft = try vault.draftRewrap(of: couple)
        try vault.store(draft)
        try phone.vault.recover(
            couple, from: draft.couple.document, phrase: draft.phrase, beginningAt: .strict)
        let ours = PartnerAnswer(of: user, try AnswerDocument(parsing: ourDocument))
        let releasedAgain = Data(try theirVault.release(name, to: ours, key: key).document.bytes)
        let vault = phone.vault

        // doc: SealReleaseReveal
        let own = OwnAnswer(try AnswerDocument(parsing: ourDocument), at: place)
        let answer = try vault.reveal(
            name, of: theirs, with: ReleaseKeyDocument(parsing: releasedAgain), own: own,
            allowingUnauthenticated: true
        ).answer.answer
        // doc: end

        #expect(Data(answer) == Data(#"{"answer":"no"}"#.utf8))
    }

    @Test("who reveals without a release of their own reads, and is told that the partner cannot")
    func notReleased() throws {
        let ours = try vault.seal(
            answer: Data(#"{"answer":"yes"}"#.utf8), to: question, at: place, of: couple)
        let theirs = try theirAnswer(#"{"answer":"no"}"#)
        let release = try theirRelease(of: Data(try ours.document.bytes))
        let answer = PartnerAnswer(of: partner, try AnswerDocument(parsing: theirs))
        _ = try vault.reveal(name, of: answer, with: ReleaseKeyDocument(parsing: release))
        #expect(try line(for: name, in: vault).contains("They cannot read yours yet"))
        _ = try vault.release(name, to: answer, key: partnerKey)
        #expect(try line(for: name, in: vault) == "You can read each other's answers.")
    }

    @Test("a slip of the app or of a person is not blamed on the server") func slips() throws {
        let json = Data(#"{"answer":"yes"}"#.utf8)
        expect("Your answer could not be sealed. Please contact us.") {
            try vault.seal(
                answer: Data(#"{"a":1}"#.utf8), to: question, at: place, of: couple, profile: .compat)
        }
        try vault.seal(answer: json, to: question, at: place, of: couple)
        expect("You have answered already.") {
            try vault.seal(answer: json, to: question, at: place, of: couple)
        }
        let document = try AnswerDocument(parsing: theirAnswer(#"{"answer":"no"}"#))
        let mistyped = PartnerAnswer(of: try UserID(parsing: "rob"), document)
        expect("This is not your partner's answer to this question. Please contact us.") {
            try vault.release(name, to: mistyped, key: partnerKey)
        }
        _ = try vault.release(name, to: PartnerAnswer(of: partner, document), key: partnerKey)
        expect("You have answered already, and it can no longer be changed.") {
            try vault.seal(answer: json, to: question, at: place, of: couple, replacing: true)
        }
    }

    @Test("digits are compared, and from then on a key that was not compared is refused")
    func compare() throws {
        let theirs = PartnerAnswer(
            of: partner, try AnswerDocument(parsing: theirAnswer(#"{"answer":"no"}"#)))
        try vault.seal(answer: Data(#"{"answer":"yes"}"#.utf8), to: question, at: place, of: couple)
        let refused = #expect(throws: VaultError.self) {
            try vault.release(name, to: theirs, key: partnerKey, requiringVerified: true)
        }
        #expect(refused.map(reason) == "Compare your safety numbers first.")
        let us = try vault.device
        let shown = try theirVault.safetyNumber(of: couple, partner: us.userID, key: us.publicKey)
        let digits = shown.description

        // doc: SealReleaseReveal
        let number = try vault.safetyNumber(of: couple, partner: partner, key: partnerKey)
        print(number.description)  // 15551 83810 69455 …: show it, and let the partner read theirs
        let typed = try SafetyNumber(typed: Data(digits.utf8))
        try vault.verify(partner: partner, of: couple, key: partnerKey, against: typed)
        // doc: end

        // doc: SealReleaseReveal
        let released = try vault.release(name, to: theirs, key: partnerKey, requiringVerified: true)
        // doc: end
        #expect(released.isPartnerVerified && number == shown)
    }

    @Test("what is refused has words, and is not shown") func refused() throws {
        let first = try theirAnswer(#"{"answer":"no"}"#)
        let theirs = PartnerAnswer(of: partner, try AnswerDocument(parsing: first))
        expect("Answer first.") { try vault.reveal(name, of: theirs, with: nil) }
        let ours = try vault.seal(
            answer: Data(#"{"answer":"yes"}"#.utf8), to: question, at: place, of: couple)
        expect("Your partner has not released their answer yet.") {
            try vault.reveal(name, of: theirs, with: nil)
        }
        _ = try vault.release(name, to: theirs, key: partnerKey)
        expect("Your partner has another key than before. Compare your safety numbers.") {
            try vault.release(name, to: theirs, key: Phone("mallory", in: folder).publicKey)
        }
        try theirVault.seal(
            answer: Data(#"{"answer":"yes, too"}"#.utf8), to: question, at: place, of: couple,
            replacing: true)
        let second = try theirVault.answer(name).document
        expect("This is not the answer that arrived first. Talk about this one.") {
            try vault.release(name, to: PartnerAnswer(of: partner, second), key: partnerKey)
        }
        #expect(try line(for: name, in: vault).contains("Talk about this one"))
        let release = try theirRelease(of: Data(try ours.document.bytes))
        expect("This answer was changed on its way, so it is not shown.") {
            try vault.reveal(name, of: theirs, with: ReleaseKeyDocument(parsing: release))
        }
    }

    private func expect(_ words: String, _ body: () throws -> some Any) {
        do {
            _ = try body()
            Issue.record("nothing was thrown")
        } catch { #expect(reason(for: error) == words, "\(error)") }
    }
}
