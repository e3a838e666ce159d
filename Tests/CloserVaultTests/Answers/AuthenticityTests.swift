import CloserKeys
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

@Suite("Who wrote an answer")
struct AuthenticityTests {
    private let story: Story
    private let compat = Array("{\"answer\":\"an answer that proves nothing\"}".utf8)

    init() throws {
        story = try Story()
        try story.seal(in: story.alice)
    }

    private var alice: Vault { story.alice }
    private var partner: Partner? { get throws { try alice.partners(of: story.couple).first } }

    @Test(
        "an answer without proof is refused unless it is allowed, and allowing it proves nothing",
        .proves("W5: an answer without proof is refused by default, and always after one with proof"))
    func unauthenticated() throws {
        let (answer, keybox) = try story.forged(compat)
        try refuses(AnswerError.unauthenticated(isFinal: false), alice) {
            _ = try alice.reveal(story.name, of: answer, with: keybox)
        }
        let shown = try alice.reveal(story.name, of: answer, with: keybox, allowingUnauthenticated: true)
        #expect((shown.authenticity, shown.answer.payload) == (.unauthenticated, compat))
        #expect(try partner?.authenticates == false)
    }

    /// Alice has seen one answer of Bob's with a MAC.
    private func seeProof() throws {
        let question = try QuestionID(parsing: "q_1")
        let name = AnswerName(couple: story.couple, question: question, place: story.place)
        let ours = try story.seal(in: alice, question: question)
        let theirs = try story.seal(in: story.bob, question: question)
        let keybox = try story.bob.release(name, to: ours, key: alice.device.publicKey).document
        _ = try alice.reveal(name, of: theirs, with: keybox)
    }

    @Test(
        "once a partner has proven one, answers without proof are refused for ever, allowed or not",
        .proves("W5: an answer without proof is refused by default, and always after one with proof"))
    func final() throws {
        try seeProof()
        let (answer, keybox) = try story.forged(compat)
        for allowing in [false, true] {
            try refuses(AnswerError.unauthenticated(isFinal: true), alice) {
                _ = try alice.reveal(story.name, of: answer, with: keybox, allowingUnauthenticated: allowing)
            }
        }
    }

    @Test("forgetting the couple does not unset it, and forgets the partner's key")
    func afterForget() throws {
        try seeProof()
        let theirs = try story.seal(in: story.bob)
        _ = try alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        #expect(try partner?.key != nil)
        try alice.forget(story.couple)
        #expect(try (partner?.key, partner?.verifiedKey, partner?.authenticates) == (nil, nil, true))
        try alice.plant(story.couple)
        try story.seal(in: alice)
        let (answer, keybox) = try story.forged(compat)
        try refuses(AnswerError.unauthenticated(isFinal: true), alice) {
            _ = try alice.reveal(story.name, of: answer, with: keybox, allowingUnauthenticated: true)
        }
        try alice.forget(story.couple)
        #expect(try partner?.authenticates == true)
    }

    @Test("one partner's habit says nothing of another one, nor of another couple")
    func others() throws {
        try seeProof()
        let (answer, keybox) = try story.forged(compat, of: "carol")
        try refuses(AnswerError.unauthenticated(isFinal: false), alice) {
            _ = try alice.reveal(story.name, of: answer, with: keybox)
        }
    }

    @Test(
        "beside a verified partner nobody else has an answer, though it is allowed to prove nothing",
        .proves("W4: beside a verified partner no other user is accepted"))
    func stranger() throws {
        let (bob, key) = (try UserID(parsing: "bob"), try story.bob.device.publicKey)
        let digits = try alice.safetyNumber(of: story.couple, partner: bob, key: key)
        try alice.verify(partner: bob, of: story.couple, key: key, against: digits)
        let (answer, keybox) = try story.forged(compat, of: "carol")
        try refuses(.pairing(.otherPartner), alice) {
            _ = try alice.reveal(story.name, of: answer, with: keybox, allowingUnauthenticated: true)
        }
    }

    /// Alice's couple as if she had just invited Bob by a code.
    private func beAlone() throws {
        var lone = try alice.couple(story.couple)
        lone.origins = [lone.key.keyset.primaryID: .pairing]
        try alice.change { [lone] (transaction) throws(VaultError) in transaction.put(lone) }
        #expect(try alice.pairingState(of: story.couple) == .alone)
    }

