import CloserKeys
import CloserPrimitives
import CloserTink
import Foundation
import TestSupport
import Testing

@testable import CloserVault

/// An invite judges one reply, and a code answers one offer (closer-keys-pairing(7), STEPS).
@Suite("The verdict on a reply")
struct PairingVerdictTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    private func status(in vault: Vault) throws -> [StoredPairing.Status] {
        try vault.pairings(of: scene.couple).map(\.status)
    }

    /// What somebody who knows only the first half of the code answers.
    private func guess(_ invite: (offer: PairOffer, code: String), as user: String = "mallory") throws
        -> PairReply
    {
        let vault = try scene.folder.make("\(UUID())", for: user)
        return try vault.accept(invite.offer, code: PairingScene.guess(at: invite.code))
    }

    @Test("a wrong code burns the invite, and the right one comes too late; nothing else changed")
    func burned() throws {
        let invite = try scene.invite(in: scene.alice)
        let right = try scene.accept(invite, in: scene.bob)
        let before = try scene.alice.couple(scene.couple)
        #expect(throws: VaultError.pairing(.refused(.codeMismatch, failures: 1))) {
            try scene.confirm(try guess(invite), in: scene.alice)
        }
        #expect(try status(in: scene.folder.open("a")) == [.burned])
        #expect(throws: VaultError.pairing(.inviteClosed(.burned))) {
            try scene.confirm(right, in: scene.alice)
        }
        let after = try scene.alice.couple(scene.couple)
        #expect(after.hasSameKeys(as: before) && after.wrap == before.wrap)
        #expect(try scene.alice.state(of: scene.couple) == .alone)
        #expect(try scene.alice.partners(of: scene.couple).isEmpty)
    }

    @Test("failures in a row are counted, and a success begins anew")
    func counted() throws {
        for count in 1...3 {
            let invite = try scene.invite(in: scene.alice)
            #expect(throws: VaultError.pairing(.refused(.codeMismatch, failures: count))) {
                try scene.confirm(try guess(invite), in: scene.alice)
            }
        }
        try scene.pair(scene.alice, with: scene.bob)
        let invite = try scene.invite(in: scene.alice)
        #expect(throws: VaultError.pairing(.refused(.codeMismatch, failures: 1))) {
            try scene.confirm(try guess(invite, as: "bob"), in: scene.alice, newKey: true)
        }
    }

    @Test("the same reply gets the same grant, another one none")
    func repeated() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        let grant = try scene.confirm(reply, in: scene.alice)
        let changes = try scene.alice.changeCount
        for _ in 0..<2 { #expect(try scene.confirm(reply, in: scene.folder.open("a")) == grant) }
        #expect(try scene.alice.changeCount == changes)
        #expect(throws: VaultError.pairing(.inviteUsed)) {
            try scene.confirm(try guess(invite), in: scene.alice)
        }
        try scene.finish(grant, in: scene.bob)
        try scene.finish(grant, in: scene.bob)
        try scene.expectPaired(epoch: 0, keyCount: 1)
    }

    @Test("what fails before the code is looked at costs nothing")
    func free() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        let carol = try UserID(parsing: "carol")
        try refuses(.pairing(.notTheNamed), scene.alice) {
            _ = try scene.alice.draftConfirmation(of: reply, to: scene.couple, from: carol).isNewPhrase
        }
        let other = try scene.invite(in: try scene.folder.make("d", for: "dora"))
        try refuses(.pairing(.noInvite), scene.alice) {
            try scene.confirm(try guess(other), in: scene.alice)
        }
        try scene.confirm(reply, in: scene.alice)
    }

    @Test("an invite whose time is over is closed for good, and another one can be made")
    func expired() throws {
        let invite = try scene.invite(in: scene.alice, hours: 1)
        let reply = try scene.accept(invite, in: scene.bob)
        let end = try #require(try scene.alice.pairings(of: scene.couple).last?.end)
        #expect(throws: VaultError.pairing(.inviteClosed(.expired))) {
            try scene.alice.grant(for: reply, to: scene.couple, at: end)
        }
        // The clock may be set back: it stays closed.
        #expect(throws: VaultError.pairing(.inviteClosed(.expired))) {
            try scene.alice.grant(for: reply, to: scene.couple, at: end - 1)
        }
        #expect(try status(in: scene.alice) == [.expired])
        expectNone(try scene.alice.pendingInvite(to: scene.couple))
        let next = try scene.invite(in: scene.alice)
        let answer = try scene.accept(next, in: scene.bob)
        try scene.finish(try scene.confirm(answer, in: scene.alice), in: scene.bob)
        #expect(try status(in: scene.bob) == [.givenUp, .done])
    }

    @Test("time that runs out between the two steps of a confirmation counts, too")
    func expiredMeanwhile() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice, hours: 1), in: scene.bob)
        let end = try #require(try scene.alice.pairings(of: scene.couple).last?.end)
        let draft = try scene.alice.draftConfirmation(of: reply, to: scene.couple)
        #expect(throws: VaultError.pairing(.inviteClosed(.expired))) {
            try scene.alice.confirm(draft, at: end)
        }
        #expect(try status(in: scene.alice) == [.expired])
    }

    @Test("a right reply whose keys cannot be taken closes the invite: it was judged")
    func failed() throws {
        // One id with two keys.
        let (ours, theirs) = (try Golden.keyset(), try Golden.keyset().withOtherBytes())
        try scene.alice.plant(scene.couple, keyset: ours)
        try scene.bob.plant(scene.couple, keyset: theirs)
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let refusal = PairingStepError.refused(.keyMismatch(ours.primaryID), failures: 0)
        #expect(throws: VaultError.pairing(refusal)) { try scene.confirm(reply, in: scene.alice) }
        #expect(try status(in: scene.alice) == [.failed])
        #expect(throws: VaultError.pairing(.inviteClosed(.failed))) {
            try scene.confirm(reply, in: scene.alice)
        }
    }

    @Test("of sixteen replies that are judged at once, one gets the verdict")
    func atOnce() async throws {
        let invite = try scene.invite(in: scene.alice)
        let replies =
            try (0..<15).map { try guess(invite, as: "user\($0)") } + [scene.accept(invite, in: scene.bob)]
        let verdicts = await withTaskGroup(of: String.self) { group in
            for reply in replies {
                group.addTask {
                    do {
                        let vault = try scene.folder.open("a")
                        return try "\(scene.confirm(reply, in: vault).lookup == invite.offer.lookup)"
                    } catch VaultError.pairing(.refused(.codeMismatch, _)) {
                        return "burned"
                    } catch VaultError.pairing(.inviteClosed(_)) { return "late" } catch VaultError.pairing(
                        .inviteUsed)
                    { return "late" } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.filter { $0 == "late" }.count == 15, "\(verdicts)")
        #expect(verdicts.filter { ["true", "burned"].contains($0) }.count == 1)
    }

    @Test("what is closed holds no secret any more")
    func wiped() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        try scene.finish(try scene.confirm(reply, in: scene.alice), in: scene.bob)
        _ = try scene.invite(in: scene.alice)
        #expect(try scene.alice.cancelInvite(to: scene.couple))
        for vault in [scene.alice, scene.bob] {
            for pairing in try vault.pairings(of: scene.couple) {
                expectNone(pairing.copyOfCode())
                expectNone(try pairing.openInvite())
                expectNone(try pairing.answer())
            }
        }
    }
}

