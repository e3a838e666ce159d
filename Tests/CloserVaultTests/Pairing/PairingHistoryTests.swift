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
        let other = try scene.folder.make("other", for: "carol")
        try other.plant(scene.couple, keyset: try vault.couple(scene.couple).key.keyset)
        let draft = try other.draftRewrap(scene.couple)
        let bytes: [UInt8]
        switch draft.invite {
        case .some(let invite): bytes = invite.testOnlyBytes()
        case .none: throw VaultError.damaged
        }
        let invite = try InviteDocument(parsing: SecretBytes(testOnly: bytes))
        switch invite.code {
        case .some(let code): try vault.join(scene.couple, with: invite, code: code)
        case .none: Issue.record("an invite has a code")
        }
    }

    @Test("a key that comes again by an invite of version 1 is private no longer")
    func invited() throws {
        try scene.pair(scene.alice, with: scene.bob)
        try joinInvite(in: scene.alice)
        let couple = try scene.alice.couple(scene.couple)
        #expect(try scene.alice.state(of: scene.couple) == .verified && couple.privateSince == nil)
        #expect(couple.origin(ofKey: couple.key.keyset.primaryID) == .exposed)
    }

    @Test("a recovery whose primary is another key ends what was private")
    func recovered() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let added = try scene.alice.couple(scene.couple).key.keyset.adding(.aes256GCM)
        let other = try #require(added.entries.last?.id)
        let phrase = RecoveryPhrase.random()
        let key = try CoupleKey(try added.promoting(other))
        let document = CoupleDocument(try KeyWrap.new(key, under: phrase))
        try scene.alice.recover(scene.couple, from: document, phrase: phrase)
        #expect(try scene.alice.couple(scene.couple).privateSince == nil)
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
            _ = try scene.alice.grant(for: reply, to: scene.couple)
        }
    }

    // Whoever made the code has them, also if it was somebody else.
    @Test("keys that went with an answer are private no longer, though the answer is given up")
    func sent() throws {
        _ = try scene.invite(in: scene.bob)
        #expect(try scene.bob.cancelInvite(to: scene.couple))
        #expect(try scene.bob.state(of: scene.couple) == .alone)
        let mallory = try scene.folder.make("m", for: "mallory")
        _ = try scene.accept(try scene.invite(in: mallory), in: scene.bob)
        #expect(try scene.bob.state(of: scene.couple) == .serverKnown)
        let former = try scene.bob.couple(scene.couple).key.keyset.primaryID
        #expect(try scene.bob.cancelAnswer(of: scene.couple))
        try scene.pair(scene.bob, with: scene.alice)
        let paired = try scene.alice.couple(scene.couple)
        #expect(paired.key.keyset.primaryID != former && paired.origin(ofKey: former) == .exposed)
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
        let draft = try scene.alice.draftConfirmation(of: reply, to: scene.couple)
        let rewrap = try scene.alice.draftRewrap(scene.couple)
        try scene.alice.store(rewrap)
        try refuses(.pairing(.changedMeanwhile), scene.alice) { _ = try scene.alice.confirm(draft) }
        let grant = try scene.confirm(reply, in: scene.alice)
        let taken = try scene.bob.draftGrant(grant, of: scene.couple)
        let isSame = taken.phrase.text.isEqual(to: rewrap.phrase.text)
        #expect(isSame)
    }
}

extension UserID {
    fileprivate static func testOnly(_ text: String) throws(VaultError) -> UserID {
        do { return try UserID(parsing: text) } catch { throw .damaged }
    }
}