    @Test(
        "an answer under the key that only this device has shows that others have it, too",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func notAlone() throws {
        try beAlone()
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        #expect(try alice.reveal(story.name, of: theirs, with: keybox).authenticity == .serverForgeable)
        #expect(try alice.pairingState(of: story.couple) == .serverKnown)
    }

    @Test(
        "so does one that is not the pinned one, or of another day, and is refused", arguments: [false, true])
    func notAloneThough(isPinned: Bool) throws {
        try beAlone()
        if isPinned {
            let (answer, keybox) = try story.forged(compat)
            _ = try alice.reveal(story.name, of: answer, with: keybox, allowingUnauthenticated: true)
            #expect(try alice.pairingState(of: story.couple) == .alone)
        }
        let day = try isPinned ? story.place : AnswerPlace(parsing: "daily:2026-11-21")
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob, place: day)
        let name = AnswerName(couple: story.couple, question: story.question, place: day)
        let keybox = try story.bob.release(name, to: ours, key: alice.device.publicKey).document
        let error: VaultError = isPinned ? .reveal(.pinMismatch) : .reveal(.placeMismatch)
        #expect(throws: error) {
            try alice.reveal(story.name, of: theirs, with: keybox)
        }
        #expect(try alice.pairingState(of: story.couple) == .serverKnown)
    }

    /// Gives both a second key that came by a rekey; the golden one stays for reading.
    private func rekey(bobToo: Bool = true) throws {
        let added = try Golden.keyset().adding(.aes256GCM)
        let id = try #require(added.entries.last).id
        let keyset = try added.promoting(id)
        for vault in bobToo ? [alice, story.bob] : [alice] {
            try vault.plant(story.couple, keyset: keyset, rekeyed: [id])
        }
    }

    @Test("under a key that came by a rekey it is authenticated")
    func authenticated() throws {
        try rekey()
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        #expect(try alice.reveal(story.name, of: theirs, with: keybox).authenticity == .authenticated)
        #expect(try alice.pairingState(of: story.couple) == .rekeyed)
    }

    @Test("after a rekey, what the old key proves counts only if it was pinned before")
    func forgeable() throws {
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        try rekey(bobToo: false)
        try refuses(AnswerError.serverForgeable(isOfFormerDevice: false), alice) {
            _ = try alice.reveal(story.name, of: theirs, with: keybox)
        }
    }

    @Test("pinned before the rekey, it is shown and called what it is")
    func forgeablePinned() throws {
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        _ = try alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        try rekey(bobToo: false)
        #expect(try alice.reveal(story.name, of: theirs, with: keybox).authenticity == .serverForgeable)
    }

    // The server forges under the key of the invite; the release pins it.
    @Test(
        "pinned while the couple was private, it stays refused, whatever comes later",
        arguments: [false, true])
    func forgeableLater(_ isExposed: Bool) throws {
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        try rekey(bobToo: false)
        _ = try alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        try alice.change { (transaction) throws(VaultError) in
            var couple = try transaction.couple(story.couple)
            if isExposed { couple.expose() } else { (couple.epoch, couple.privateSince) = (5, 5) }
            transaction.put(couple)
        }
        try refuses(AnswerError.serverForgeable(isOfFormerDevice: false), alice) {
            _ = try alice.reveal(story.name, of: theirs, with: keybox)
        }
    }

    @Test("pinned under a key that was private, it is shown when that is exposed")
    func exposedLater() throws {
        try rekey()
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        _ = try alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        try alice.change { (transaction) throws(VaultError) in
            var couple = try transaction.couple(story.couple)
            couple.expose()
            transaction.put(couple)
        }
        #expect(try alice.reveal(story.name, of: theirs, with: keybox).authenticity == .serverForgeable)
    }

    /// Somebody has the key that was private; the server has only the one of the invite.
    private func give() throws {
        try alice.change { (transaction) throws(VaultError) in
            try transaction.give(try transaction.couple(story.couple))
        }
    }

    @Test(
        "once the private key was given to somebody, the invite's key proves no more than before",
        arguments: [false, true])
    func forgeableAfterGiving(_ isPinned: Bool) throws {
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        try rekey(bobToo: false)
        try give()
        if isPinned { _ = try alice.release(story.name, to: theirs, key: story.bob.device.publicKey) }
        try refuses(AnswerError.serverForgeable(isOfFormerDevice: false), alice) {
            _ = try alice.reveal(story.name, of: theirs, with: keybox)
        }
    }

    @Test("what that key proves is shown, and called what it is")
    func provenAfterGiving() throws {
        try rekey()
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        try give()
        #expect(try alice.reveal(story.name, of: theirs, with: keybox).authenticity == .serverForgeable)
    }

    @Test("pinned after the rekey, it is refused")
    func forgeablePinnedLate() throws {
        let ours = PartnerAnswer(of: try alice.device.userID, try alice.answer(story.name).document)
        let theirs = try story.seal(in: story.bob)
        let keybox = try story.releaseOfBob(facing: ours)
        try rekey(bobToo: false)
        _ = try alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        try refuses(AnswerError.serverForgeable(isOfFormerDevice: false), alice) {
            _ = try alice.reveal(story.name, of: theirs, with: keybox)
        }
    }
}
