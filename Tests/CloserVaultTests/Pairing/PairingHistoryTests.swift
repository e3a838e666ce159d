import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

/// What comes before, between and after pairings says nothing that is not so.
@Suite("A couple's history")
struct PairingHistoryTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    /// An invite of version 1 to the same key, as somebody makes it who has the key, and as the server reads it.
    private func joinInvite(in vault: Vault) throws {
        let other = try scene.vaults.make("other", for: "carol")
        try other.plant(scene.couple, keyset: try vault.couple(scene.couple).key.keyset)
        let draft = try other.draftRewrap(of: scene.couple)
        let bytes: [UInt8]
        switch draft.invite {
        case .some(let invite): bytes = invite.testOnlyBytes()
        case .none: throw VaultError.damaged
        }
        let invite = try InviteDocument(parsing: SecretBytes(testOnly: bytes))
        switch invite.code {
        case .some(let code): try vault.join(scene.couple, with: invite, code: code, beginningAt: .strict)
        case .none: Issue.record("an invite has a code")
        }
    }

    @Test(
        "a key that comes again by an invite of version 1 is private no longer",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func invited() throws {
        try scene.pair(scene.alice, with: scene.bob)
        try joinInvite(in: scene.alice)
        let couple = try scene.alice.couple(scene.couple)
        #expect(try scene.alice.pairingState(of: scene.couple) == .verified && couple.privateSince == nil)
        #expect(couple.origin(ofKey: couple.key.keyset.primaryID) == .exposed)
    }

    @Test(
        "a recovery whose primary is another key ends what was private",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func recovered() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let added = try scene.alice.couple(scene.couple).key.keyset.adding(.aes256GCM)
        let other = try #require(added.entries.last?.id)
        let phrase = RecoveryPhrase.random()
        let key = try CoupleKey(try added.promoting(other))
        let document = CoupleDocument(try KeyWrap(key, under: phrase))
        let former = try scene.alice.couple(scene.couple).key.keyset.primaryID
        try scene.alice.recover(scene.couple, from: document, phrase: phrase, beginningAt: .strict)
        #expect(try scene.alice.couple(scene.couple).privateSince == nil)
        #expect(try scene.alice.couple(scene.couple).privateKeyIDs == [former])
        // Nor does one that makes the private key seal again: anybody who has the phrase can write it.
        let back = CoupleDocument(try KeyWrap(try CoupleKey(added), under: phrase))
        try scene.alice.recover(scene.couple, from: back, phrase: phrase, beginningAt: .strict)
        #expect(try scene.alice.couple(scene.couple).primaryOrigin == .exposed)
        #expect(try scene.alice.pairingState(of: scene.couple) == .verified)
    }

    @Test(
        "no key that is in an invite of version 1 is private, whichever seals",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func invitedAnew() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let added = try scene.alice.couple(scene.couple).key.keyset.adding(.aes256GCM)
        let other = try #require(added.entries.last?.id)
        let phrase = RecoveryPhrase.random()
        let key = try CoupleKey(try added.promoting(other))
        let document = CoupleDocument(try KeyWrap(key, under: phrase))
        try scene.alice.recover(scene.couple, from: document, phrase: phrase, beginningAt: .strict)
        #expect(try !scene.alice.couple(scene.couple).privateKeyIDs.isEmpty)
        try scene.alice.store(try scene.alice.draftRewrap(of: scene.couple))
        #expect(try scene.alice.couple(scene.couple).privateKeyIDs.isEmpty)
    }

    @Test(
        "nor does one that was given to somebody prove anything any more",
        .proves("W1: a couple counts as private only while the server cannot have its key"),
        arguments: [false, true])
    func givenAndInvited(_ isJoined: Bool) throws {
        try scene.pair(scene.alice, with: scene.bob)
        try give(from: scene.alice)
        if isJoined {
            try joinInvite(in: scene.alice)
        } else {
            try scene.alice.store(try scene.alice.draftRewrap(of: scene.couple))
        }
        let couple = try scene.alice.couple(scene.couple)
        #expect(couple.primaryOrigin == .exposed && couple.privateSince == nil && !couple.hasProvingKeys)
    }

    @Test("of two that judge one reply at once, one has the phrase, and the other is told")
    func confirmedTwice() throws {
        for vault in [scene.alice, scene.bob] { try vault.plant(scene.couple) }
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let first = try scene.alice.draftConfirmation(for: reply, of: scene.couple)
        let second = try scene.alice.draftConfirmation(for: reply, of: scene.couple)
        try scene.alice.prepare(second)
        let grant = try scene.alice.store(first)
        try refuses(.pairing(.changedMeanwhile), scene.alice) { try scene.alice.prepare(second) }
        try refuses(.pairing(.changedMeanwhile), scene.alice) { _ = try scene.alice.store(second) }
        #expect(try scene.alice.grant(for: reply, of: scene.couple) == grant)
    }

    @Test(
        "what a couple that was forgotten gave or took is no more, also when there is one of that name again")
    func forgotten() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let grant = try scene.confirm(reply, in: scene.alice)
        try scene.finish(grant, in: scene.bob)
        for vault in [scene.alice, scene.bob] {
            try vault.forget(scene.couple)
            try vault.plant(scene.couple)
        }
        #expect(throws: VaultError.pairing(.inviteClosed(.givenUp))) {
            _ = try scene.bob.hasTaken(grant, of: scene.couple)
        }
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) {
            _ = try scene.alice.grant(for: reply, of: scene.couple)
        }
    }

    // Whoever made the code has them, also if it was somebody else.
    @Test(
        "keys that went with an answer are private no longer, though the answer is given up",
        .proves("W1: a couple counts as private only while the server cannot have its key"))
    func sent() throws {
        _ = try scene.invite(in: scene.bob)
        #expect(try scene.bob.cancelOffer(of: scene.couple))
        #expect(try scene.bob.pairingState(of: scene.couple) == .alone)
        let mallory = try scene.vaults.make("m", for: "mallory")
        _ = try scene.accept(try scene.invite(in: mallory), in: scene.bob)
        #expect(try scene.bob.pairingState(of: scene.couple) == .serverKnown)
        let former = try scene.bob.couple(scene.couple).key.keyset.primaryID
        #expect(try scene.bob.cancelAnswer(of: scene.couple))
        try scene.pair(scene.bob, with: scene.alice)
        let paired = try scene.alice.couple(scene.couple)
        #expect(paired.key.keyset.primaryID != former && paired.origin(ofKey: former) == .exposed)
    }

    /// Somebody's code is typed, and the answer given up again: they may have the keys.
    private func give(from vault: Vault) throws {
        let partner = try vault.device.userID.text == "alice" ? "bob" : "alice"
        let stranger = try scene.vaults.make("another \(partner)", for: partner)
        _ = try scene.accept(try scene.invite(in: stranger), in: vault, newKey: true)
        #expect(try vault.cancelAnswer(of: scene.couple))
        let couple = try vault.couple(scene.couple)
        #expect(couple.primaryOrigin == .given && couple.privateKeyIDs.isEmpty)
    }

    @Test("a rekey whose key somebody was given is not handed out again, and not taken again")
    func givenRekey() throws {
        let (bob, alice) = (try UserID(parsing: "bob"), try UserID(parsing: "alice"))
        try scene.pair(scene.alice, with: scene.bob)
        let draft = try scene.alice.draftRekey(of: scene.couple, partner: bob)
        try scene.alice.store(draft)
        #expect(try scene.alice.sentRekey(of: scene.couple, partner: bob) != nil)
        try scene.bob.accept(draft.document, of: scene.couple, from: alice)
        for vault in [scene.alice, scene.bob] { try give(from: vault) }
        #expect(try scene.alice.sentRekey(of: scene.couple, partner: bob) == nil)
        try refuses(.rekey(.epoch(1, expected: 2)), scene.bob) {
            try scene.bob.accept(draft.document, of: scene.couple, from: alice)
        }
    }

    @Test(
        "a couple that was forgotten and is recovered goes on with its epoch: no old rekey counts once more")
    func recoveredAfterForget() throws {
        let (bob, alice) = (try UserID(parsing: "bob"), try UserID(parsing: "alice"))
        try scene.pair(scene.alice, with: scene.bob)
        let draft = try scene.alice.draftRekey(of: scene.couple, partner: bob)
        try scene.alice.store(draft)
        try scene.bob.accept(draft.document, of: scene.couple, from: alice)
        let phrase = RecoveryPhrase.random()
        let old = CoupleDocument(try KeyWrap(try scene.bob.couple(scene.couple).key, under: phrase))
        try scene.bob.forget(scene.couple)
        try scene.bob.recover(scene.couple, from: old, phrase: phrase, beginningAt: .strict)
        #expect(try scene.bob.couple(scene.couple).epoch == 1)
        let digits = try scene.bob.safetyNumber(
            of: scene.couple, partner: alice, key: try scene.alice.device.publicKey)
        try scene.bob.verify(
            partner: alice, of: scene.couple, key: try scene.alice.device.publicKey, against: digits)
        try refuses(.rekey(.epoch(1, expected: 2)), scene.bob) {
            try scene.bob.accept(draft.document, of: scene.couple, from: alice)
        }
    }

    @Test(
        "a rekey is taken by the couple as it was looked at: not if its keys were given to somebody meanwhile"
    )
    func givenMeanwhile() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let alice = try UserID(parsing: "alice")
        let members = {
            try scene.bob.read { (transaction) throws(VaultError) in
                try transaction.members(of: scene.couple, with: alice)
            }
        }
        let before = try members()
        #expect(try members().isUnchanged(since: before))
        try give(from: scene.bob)
        #expect(try !members().isUnchanged(since: before))
    }

    @Test("a rehearsal says that another key seals in the document")
    func rehearsed() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let ours = try scene.alice.couple(scene.couple).key
        let added = try ours.keyset.adding(.aes256GCM)
        let other = try #require(added.entries.last?.id)
        let phrase = RecoveryPhrase.random()
        for keyset in [ours.keyset, added] {
            let same = CoupleDocument(try KeyWrap(try CoupleKey(keyset), under: phrase))
            _ = try scene.alice.rehearse(scene.couple, from: same, phrase: phrase)
        }
        let theirs = CoupleDocument(try KeyWrap(try CoupleKey(added.promoting(other)), under: phrase))
        try refuses(.couple(.otherPrimary), scene.alice) {
            _ = try scene.alice.rehearse(scene.couple, from: theirs, phrase: phrase)
        }
    }

    @Test("two devices that went on with different keys are told to pair anew, and not to retire")
    func lostPrimary() throws {
        let (bob, alice) = (try UserID(parsing: "bob"), try UserID(parsing: "alice"))
        try scene.pair(scene.alice, with: scene.bob)
        // Bob grants, and Alice never gets the grant.
        _ = try scene.confirm(
            try scene.accept(try scene.invite(in: scene.bob), in: scene.alice), in: scene.bob)
        #expect(try scene.alice.cancelAnswer(of: scene.couple))
        let draft = try scene.alice.draftRekey(of: scene.couple, partner: bob, epoch: 2)
        try scene.alice.store(draft)
        try refuses(.rekey(.losesKeys(primary: true)), scene.bob) {
            try scene.bob.accept(draft.document, of: scene.couple, from: alice)
        }
    }

    @Test("a grant whose key somebody was given is not handed out again")
    func givenGrant() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let grant = try scene.confirm(reply, in: scene.alice)
        #expect(try scene.alice.grant(for: reply, of: scene.couple) == grant)
        try give(from: scene.alice)
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) {
            _ = try scene.alice.grant(for: reply, of: scene.couple)
        }
    }

    @Test("nor once another device is paired")
    func otherGrant() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        try scene.confirm(reply, in: scene.alice)
        let phone = try scene.vaults.make("phone", for: "bob")
        let next = try scene.accept(try scene.invite(in: scene.alice), in: phone)
        try scene.confirm(next, in: scene.alice, newKey: true)
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) {
            _ = try scene.alice.grant(for: reply, of: scene.couple)
        }
        #expect(try scene.alice.grant(for: next, of: scene.couple) != nil)
    }

    @Test(
        "beside a verified partner nobody else becomes one, by a release or a comparison",
        .proves("W4: beside a verified partner no other user is accepted"))
    func onlyPartner() throws {
        let (bob, carol) = (try UserID(parsing: "bob"), try UserID(parsing: "carol"))
        try scene.pair(scene.alice, with: scene.bob)
        let key = try scene.vaults.make("c", for: "carol").device.publicKey
        let digits = try scene.alice.safetyNumber(of: scene.couple, partner: carol, key: key)
        try refuses(.pairing(.otherPartner), scene.alice) {
            try scene.alice.verify(partner: carol, of: scene.couple, key: key, against: digits)
        }
        #expect(throws: VaultError.pairing(.otherPartner)) {
            try scene.alice.change { (transaction) throws(VaultError) in
                _ = try transaction.pin(key, of: carol, of: scene.couple)
            }
        }
        #expect(try scene.alice.partners(of: scene.couple).map(\.userID) == [bob])
    }

    @Test(
        "a pairing does not bring back as private a key that the device had before it forgot the couple",
        arguments: [false, true])
    func hadBefore(isInvitedBetween: Bool) throws {
        let draft = try scene.alice.draftOffer(of: scene.couple, beginningAt: .strict)
        try scene.alice.store(draft)
        let document = try scene.alice.couple(scene.couple).document
        try scene.bob.recover(
            scene.couple, from: document, phrase: draft.phrase?.copy() ?? .random(), beginningAt: .strict)
        try scene.bob.forget(scene.couple)
        // What comes in between does not make it unknown.
        if isInvitedBetween {
            _ = try scene.invite(in: scene.bob)
            try scene.bob.forget(scene.couple)
        }
        let invite = try scene.invite(in: scene.alice, replacing: true)
        let grant = try scene.confirm(try scene.accept(invite, in: scene.bob), in: scene.alice)
        try refuses(.pairing(.keyOfBefore), scene.bob) { try scene.finish(grant, in: scene.bob) }
        try scene.pair(scene.alice, with: scene.bob)
        try scene.expectPaired(epoch: 1, keyCount: 2)
    }

    @Test("nothing is granted whose epoch the acceptor could not take")
    func farBehind() throws {
        try scene.alice.plant(scene.couple)
        var ahead = try scene.alice.couple(scene.couple)
        ahead.epoch = 1000
        try scene.alice.change { [ahead] (transaction) throws(VaultError) in transaction.put(ahead) }
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        #expect(throws: VaultError.refused(.epochTooHigh(1001))) {
            try scene.confirm(reply, in: scene.alice)
        }
        #expect(try scene.alice.pairingState(of: scene.couple) == .serverKnown)
        ahead.epoch = 999
        try scene.alice.change { [ahead] (transaction) throws(VaultError) in transaction.put(ahead) }
        try scene.pair(scene.alice, with: scene.bob)
        try scene.expectPaired(epoch: 1000, keyCount: 2)
    }

    @Test("a retired key stays retired through forgetting, a recovery and a pairing")
    func retiredThroughRecovery() throws {
        for _ in 0..<2 { try scene.pair(scene.alice, with: scene.bob) }
        let keyset = try scene.alice.couple(scene.couple).key.keyset
        let old = try #require(keyset.entries.first { $0.id != keyset.primaryID }).id
        try scene.alice.retire(old, of: scene.couple)
        let phrase = RecoveryPhrase.random()
        let document = CoupleDocument(try KeyWrap(try scene.alice.couple(scene.couple).key, under: phrase))
        try scene.alice.forget(scene.couple)
        try scene.alice.recover(scene.couple, from: document, phrase: phrase, beginningAt: .strict)
        try scene.pair(scene.alice, with: scene.bob)
        let couple = try scene.alice.couple(scene.couple)
        #expect(!couple.key.keyset.entries.contains { $0.id == old } && couple.retired.ids.contains(old))
        // Its number came with the couple, and only its former keys stay known.
        let former = try scene.alice.read { (transaction) throws(VaultError) in
            try transaction.record(ForgottenCouple.self, ForgottenCouple.id(scene.couple))
        }
        #expect(former?.epoch == 0 && former?.keys.ids.contains(old) == false)
    }

    @Test("a couple that was forgotten with the last number but one is not made anew")
    func lastNumber() throws {
        try scene.alice.plant(scene.couple)
        var last = try scene.alice.couple(scene.couple)
        last.epoch = .max - 1
        try scene.alice.change { [last] (transaction) throws(VaultError) in transaction.put(last) }
        try scene.alice.forget(scene.couple)
        #expect(throws: VaultError.rekey(.epochTooHigh(.max - 1))) { _ = try scene.invite(in: scene.alice) }
    }

    @Test("whoever was taken on trust undoes no answer that waits, and is replaced on purpose only")
    func trustedBesideCode() throws {
        let carol = try UserID(parsing: "carol")
        let key = try scene.vaults.make("c", for: "carol").device.publicKey
        let pin = {
            try scene.bob.change { (transaction) throws(VaultError) in
                _ = try transaction.pin(key, of: carol, of: scene.couple)
            }
        }
        try scene.bob.plant(scene.couple)
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        try refuses(.pairing(.answerWaiting), scene.bob) { try pin() }
        // Nor another key of the one who was answered.
        let (alice, other) = (
            try UserID(parsing: "alice"), try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        )
        for (key, isTheirs) in [(other, false), (try scene.alice.device.publicKey, true)] {
            let error = #expect(throws: (any Error).self) {
                try scene.bob.change { (transaction) throws(VaultError) in
                    _ = try transaction.pin(key, of: alice, of: scene.couple)
                    throw .busy(path: "b")
                }
            }
            #expect(error as? VaultError == (isTheirs ? .busy(path: "b") : .pairing(.answerWaiting)))
        }
        #expect(try scene.bob.cancelAnswer(of: scene.couple))
        try pin()
        #expect(try scene.alice.cancelOffer(of: scene.couple))
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) {
            try scene.confirm(reply, in: scene.alice)
        }
        let invite = try scene.invite(in: scene.alice)
        try refuses(.pairing(.otherPartner), scene.bob) { _ = try scene.accept(invite, in: scene.bob) }
        let again = try scene.accept(invite, in: scene.bob, replacing: true)
        try scene.finish(try scene.confirm(again, in: scene.alice), in: scene.bob)
        #expect(try scene.bob.partners(of: scene.couple).map(\.userID.text) == ["alice"])
    }

    @Test("whoever was taken on trust before is forgotten once the partner is verified")
    func formerPartner() throws {
        let (bob, carol) = (try UserID(parsing: "bob"), try UserID(parsing: "carol"))
        try scene.alice.plant(scene.couple)
        let key = try scene.vaults.make("c", for: "carol").device.publicKey
        try scene.alice.change { (transaction) throws(VaultError) in
            _ = try transaction.pin(key, of: carol, of: scene.couple)
        }
        let digits = try scene.alice.safetyNumber(
            of: scene.couple, partner: bob, key: scene.bob.device.publicKey)
        try scene.alice.verify(
            partner: bob, of: scene.couple, key: scene.bob.device.publicKey, against: digits)
        #expect(try scene.alice.partners(of: scene.couple).map(\.userID) == [bob])
    }

    @Test(
        "nor is one taken whose key an older program kept beside a verified partner's",
        .proves("W4: beside a verified partner no other user is accepted"))
    func keptPartner() throws {
        let carol = try UserID(parsing: "carol")
        try scene.pair(scene.alice, with: scene.bob)
        let key = try scene.vaults.make("c", for: "carol").device.publicKey
        var kept = Partner(carol, of: scene.couple)
        kept.key = key
        try scene.alice.change { (transaction) throws(VaultError) in transaction.put(kept) }
        try refuses(.pairing(.otherPartner), scene.alice) {
            try scene.alice.change { (transaction) throws(VaultError) in
                _ = try transaction.pin(key, of: carol, of: scene.couple)
            }
        }
    }

    @Test("what was given before a rekey proves nothing again once the new key is given, too")
    func givenTwice() throws {
        let bob = try UserID(parsing: "bob")
        try scene.pair(scene.alice, with: scene.bob)
        let old = try scene.alice.couple(scene.couple).key.keyset.primaryID
        try give(from: scene.alice)
        try scene.alice.store(try scene.alice.draftRekey(of: scene.couple, partner: bob))
        let rekeyed = try scene.alice.couple(scene.couple).key.keyset.primaryID
        #expect(try scene.alice.couple(scene.couple).origin(ofKey: old) == .exposed)
        let phone = try scene.vaults.make("phone", for: "bob")
        _ = try scene.accept(try scene.invite(in: phone), in: scene.alice, newKey: true)
        #expect(try scene.alice.couple(scene.couple).provingKeyIDs == [rekeyed])
    }

    @Test("a lower epoch of a pairing does not make a greater one of before unknown")
    func epochOfBefore() throws {
        for vault in [scene.alice, scene.bob] { try vault.plant(scene.couple) }
        try scene.pair(scene.alice, with: scene.bob)
        #expect(try scene.bob.couple(scene.couple).epoch == 1)
        try scene.bob.forget(scene.couple)
        let phone = try scene.vaults.make("phone", for: "alice")
        try scene.pair(phone, with: scene.bob)
        #expect(try scene.bob.couple(scene.couple).epoch == 0)
        try scene.bob.forget(scene.couple)
        let phrase = RecoveryPhrase.random()
        let wrap = try KeyWrap(try scene.alice.couple(scene.couple).key, under: phrase)
        try scene.bob.recover(scene.couple, from: CoupleDocument(wrap), phrase: phrase, beginningAt: .strict)
        #expect(try scene.bob.couple(scene.couple).epoch == 1)
    }

    @Test("a key that was retired, and came back by a recovery, is not lost by the next rekey")
    func retiredAndBack() throws {
        let (bob, alice) = (try UserID(parsing: "bob"), try UserID(parsing: "alice"))
        for vault in [scene.alice, scene.bob] { try vault.plant(scene.couple) }
        let old = try Golden.keyset().primaryID
        try scene.pair(scene.alice, with: scene.bob)
        let phrase = RecoveryPhrase.random()
        let document = CoupleDocument(try KeyWrap(try scene.bob.couple(scene.couple).key, under: phrase))
        try scene.bob.retire(old, of: scene.couple)
        try scene.bob.forget(scene.couple)
        try scene.bob.recover(scene.couple, from: document, phrase: phrase, beginningAt: .strict)
        #expect(try scene.bob.couple(scene.couple).key.keyset.entries.contains { $0.id == old })
        try scene.pair(scene.alice, with: scene.bob)
        let draft = try scene.alice.draftRekey(of: scene.couple, partner: bob)
        try scene.bob.accept(draft.document, of: scene.couple, from: alice)
        #expect(try scene.bob.couple(scene.couple).key.keyset.entries.contains { $0.id == old })
    }

    @Test("a rekey that would use up the numbers is refused, gap or not")
    func farAhead() throws {
        let (bob, alice) = (try UserID(parsing: "bob"), try UserID(parsing: "alice"))
        try scene.pair(scene.alice, with: scene.bob)
        try refuses(.rekey(.epochTooHigh(1001)), scene.alice) {
            _ = try scene.alice.draftRekey(of: scene.couple, partner: bob, epoch: 1001).document
        }
        try scene.alice.store(try scene.alice.draftRekey(of: scene.couple, partner: bob, epoch: 1))
        let draft = try scene.alice.draftRekey(of: scene.couple, partner: bob, epoch: 1001)
        try refuses(.rekey(.epochTooHigh(1001)), scene.bob) {
            try scene.bob.accept(draft.document, of: scene.couple, from: alice, allowingGap: true)
        }
        let last = try scene.alice.draftRekey(of: scene.couple, partner: bob, epoch: 1000)
        try scene.bob.accept(last.document, of: scene.couple, from: alice, allowingGap: true)
        #expect(try scene.bob.couple(scene.couple).epoch == 1000)
    }

    @Test("a partner's other key for chats is another device's, too")
    func otherChatKey() throws {
        try scene.pair(scene.alice, with: scene.bob)
        try scene.alice.change { (transaction) throws(VaultError) in
            var bob = try transaction.partner(try UserID.testOnly("bob"), of: scene.couple)
            bob.x25519Key = try transaction.device.chatKey.publicKey
            transaction.put(bob)
        }
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        try refuses(.pairing(.partnerKeyChanged), scene.alice) { try scene.confirm(reply, in: scene.alice) }
        try scene.confirm(reply, in: scene.alice, newKey: true)
    }

    @Test("a phrase that is replaced while a reply is judged is not handed over")
    func rewrapped() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let draft = try scene.alice.draftConfirmation(for: reply, of: scene.couple)
        let rewrap = try scene.alice.draftRewrap(of: scene.couple)
        try scene.alice.store(rewrap)
        try refuses(.pairing(.changedMeanwhile), scene.alice) { _ = try scene.alice.store(draft) }
        let grant = try scene.confirm(reply, in: scene.alice)
        let taken = try scene.bob.openGrant(grant, of: scene.couple)
        let isSame = taken.phrase.text.isEqual(to: rewrap.phrase.text)
        #expect(isSame)
    }
}

extension UserID {
    fileprivate static func testOnly(_ text: String) throws(VaultError) -> UserID {
        do { return try UserID(parsing: text) } catch { throw .damaged }
    }
}
