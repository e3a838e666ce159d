import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

/// Copies of a vault, and what a device insists on.
@Suite("Invites and copies of a vault")
struct PairingCopyTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    private func imported(_ export: [UInt8]) throws -> Vault {
        try Vault.create(
            in: scene.vaults.storage("copy"), importing: export,
            unlocking: .testOnlyPassphrase("correct horse"),
            locking: .testOnlyKeyFile(9))
    }

    @Test(
        "an import closes open invites: where the export was made they may judge a reply",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func imported() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let export = try scene.alice.export(locking: .testOnlyQuick("correct horse"))
        let copy = try imported(export)
        #expect(try copy.pairings(of: scene.couple).map(\.status) == [.cancelled])
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) {
            try scene.confirm(reply, in: copy)
        }
        try scene.confirm(reply, in: scene.alice)
    }

    // The newer state may have granted the key to a device that this one does not know.
    @Test(
        "a couple that only this device had gets another key and phrase, once a copy may have shared them",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func alone() throws {
        let draft = try scene.alice.draftOffer(of: scene.couple, beginningAt: .strict)
        try scene.alice.store(draft)
        #expect(try scene.alice.pairingState(of: scene.couple) == .alone)
        let former = try scene.alice.couple(scene.couple)
        #expect(try scene.alice.closeOffers())
        #expect(try scene.alice.pairingState(of: scene.couple) == .serverKnown)
        let changes = try scene.alice.changeCount
        #expect(try !scene.alice.closeOffers(), "there is nothing to do any more")
        #expect(try scene.alice.changeCount == changes)
        try scene.pair(scene.alice, with: scene.bob)
        try scene.expectPaired(epoch: 1, keyCount: 2)
        let paired = try scene.bob.couple(scene.couple)
        #expect(paired.key.keyset.primaryID != former.key.keyset.primaryID)
        #expect(throws: VaultError.unwrap(.wrongPhrase)) {
            _ = try CoupleKey(of: paired.document, draft.phrase?.copy() ?? .random())
        }
    }

    // It is unknown how the key reached them.
    @Test(
        "so does one whose partner came without a pairing",
        .proves("W1: a couple counts as private only while the server cannot have its key"),
        arguments: [false, true])
    func unpaired(isCompared: Bool) throws {
        _ = try scene.invite(in: scene.alice)
        let (user, key) = (try scene.bob.device.userID, try scene.bob.device.publicKey)
        if isCompared {
            let digits = try scene.alice.safetyNumber(of: scene.couple, partner: user, key: key)
            try scene.alice.verify(partner: user, of: scene.couple, key: key, against: digits)
        } else {
            try scene.alice.change { (transaction) throws(VaultError) in
                _ = try transaction.pin(key, of: user, of: scene.couple)
            }
        }
        #expect(try scene.alice.couple(scene.couple).primaryOrigin == .exposed)
        #expect(try scene.alice.pairingState(of: scene.couple) == (isCompared ? .verified : .serverKnown))
        #expect(try scene.alice.cancelOffer(of: scene.couple))
        try scene.pair(scene.alice, with: scene.bob)
        try scene.expectPaired(epoch: 1, keyCount: 2)
    }

    @Test("one that recovers its own document stays as it was")
    func ownDocument() throws {
        let draft = try scene.alice.draftOffer(of: scene.couple, beginningAt: .strict)
        try scene.alice.store(draft)
        let before = try scene.alice.couple(scene.couple)
        try scene.alice.recover(
            scene.couple, from: before.document, phrase: draft.phrase?.copy() ?? .random(),
            beginningAt: .strict)
        #expect(try scene.alice.pairingState(of: scene.couple) == .alone)
        // Another document for the same key was made by a holder of it.
        let other = RecoveryPhrase.random()
        let document = CoupleDocument(try KeyWrap(before.key, under: other))
        try scene.alice.recover(scene.couple, from: document, phrase: other, beginningAt: .strict)
        #expect(try scene.alice.pairingState(of: scene.couple) == .serverKnown)
    }

    @Test(
        "a pair with an open invite does, too: a copy may have granted it. One without an invite is as it was"
    )
    func invitedPair() throws {
        try scene.pair(scene.alice, with: scene.bob)
        #expect(try !scene.alice.closeOffers())
        #expect(try scene.alice.pairingState(of: scene.couple) == .paired)
        _ = try scene.invite(in: scene.alice)
        #expect(try scene.alice.closeOffers())
        #expect(try scene.alice.couple(scene.couple).primaryOrigin == .given)
    }

    @Test("an older copy that is accepted judges no reply, and invites anew")
    func accepted() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let open = try scene.vaults.bytes("a")
        try scene.confirm(reply, in: scene.alice)
        let newest = scene.alice.version
        scene.vaults.write(open, to: "a")
        let copy = try scene.vaults.open("a")
        try copy.acceptAsNewest(after: newest)
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) { try scene.confirm(reply, in: copy) }
        #expect(try copy.pairings(of: scene.couple).map(\.status) == [.cancelled])
        try scene.pair(copy, with: scene.bob)
    }

    @Test("an older copy that is accepted answers an offer that it answered as before")
    func answeringCopy() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        let old = try scene.vaults.bytes("b")
        try scene.bob.plant(try CoupleID(parsing: "couple_2"))
        let newest = scene.bob.version
        scene.vaults.write(old, to: "b")
        let copy = try scene.vaults.open("b")
        try copy.acceptAsNewest(after: newest)
        #expect(try scene.accept(invite, in: copy).bytes == reply.bytes)
        try scene.finish(try scene.confirm(reply, in: scene.alice), in: copy)
        #expect(try copy.pairingState(of: scene.couple) == .paired)
    }

    @Test(
        "an export has no open invite, though the vault has",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func exported() throws {
        _ = try scene.invite(in: scene.alice)
        let words = "correct horse"
        let export = try scene.alice.export(locking: .testOnlyQuick(words))
        let inside = try Vault.read(export: export, with: .testOnlyQuick(words))
        #expect(try inside.pairings(of: scene.couple).map(\.status) == [.cancelled])
        #expect(try scene.alice.pairings(of: scene.couple).map(\.status) == [.open])
    }

    @Test("a couple that only this device had is the server's in an import, too")
    func importedAlone() throws {
        _ = try scene.invite(in: scene.alice)
        let export = try scene.alice.export(locking: .testOnlyQuick("correct horse"))
        let copy = try imported(export)
        #expect(try copy.pairingState(of: scene.couple) == .serverKnown)
    }

    @Test("what was given up stays so when a couple is forgotten, recovered and forgotten")
    func forgottenTwice() throws {
        let key = try Golden.keyset().primaryID
        try scene.alice.plant(scene.couple)
        try scene.bob.plant(scene.couple)
        try scene.pair(scene.alice, with: scene.bob)
        try scene.alice.retire(key, of: scene.couple)
        let epoch = try scene.alice.couple(scene.couple).epoch
        try scene.alice.forget(scene.couple)
        try scene.alice.plant(scene.couple)
        try scene.alice.forget(scene.couple)
        try scene.pair(scene.bob, with: scene.alice, newKey: true)
        let again = try scene.alice.couple(scene.couple)
        #expect(!again.key.keyset.entries.contains { $0.id == key })
        #expect(again.epoch > epoch && again.retired.ids.contains(key))
    }

    @Test("while an answer waits, no key is given up: they were sent with it")
    func retiring() throws {
        try scene.bob.plant(scene.couple)
        _ = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let key = try Golden.keyset().primaryID
        try refuses(.pairing(.answerWaiting), scene.bob) { try scene.bob.retire(key, of: scene.couple) }
    }

    @Test("a couple is shown as it is at one moment")
    func overview() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let storage = ObstructedStorage(scene.vaults.storage("a"))
        let vault = try LockedVault(in: storage).unlock(with: .testOnlyKeyFile(1))
        let before = storage.readCount
        let whole = try vault.overview(of: scene.couple)
        #expect(storage.readCount == before + 1)
        #expect(whole.state == .paired && whole.partners.count == 1 && whole.pairings.count == 1)
    }

    @Test("a device that insists on pairings makes no v1 invite that was drafted before")
    func policyMeanwhile() throws {
        let draft = try scene.alice.draftCouple(of: scene.couple, beginningAt: .strict)
        try scene.alice.setPolicy(Policy(requiresPairing: true))
        try refuses(.pairing(.required), scene.alice) { try scene.alice.store(draft) }
        try scene.alice.setPolicy(Policy())
        try scene.alice.store(draft)
        let again = try scene.alice.draftRewrap(of: scene.couple)
        try scene.alice.setPolicy(Policy(requiresPairing: true))
        try refuses(.pairing(.required), scene.alice) { try scene.alice.store(again) }
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

    @Test(
        "a device that insists on pairings makes and joins no v1 invite, and releases to no unverified key",
        .proves("W1: a device that requires pairings refuses legacy invites"))
    func policy() throws {
        let story = try Story()
        let theirs = try story.seal(in: story.bob)
        try story.seal(in: story.alice)
        try story.alice.setPolicy(Policy(requiresPairing: true))
        #expect(try story.vaults.open("a").policy.requiresPairing)
        try refuses(.answer(.notVerified), story.alice) {
            _ = try story.alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        }
        let other = try CoupleID(parsing: "couple_2")
        try refuses(.pairing(.required), story.alice) {
            _ = try story.alice.draftCouple(of: other, beginningAt: .strict).couple
        }
        // It would come with an invite.
        try refuses(.pairing(.required), story.alice) {
            _ = try story.alice.draftRewrap(of: story.couple).couple
        }
        try refuses(.pairing(.required), story.alice) { _ = try story.alice.invite(of: story.couple).count }
        try story.alice.setPolicy(Policy())
        _ = try story.alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
    }
}
