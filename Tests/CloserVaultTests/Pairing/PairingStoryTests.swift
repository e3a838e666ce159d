import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

/// What a pairing does to the couple (closer-keys-pairing(7), WHAT A PAIRING DOES).
@Suite("A pairing")
struct PairingStoryTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    @Test("of a new couple: both have the inviter's key and phrase, and nobody else had them")
    func newCouple() throws {
        let (alice, bob, couple) = (scene.alice, scene.bob, scene.couple)
        let draft = try alice.draftOffer(of: couple, beginningAt: .strict)
        try alice.store(draft)
        #expect(try alice.pairingState(of: couple) == .alone)
        let before = try alice.couple(couple)
        #expect(try draft.offer.inviterID == alice.device.userID)
        let reply = try bob.accept(
            draft.offer, code: draft.code, of: couple)
        let confirmation = try alice.draftConfirmation(for: reply, of: couple)
        let isNew = confirmation.isNewPhrase
        #expect(!isNew)
        let grant = try alice.store(confirmation)
        let taken = try bob.openGrant(grant, of: couple)
        guard let phrase = draft.phrase.testOnlyText else { throw Missing() }
        #expect(taken.phrase.text.testOnlyBytes() == phrase)
        try bob.store(taken)
        try scene.expectPaired(epoch: 0, keyCount: 1)
        try scene.expectSharedFields()
        #expect(try alice.couple(couple).wrap == before.wrap)
        _ = try bob.rehearse(couple, from: alice.couple(couple).document, phrase: taken.phrase)
        _ = try alice.rehearse(couple, from: bob.couple(couple).document, phrase: taken.phrase)
        #expect(try alice.read { (transaction) throws(VaultError) in transaction.count(.phrase) } == 0)
    }

    private struct Missing: Error {}

    @Test(
        "anew unites the keys under a new primary, and counts one on",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func again() throws {
        try scene.pair(scene.alice, with: scene.bob)
        try scene.pair(scene.bob, with: scene.alice)
        try scene.expectPaired(epoch: 1, keyCount: 2)
        try scene.expectSharedFields()
        try scene.pair(scene.alice, with: scene.bob)
        try scene.expectPaired(epoch: 2, keyCount: 3)
    }

    @Test("of two people who each made the couple takes the keys of both")
    func twoKeys() throws {
        _ = try scene.invite(in: scene.bob)
        #expect(try scene.bob.cancelOffer(of: scene.couple))
        try scene.pair(scene.alice, with: scene.bob)
        try scene.expectPaired(epoch: 1, keyCount: 3)
    }

    @Test(
        "upgrades a couple of v1: its key is exposed, and its invite goes",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func upgrade() throws {
        let (alice, bob, couple) = (scene.alice, scene.bob, scene.couple)
        let draft = try alice.draftCouple(of: couple, beginningAt: .strict)
        try alice.store(draft)
        try bob.plant(couple, keyset: try alice.couple(couple).key.keyset)
        #expect(try alice.pairingState(of: couple) == .serverKnown)
        try scene.pair(alice, with: bob)
        try scene.expectPaired(epoch: 1, keyCount: 2)
        #expect(throws: VaultError.couple(.neverInvited)) { _ = try alice.invite(of: couple).count }
        #expect(try alice.read { (transaction) throws(VaultError) in transaction.count(.invite) } == 0)
    }

    @Test("gives a lost phone the old keys back, if the partner accepts the new one's key")
    func newPhone() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let token = try scene.alice.couple(scene.couple).fieldKey().seal("dinner".utf8)
        let new = try scene.vaults.make("c", for: "bob")
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: new)
        #expect(throws: VaultError.pairing(.partnerKeyChanged)) {
            try scene.confirm(reply, in: scene.alice)
        }
        try scene.finish(try scene.confirm(reply, in: scene.alice, newKey: true), in: new)
        #expect(try new.couple(scene.couple).fieldKey().open(token).plaintext.elementsEqual("dinner".utf8))
        #expect(try new.couple(scene.couple).epoch == 1 && new.pairingState(of: scene.couple) == .paired)
    }

    @Test("keeps away what was retired, also after the couple was forgotten")
    func retired() throws {
        try scene.pair(scene.alice, with: scene.bob)
        try scene.pair(scene.alice, with: scene.bob)
        let old = try #require(
            scene.alice.couple(scene.couple).key.keyset.entries.first {
                try $0.id != scene.alice.couple(scene.couple).key.keyset.primaryID
            })
        try scene.alice.retire(old.id, of: scene.couple)
        try scene.alice.forget(scene.couple)
        try scene.pair(scene.alice, with: scene.bob)
        let couple = try scene.alice.couple(scene.couple)
        #expect(!couple.key.keyset.entries.contains { $0.id == old.id })
        #expect(couple.epoch == 3 && couple.retired.ids == [old.id] && couple.retired.marks.count == 1)
    }

    @Test("hands over the phrase that a couple has, also if it was rewrapped while only one device had it")
    func rewrapped() throws {
        let (alice, couple) = (scene.alice, scene.couple)
        let invite = try scene.invite(in: alice)
        let draft = try alice.draftRewrap(of: couple)
        try alice.store(draft)
        let grant = try scene.confirm(try scene.accept(invite, in: scene.bob), in: alice)
        let taken = try scene.bob.openGrant(grant, of: couple)
        #expect(taken.phrase.text.testOnlyBytes() == draft.phrase.text.testOnlyBytes())
        try scene.bob.store(taken)
        _ = try alice.rehearse(couple, from: scene.bob.couple(couple).document, phrase: draft.phrase)
        _ = try alice.rehearse(couple, from: alice.couple(couple).document, phrase: draft.phrase)
    }

    @Test(
        "of a couple whose key somebody else may have makes another, though an invite was open before",
        arguments: ["recover", "verify", "expose"])
    func noLongerAlone(_ act: String) throws {
        let (alice, couple, bob) = (scene.alice, scene.couple, try UserID(parsing: "bob"))
        let draft = try alice.draftOffer(of: couple, beginningAt: .strict)
        try alice.store(draft)
        let before = try alice.couple(couple).key.keyset.primaryID
        for key in act == "expose" ? [0, 1] : act == "verify" ? [0] : [] {
            let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
            let digits = try alice.safetyNumber(of: couple, partner: bob, key: other)
            try alice.verify(partner: bob, of: couple, key: other, against: digits)
            #expect(try alice.pairingState(of: couple) == .verified, "\(key)")
        }
        if act == "recover" {
            let phrase = RecoveryPhrase.random()
            let wrap = try KeyWrap(try alice.couple(couple).key, under: phrase)
            try alice.recover(couple, from: CoupleDocument(wrap), phrase: phrase, beginningAt: .strict)
            #expect(try alice.pairingState(of: couple) == .serverKnown)
        }
        let reply = try scene.bob.accept(
            draft.offer, code: draft.code, of: scene.couple)
        try scene.finish(try scene.confirm(reply, in: alice, newKey: true), in: scene.bob)
        try scene.expectPaired(epoch: 1, keyCount: 2)
        #expect(try alice.couple(couple).key.keyset.primaryID != before)
    }

    @Test("does not bring a partner's former key back: who verifies another one gives the answer up")
    func verifiedMeanwhile() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let (alice, new) = (
            try UserID(parsing: "alice"), try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        )
        let digits = try scene.bob.safetyNumber(of: scene.couple, partner: alice, key: new)
        try scene.bob.verify(partner: alice, of: scene.couple, key: new, against: digits)
        let grant = try scene.confirm(reply, in: scene.alice)
        try refuses(.pairing(.inviteClosed(.givenUp)), scene.bob) { try scene.finish(grant, in: scene.bob) }
    }

    @Test("who verifies the key that was answered keeps the answer")
    func verifiedTheSame() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let alice = try UserID(parsing: "alice")
        let digits = try scene.bob.safetyNumber(of: scene.couple, partner: alice)
        try scene.bob.verify(partner: alice, of: scene.couple, against: digits)
        try scene.finish(try scene.confirm(reply, in: scene.alice), in: scene.bob)
        #expect(try scene.bob.pairingState(of: scene.couple) == .paired)
    }

    @Test("is not asked for by a retired key that comes back under its id")
    func retiredPrimary() throws {
        try scene.pair(scene.alice, with: scene.bob)
        try scene.pair(scene.alice, with: scene.bob)
        let (bob, couple) = (scene.bob, scene.couple)
        let known = try bob.couple(couple)
        let old = try #require(known.key.keyset.entries.first { $0.id != known.key.keyset.primaryID })
        try bob.retire(old.id, of: couple)
        let phrase = RecoveryPhrase.random()
        let wrap = try KeyWrap(try CoupleKey(try known.key.keyset.promoting(old.id)), under: phrase)
        try refuses(.couple(.olderKey), bob) {
            try bob.recover(couple, from: CoupleDocument(wrap), phrase: phrase, beginningAt: .strict)
        }
    }

    @Test("tells what is alone from what is paired: whoever was verified may have the key, too")
    func states() throws {
        let (alice, couple) = (scene.alice, scene.couple)
        _ = try scene.invite(in: alice)
        let key = try scene.bob.device.publicKey
        let bob = try UserID(parsing: "bob")
        let digits = try alice.safetyNumber(of: couple, partner: bob, key: key)
        try alice.verify(partner: bob, of: couple, key: key, against: digits)
        #expect(try alice.pairingState(of: couple) == .verified)
    }

    @Test("is still what answers are measured by once the keys were given to somebody")
    func privateSince() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let (alice, couple, bob) = (scene.alice, scene.couple, try UserID(parsing: "bob"))
        #expect(try alice.couple(couple).privateSince == 0)
        let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        let digits = try alice.safetyNumber(of: couple, partner: bob, key: other)
        try alice.verify(partner: bob, of: couple, key: other, against: digits)
        // Whoever has the former phone is not the server.
        #expect(try alice.couple(couple).privateSince == 0)
        try alice.store(try alice.draftRekey(of: couple, partner: bob))
        #expect(try alice.couple(couple).privateSince == 0 && alice.couple(couple).epoch == 1)
    }

    @Test("is not over if the partner's key comes under another id: it is the same key")
    func otherID() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let (alice, couple, bob) = (scene.alice, scene.couple, try UserID(parsing: "bob"))
        let same = try scene.bob.device.publicKey.withOtherID()
        #expect(try same != scene.bob.device.publicKey)
        let digits = try alice.safetyNumber(of: couple, partner: bob, key: same)
        try alice.verify(partner: bob, of: couple, key: same, against: digits)
        #expect(
            try alice.pairingState(of: couple) == .paired && alice.partners(of: couple)[0].verifiedBy == .code
        )
    }

    @Test(
        "is over for the keys once a partner's key is replaced: what was private counts as given",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func given() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let (alice, couple, bob) = (scene.alice, scene.couple, try UserID(parsing: "bob"))
        let same = try scene.bob.device.publicKey
        let digits = try alice.safetyNumber(of: couple, partner: bob, key: same)
        try alice.verify(partner: bob, of: couple, key: same, against: digits)
        #expect(
            try alice.pairingState(of: couple) == .paired && alice.partners(of: couple)[0].verifiedBy == .code
        )
        let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        let others = try alice.safetyNumber(of: couple, partner: bob, key: other)
        try alice.verify(partner: bob, of: couple, key: other, against: others)
        #expect(try alice.pairingState(of: couple) == .verified)
        let now = try alice.couple(couple)
        #expect(now.key.keyset.entries.allSatisfy { now.origin(ofKey: $0.id) == .given })
        #expect(throws: FieldError.serverKnown) {
            try now.fieldKey(requiring: .rekeyed).seal("dinner".utf8)
        }
    }
}

extension PublicKeyToken {
    /// The same point under another key id.
    fileprivate func withOtherID() throws -> PublicKeyToken {
        guard case .eciesPublic(let key)? = keyset.primary.material else { throw KeysetError.malformed }
        return try PublicKeyToken(primaryOf: Keyset(importing: .eciesPublic(key)))
    }
}

extension RecoveryPhrase? {
    /// Copied out of what is borrowed.
    fileprivate var testOnlyText: [UInt8]? {
        borrowing get {
            switch self {
            case .some(let phrase): phrase.text.testOnlyBytes()
            case .none: nil
            }
        }
    }
}
