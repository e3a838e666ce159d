import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

/// An acceptor's side of it.
@Suite("The answer to an invite")
struct PairingAnswerTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    @Test(
        "a code answers one offer: the same gives the same reply, another one is refused for ever",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func once() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        let changes = try scene.bob.changeCount
        #expect(try scene.accept(invite, in: scene.vaults.open("b")) == reply)
        #expect(try scene.bob.changeCount == changes)
        // The server makes an offer of its own under the same first half, or guesses the second one.
        try refuses(.pairing(.inviteUsed), scene.bob) {
            _ = try scene.bob.accept(
                invite.offer, code: PairingScene.guess(at: invite.code), of: scene.couple,
                consents: .sendingKeys)
        }
        #expect(try scene.bob.cancelAnswer(of: scene.couple))
        try refuses(.pairing(.inviteUsed), scene.bob) { _ = try scene.accept(invite, in: scene.bob) }
        #expect(try !scene.bob.cancelAnswer(of: scene.couple))
    }

    @Test("nothing is used up by a wrong half of the code, another couple, or our own invite")
    func free() throws {
        let (invite, other) = (
            try scene.invite(in: scene.alice), try scene.invite(in: try scene.vaults.make("c", for: "carol"))
        )
        try refuses(.refused(.otherCode), scene.bob) {
            _ = try scene.bob.accept(
                invite.offer, code: PairingScene.typed(other.code), of: scene.couple, consents: .sendingKeys)
        }
        let elsewhere = try CoupleID(parsing: "couple_2")
        try refuses(.pairing(.otherCouple), scene.bob) {
            _ = try scene.bob.accept(
                invite.offer, code: PairingScene.typed(invite.code), of: elsewhere, consents: .sendingKeys)
        }
        let carol = try UserID(parsing: "carol")
        try refuses(.pairing(.notTheNamed), scene.bob) {
            _ = try scene.bob.accept(
                invite.offer, code: PairingScene.typed(invite.code), of: scene.couple,
                partner: carol, consents: .sendingKeys)
        }
        try refuses(.pairing(.ownOffer), scene.alice) { _ = try scene.accept(invite, in: scene.alice) }
        _ = try scene.accept(invite, in: scene.bob)
    }

    @Test("a couple is two people, and the key of one stays the same unless somebody says otherwise")
    func people() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let carol = try scene.vaults.make("c", for: "carol")
        try refuses(.pairing(.otherPartner), scene.bob) {
            _ = try scene.accept(try scene.invite(in: carol), in: scene.bob)
        }
        let other = try scene.vaults.make("d")
        try refuses(.pairing(.partnerKeyChanged), scene.bob) {
            _ = try scene.accept(try scene.invite(in: other), in: scene.bob)
        }
        _ = try scene.accept(try scene.invite(in: try scene.vaults.make("e")), in: scene.bob, newKey: true)
    }

    @Test("while it waits the couple's keys stay as they are")
    func waiting() throws {
        let couple = scene.couple
        try scene.bob.plant(couple)
        _ = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        try refuses(.pairing(.answerWaiting), scene.bob) { _ = try scene.invite(in: scene.bob) }
        let alice = try UserID(parsing: "alice")
        try refuses(.pairing(.answerWaiting), scene.bob) {
            _ = try scene.bob.draftRekey(of: couple, partner: alice).document
        }
        let phrase = RecoveryPhrase.random()
        let document = try scene.bob.couple(couple).document
        try refuses(.pairing(.answerWaiting), scene.bob) {
            try scene.bob.recover(couple, from: document, phrase: phrase, beginningAt: .strict)
        }
        #expect(try scene.bob.cancelAnswer(of: couple))
        _ = try scene.invite(in: scene.bob)
    }

    @Test("while it waits nothing is made of the couple, also if that was begun before")
    func nothingElse() throws {
        let draft = try scene.bob.draftCouple(of: scene.couple, beginningAt: .strict)
        _ = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        try refuses(.pairing(.answerWaiting), scene.bob) {
            _ = try scene.bob.draftCouple(of: scene.couple, beginningAt: .strict).couple
        }
        try refuses(.pairing(.answerWaiting), scene.bob) { try scene.bob.store(draft) }
    }

    @Test("an own invite whose time is over hinders no answer, and is closed for good")
    func afterExpiry() throws {
        _ = try scene.invite(in: scene.alice, hours: 1)
        let end = try #require(try scene.alice.pairings(of: scene.couple).last?.end).secondsSince1970
        let theirs = try scene.invite(in: scene.bob, hours: 2)
        let consents: PairingConsents = .sendingKeys
        let code = try PairingScene.typed(theirs.code)
        scene.alice.setClock(end - 1)
        try refuses(.pairing(.offerOpen), scene.alice) {
            _ = try scene.alice.accept(theirs.offer, code: code, of: scene.couple, consents: consents)
        }
        scene.alice.setClock(end)
        _ = try scene.alice.accept(theirs.offer, code: code, of: scene.couple, consents: consents)
        #expect(Set(try scene.alice.pairings(of: scene.couple).map(\.status)) == [.expired, .waiting])
        #expect(try !scene.alice.cancelOffer(of: scene.couple))
    }

    @Test("two who invite each other at once: neither answers the other until one gives in")
    func crossed() throws {
        let (ours, theirs) = (try scene.invite(in: scene.alice), try scene.invite(in: scene.bob))
        try refuses(.pairing(.offerOpen), scene.alice) { _ = try scene.accept(theirs, in: scene.alice) }
        try refuses(.pairing(.offerOpen), scene.bob) { _ = try scene.accept(ours, in: scene.bob) }
        #expect(try scene.bob.cancelOffer(of: scene.couple))
        try scene.finish(
            try scene.confirm(try scene.accept(ours, in: scene.bob), in: scene.alice), in: scene.bob)
        try scene.expectPaired(epoch: 1, keyCount: 3)
    }

    @Test("a grant of somebody else's is refused, and the right one is still taken")
    func grants() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        let grant = try scene.confirm(reply, in: scene.alice)
        for index in 0..<3 {
            var text = grant.bytes
            // Within the token, which comes last.
            text[text.count - 20 - 40 * index] ^= 0x01
            guard let changed = try? PairGrant(parsing: text) else { continue }
            #expect(throws: VaultError.refused(.macInvalid)) {
                try scene.finish(changed, in: scene.bob)
            }
        }
        try scene.finish(grant, in: scene.bob)
        try scene.expectPaired(epoch: 0, keyCount: 1)
    }
}