/// An acceptor's side of it.
@Suite("The answer to an invite")
struct PairingAnswerTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    @Test("a code answers one offer: the same gives the same reply, another one is refused for ever")
    func once() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        let changes = try scene.bob.changeCount
        #expect(try scene.accept(invite, in: scene.folder.open("b")) == reply)
        #expect(try scene.bob.changeCount == changes)
        // The server makes an offer of its own under the same first half, or guesses the second one.
        try refuses(.pairing(.inviteUsed), scene.bob) {
            _ = try scene.bob.accept(invite.offer, code: PairingScene.guess(at: invite.code))
        }
        #expect(try scene.bob.cancelAnswer(of: scene.couple))
        try refuses(.pairing(.inviteUsed), scene.bob) { _ = try scene.accept(invite, in: scene.bob) }
        #expect(try !scene.bob.cancelAnswer(of: scene.couple))
    }

    @Test("nothing is used up by a wrong half of the code, another couple, or our own invite")
    func free() throws {
        let (invite, other) = (
            try scene.invite(in: scene.alice), try scene.invite(in: try scene.folder.make("c", for: "carol"))
        )
        try refuses(.pairing(.refused(.otherCode, failures: 0)), scene.bob) {
            _ = try scene.bob.accept(invite.offer, code: PairingScene.typed(other.code))
        }
        let elsewhere = try CoupleID(parsing: "couple_2")
        try refuses(.pairing(.otherCouple), scene.bob) {
            _ = try scene.bob.accept(invite.offer, code: PairingScene.typed(invite.code), to: elsewhere)
        }
        let carol = try UserID(parsing: "carol")
        try refuses(.pairing(.notTheNamed), scene.bob) {
            _ = try scene.bob.accept(invite.offer, code: PairingScene.typed(invite.code), from: carol)
        }
        try refuses(.pairing(.ownInvite), scene.alice) { _ = try scene.accept(invite, in: scene.alice) }
        _ = try scene.accept(invite, in: scene.bob)
    }

    @Test("a couple is two people, and the key of one stays the same unless somebody says otherwise")
    func people() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let carol = try scene.folder.make("c", for: "carol")
        try refuses(.pairing(.otherPartner), scene.bob) {
            _ = try scene.accept(try scene.invite(in: carol), in: scene.bob)
        }
        let other = try scene.folder.make("d")
        try refuses(.pairing(.partnerKeyChanged), scene.bob) {
            _ = try scene.accept(try scene.invite(in: other), in: scene.bob)
        }
        _ = try scene.accept(try scene.invite(in: try scene.folder.make("e")), in: scene.bob, newKey: true)
    }

    @Test("while it waits the couple's keys stay as they are")
    func waiting() throws {
        let couple = scene.couple
        try scene.bob.plant(couple)
        _ = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        try refuses(.pairing(.answerWaiting), scene.bob) { _ = try scene.invite(in: scene.bob) }
        let alice = try UserID(parsing: "alice")
        try refuses(.pairing(.answerWaiting), scene.bob) {
            _ = try scene.bob.draftRekey(couple, to: alice).document
        }
        let phrase = RecoveryPhrase.random()
        let document = try scene.bob.couple(couple).document
        try refuses(.pairing(.answerWaiting), scene.bob) {
            try scene.bob.recover(couple, from: document, phrase: phrase)
        }
        #expect(try scene.bob.cancelAnswer(of: couple))
        _ = try scene.invite(in: scene.bob)
    }

    @Test("two who invite each other at once: neither answers the other until one gives in")
    func crossed() throws {
        let (ours, theirs) = (try scene.invite(in: scene.alice), try scene.invite(in: scene.bob))
        try refuses(.pairing(.inviteOpen), scene.alice) { _ = try scene.accept(theirs, in: scene.alice) }
        try refuses(.pairing(.inviteOpen), scene.bob) { _ = try scene.accept(ours, in: scene.bob) }
        #expect(try scene.bob.cancelInvite(to: scene.couple))
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
            #expect(throws: VaultError.pairing(.refused(.macInvalid, failures: 0))) {
                try scene.finish(changed, in: scene.bob)
            }
        }
        try scene.finish(grant, in: scene.bob)
        try scene.expectPaired(epoch: 0, keyCount: 1)
    }
}

