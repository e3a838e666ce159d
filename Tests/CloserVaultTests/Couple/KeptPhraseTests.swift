import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

/// The vault of Alice and that of Bob, with a phrase that was kept or not.
@Suite("A recovery phrase that a vault keeps")
struct KeptPhraseTests {
    private let scene: PairingScene
    private var couple: CoupleID { scene.couple }

    init() throws { scene = try PairingScene() }

    /// What is kept opens the document that the vault gives the server.
    private func expectKept(in vault: Vault, at location: SourceLocation = #_sourceLocation) throws {
        #expect(try vault.keepsPhrase(of: couple), sourceLocation: location)
        let key = try CoupleKey(of: try vault.couple(couple).document, try vault.phrase(of: couple))
        #expect(
            try key.fingerprint(couple: couple) == vault.couple(couple).fingerprint, sourceLocation: location)
    }

    private func isKept(_ phrase: borrowing RecoveryPhrase, in vault: Vault) throws -> Bool {
        try vault.phrase(of: couple).text.isEqual(to: phrase.text)
    }

    private func expectNotKept(in vault: Vault, at location: SourceLocation = #_sourceLocation) throws {
        #expect(try !vault.keepsPhrase(of: couple), sourceLocation: location)
        #expect(throws: VaultError.couple(.phraseNotKept), sourceLocation: location) {
            _ = try vault.phrase(of: couple).text.count
        }
    }

    private func invite(keeping: Bool) throws -> PairReply {
        let draft = try scene.alice.draftOffer(of: couple, beginningAt: .strict)
        let open = try scene.alice.store(draft)
        if keeping, let phrase = draft.phraseText {
            try scene.alice.keepPhrase(RecoveryPhrase(typed: phrase), of: couple)
        }
        let code = String(decoding: open.code.text.testOnlyBytes(), as: UTF8.self)
        return try scene.accept((open.offer, code), in: scene.bob)
    }

    private func confirm(_ reply: PairReply, keeping: Bool) throws -> PairGrant {
        let draft = try scene.alice.draftConfirmation(for: reply, of: couple)
        let grant = try scene.alice.store(draft)
        if keeping { try scene.alice.keepPhrase(draft.phrase, of: couple) }
        return grant
    }

    /// Bob's vault keeps the phrase of the grant.
    private func finish(_ grant: PairGrant) throws {
        let draft = try scene.bob.openGrant(grant, of: couple)
        try scene.bob.store(draft)
        try scene.bob.keepPhrase(draft.phrase, of: couple)
    }

    @Test("by default none is kept, from the offer to the rewrap")
    func byDefault() throws {
        try scene.pair(scene.alice, with: scene.bob)
        for vault in [scene.alice, scene.bob] { try expectNotKept(in: vault) }
        try scene.alice.store(scene.alice.draftRewrap(of: couple))
        try expectNotKept(in: scene.alice)
        #expect(try !scene.alice.forgetPhrase(of: couple))
    }

    @Test(
        "the inviter keeps it from the offer, or from the confirmation of a couple whose phrase is known; the acceptor from the grant",
        arguments: [true, false])
    func pairing(fromTheOffer: Bool) throws {
        let reply = try invite(keeping: fromTheOffer)
        if fromTheOffer { try expectKept(in: scene.alice) } else { try expectNotKept(in: scene.alice) }
        let grant = try confirm(reply, keeping: !fromTheOffer)
        try expectKept(in: scene.alice)
        try finish(grant)
        try expectKept(in: scene.bob)
        #expect(try isKept(scene.alice.phrase(of: couple), in: scene.bob))
    }

    @Test(
        "a newer one takes its place, without being asked for: a second pairing, a rewrap, a recovery, a legacy invite"
    )
    func replaced() throws {
        try finish(confirm(invite(keeping: true), keeping: false))
        let first = try scene.alice.phrase(of: couple)
        try scene.pair(scene.alice, with: scene.bob)
        for vault in [scene.alice, scene.bob] { try expectKept(in: vault) }
        let second = try isKept(first, in: scene.alice)
        #expect(!second)
        let rewrap = try scene.alice.draftRewrap(of: couple)
        try scene.alice.store(rewrap)
        try expectKept(in: scene.alice)
        let isNewest = try (isKept(rewrap.phrase, in: scene.alice), isKept(rewrap.phrase, in: scene.bob))
        #expect(isNewest == (true, false))
        try scene.bob.recover(
            couple, from: scene.alice.couple(couple).document, phrase: rewrap.phrase, beginningAt: .strict)
        try expectKept(in: scene.bob)
        let isBobs = try isKept(rewrap.phrase, in: scene.bob)
        #expect(isBobs)
    }

    @Test(
        "a legacy couple keeps it from its making, its joining and its rekey on either side, and a newer invite replaces it"
    )
    func legacy() throws {
        let (alice, bob) = (scene.alice, scene.bob)
        let draft = try alice.draftCouple(of: couple, beginningAt: .strict)
        try alice.store(draft)
        try alice.keepPhrase(draft.phrase, of: couple)
        try join(keeping: true)
        for vault in [alice, bob] { try expectKept(in: vault) }
        try alice.store(alice.draftRewrap(of: couple))
        try join(keeping: false)
        for vault in [alice, bob] { try expectKept(in: vault) }
        for vault in [alice, bob] { #expect(try vault.forgetPhrase(of: couple)) }
        for (vault, other) in [(alice, bob), (bob, alice)] {
            let (user, key) = (try other.device.userID, try other.device.publicKey)
            try vault.verify(
                partner:
                    user, of: couple, key: key,
                against: vault.safetyNumber(of: couple, partner: user, key: key))
        }
        let rekey = try alice.draftRekey(of: couple, partner: bob.device.userID)
        try alice.store(rekey)
        try alice.keepPhrase(rekey.phrase, of: couple)
        guard
            let acceptance = try bob.draftAcceptance(
                for: rekey.document, of: couple, partner: alice.device.userID)
        else { throw VaultError.damaged }
        try bob.store(acceptance)
        try bob.keepPhrase(acceptance.phrase, of: couple)
        for vault in [alice, bob] { try expectKept(in: vault) }
    }

    private func join(keeping: Bool) throws {
        let invite = try InviteDocument(parsing: scene.alice.invite(of: couple))
        guard let code = invite.copyOfCode() else { throw VaultError.damaged }
        try scene.bob.join(couple, with: invite, code: code, beginningAt: .strict)
        if keeping { try scene.bob.keepPhrase(invite.phrase.open(with: code), of: couple) }
    }

    @Test(
        "a recovery keeps the phrase on paper, also where it changes nothing else, and a phrase that opens nothing is not kept"
    )
    func recovered() throws {
        let draft = try scene.alice.draftOffer(of: couple, beginningAt: .strict)
        guard let phrase = draft.phraseText else { throw VaultError.damaged }
        try scene.alice.store(draft)
        let document = try scene.alice.couple(couple).document
        #expect(throws: VaultError.unwrap(.wrongPhrase)) {
            try scene.alice.keepPhrase(.random(), of: couple)
        }
        try expectNotKept(in: scene.alice)
        let typed = try RecoveryPhrase(typed: phrase)
        try scene.alice.recover(couple, from: document, phrase: typed, beginningAt: .strict)
        try scene.alice.keepPhrase(typed, of: couple)
        try expectKept(in: scene.alice)
        #expect(try scene.alice.pairingState(of: couple) == .alone)
    }

    @Test("it goes when it is forgotten, and no newer one is kept then; with its couple it goes, too")
    func forgotten() throws {
        _ = try invite(keeping: true)
        #expect(try scene.alice.forgetPhrase(of: couple))
        try expectNotKept(in: scene.alice)
        try scene.alice.store(scene.alice.draftRewrap(of: couple))
        try expectNotKept(in: scene.alice)
        let rewrap = try scene.alice.draftRewrap(of: couple)
        try scene.alice.store(rewrap)
        try scene.alice.keepPhrase(rewrap.phrase, of: couple)
        try expectKept(in: scene.alice)
        try scene.alice.forget(couple)
        #expect(try !scene.alice.keepsPhrase(of: couple))
        #expect(throws: VaultError.couple(.missing)) { _ = try scene.alice.phrase(of: couple).text.count }
        _ = try scene.alice.store(scene.alice.draftOffer(of: couple, beginningAt: .strict))
        try expectNotKept(in: scene.alice)
    }

    @Test("an export has it, and a step that is refused keeps nothing")
    func exported() throws {
        _ = try invite(keeping: false)
        let late = try scene.alice.draftRewrap(of: couple)
        try scene.alice.forget(couple)
        #expect(throws: VaultError.couple(.missing)) { try scene.alice.store(late) }
        #expect(throws: VaultError.couple(.missing)) { try scene.alice.keepPhrase(late.phrase, of: couple) }
        #expect(try !scene.alice.keepsPhrase(of: couple))
        _ = try invite(keeping: true)
        let export = try scene.alice.export(locking: .testOnlyKeyFile(2))
        scene.vaults.write(export, to: "export")
        try expectKept(in: scene.vaults.open("export", key: 2))
    }
}