/// Copies of a vault, and what a device insists on.
@Suite("Invites and copies of a vault")
struct PairingCopyTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    @Test("an import closes open invites: where the export was made they may judge a reply")
    func imported() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let export = try scene.alice.export(locking: .testOnlyQuick("correct horse"))
        let copy = try Vault.create(
            at: scene.folder.path("copy"), importing: export,
            under: SecretBytes(testOnly: Array("correct horse".utf8)), locking: .testOnlyKeyFile(9))
        #expect(try copy.pairings(of: scene.couple).map(\.status) == [.cancelled])
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) {
            try scene.confirm(reply, in: copy)
        }
        try scene.confirm(reply, in: scene.alice)
    }

    @Test("a couple that is forgotten leaves its closed invites, and no open one")
    func forgotten() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        try scene.alice.forget(scene.couple)
        #expect(try scene.alice.pairings(of: scene.couple).map(\.status) == [.cancelled])
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) {
            try scene.confirm(reply, in: scene.alice)
        }
    }

    @Test("a device that insists on pairings makes and joins no v1 invite, and releases to no unverified key")
    func policy() throws {
        let story = try Story()
        let theirs = try story.seal(in: story.bob)
        try story.seal(in: story.alice)
        try story.alice.set(Policy(requiresPairing: true))
        #expect(try story.folder.open("a").policy.requiresPairing)
        try refuses(.answer(.notVerified), story.alice) {
            _ = try story.alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        }
        let other = try CoupleID(parsing: "couple_2")
        try refuses(.pairing(.required), story.alice) { _ = try story.alice.draftCouple(other).couple }
        try story.alice.set(Policy())
        _ = try story.alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
    }
}

private func expectNone<Wrapped: ~Copyable>(
    _ value: consuming Wrapped?, at location: SourceLocation = #_sourceLocation
) {
    let isNone: Bool
    switch value {
    case .some(_): isNone = false
    case .none: isNone = true
    }
    #expect(isNone, sourceLocation: location)
}
