import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

/// What only a person can know: which couple a code is for, that its maker may have the keys, and that the code is new.
@Suite("An answer to an invite needs consent")
struct PairingConsentTests {
    private let scene: PairingScene
    private let mallory: Vault

    init() throws {
        scene = try PairingScene()
        mallory = try scene.vaults.make("m", for: "mallory")
    }

    /// What a vault may know of a couple.
    enum Knowledge: CaseIterable {
        case couple, invite, tombstone, forgotten

        var known: PairingStepError.KnownCouple {
            switch self {
            case .couple, .invite: .held
            case .tombstone: .unfinished
            case .forgotten: .forgotten
            }
        }

        func plant(_ scene: PairingScene) throws {
            switch self {
            case .couple: try scene.bob.plant(scene.couple)
            case .invite: _ = try scene.invite(in: scene.bob)
            case .tombstone:
                _ = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
                #expect(try scene.bob.cancelAnswer(of: scene.couple))
            case .forgotten:
                try scene.bob.plant(scene.couple)
                try scene.bob.forget(scene.couple)
            }
        }
    }

    /// As the program does without `--couple`.
    private func acceptUnnamed(_ invite: (offer: PairOffer, code: String)) throws -> PairReply {
        try scene.bob.accept(
            invite.offer, code: PairingScene.typed(invite.code), ifOf: nil, partner: nil,
            [.sendingKeys, .newCode])
    }

    @Test(
        "an offer does not choose a couple of which the vault knows anything",
        .proves("Pairing: keys leave a device only on purpose, and for the right couple"),
        arguments: Knowledge.allCases)
    func unnamed(_ knowledge: Knowledge) throws {
        try knowledge.plant(scene)
        let invite = try scene.invite(in: mallory)
        let refusal = VaultError.pairing(.coupleNotNamed(scene.couple, knowledge.known))
        try refuses(refusal, scene.bob) { _ = try acceptUnnamed(invite) }
    }

    @Test("the couple of an offer is taken where nothing of it is known, and once more while it waits")
    func newCouple() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try acceptUnnamed(invite)
        #expect(try acceptUnnamed(invite) == reply)
        let other = try scene.invite(in: mallory)
        try refuses(.pairing(.coupleNotNamed(scene.couple, .unfinished)), scene.bob) {
            _ = try acceptUnnamed(other)
        }
    }

    @Test(
        "a partner on trust is replaced on purpose only, by an answer or by a confirmation",
        .proves("Pairing: keys leave a device only on purpose, and for the right couple"))
    func onTrust() throws {
        let (alice, key) = (try scene.alice.device.userID, try scene.alice.device.publicKey)
        try scene.bob.plant(scene.couple)
        try scene.bob.change { (transaction) throws(VaultError) in
            _ = try transaction.pin(key, of: alice, of: scene.couple)
        }
        let theirs = try scene.invite(in: mallory)
        try refuses(.pairing(.otherPartner), scene.bob) { _ = try scene.accept(theirs, in: scene.bob) }
        _ = try scene.accept(theirs, in: scene.bob, replacing: true)
        #expect(try scene.bob.cancelAnswer(of: scene.couple))
        let stranger = try scene.vaults.make("n", for: "nina")
        let reply = try scene.accept(try scene.invite(in: scene.bob), in: stranger)
        try refuses(.pairing(.otherPartner), scene.bob) { try scene.confirm(reply, in: scene.bob) }
        try scene.confirm(reply, in: scene.bob, replacing: true)
        #expect(try scene.bob.partners(of: scene.couple).map(\.userID.text) == ["nina"])
    }

    @Test("a verified partner is not replaced by any pairing")
    func verified() throws {
        try scene.pair(scene.alice, with: scene.bob)
        let theirs = try scene.invite(in: mallory)
        try refuses(.pairing(.otherPartner), scene.bob) {
            _ = try scene.accept(theirs, in: scene.bob, replacing: true)
        }
        let reply = try scene.accept(
            try scene.invite(in: scene.bob), in: try scene.vaults.make("n", for: "nina"))
        try refuses(.pairing(.otherPartner), scene.bob) {
            try scene.confirm(reply, in: scene.bob, replacing: true)
        }
    }

    @Test(
        "keys go on purpose only; before that nothing is stored, and afterwards nothing is asked again",
        .proves("Pairing: keys leave a device only on purpose, and for the right couple"))
    func sendingKeys() throws {
        try scene.bob.plant(scene.couple)
        let invite = try scene.invite(in: scene.alice)
        let accept = { (sends: Bool) in
            try scene.bob.accept(
                invite.offer, code: PairingScene.typed(invite.code), of: scene.couple,
                consents: .testOnly((.sendingKeys, sends)))
        }
        try refuses(.pairing(.wouldSendKeys), scene.bob) { _ = try accept(false) }
        #expect(try scene.bob.pairings(of: scene.couple).isEmpty)
        let reply = try accept(true)
        #expect(!reply.hold.isEmpty)
        #expect(try accept(false) == reply)
    }

    @Test("a couple without keys sends none, and needs no question")
    func noKeys() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.bob.accept(
            invite.offer, code: PairingScene.typed(invite.code), of: scene.couple)
        #expect(reply.hold.isEmpty)
    }

    /// How a vault comes to be older than what was done with it.
    enum Copying: CaseIterable {
        case imported, accepted, opened

        /// The copy answers nothing that the vault has answered since.
        func copy(_ scene: PairingScene, whileUsing use: () throws -> Void) throws -> Vault {
            let words = "correct horse"
            switch self {
            case .imported, .opened:
                let export = try scene.bob.export(locking: .testOnlyQuick(words))
                try use()
                guard self == .imported else {
                    scene.vaults.write(export, to: "copy")
                    return try LockedVault(in: scene.vaults.storage("copy")).unlock(
                        with: .testOnlyQuick(words))
                }
                return try Vault.create(
                    in: scene.vaults.storage("copy"), importing: export,
                    unlocking: .testOnlyPassphrase(words),
                    locking: .testOnlyKeyFile(9))
            case .accepted:
                let old = try scene.vaults.bytes("b")
                try use()
                let newest = scene.bob.version
                scene.vaults.write(old, to: "b")
                let copy = try scene.vaults.open("b")
                try copy.acceptAsNewest(after: newest)
                return copy
            }
        }
    }

    private func accept(
        _ invite: (offer: PairOffer, code: String), in vault: Vault, isNew: Bool
    ) throws -> PairReply {
        try vault.accept(
            invite.offer, code: PairingScene.typed(invite.code), of: scene.couple,
            consents: .testOnly((.newPartnerKey, true), (.sendingKeys, true), (.newCode, isNew)))
    }

    /// The day is not looked at: it is that of the test.
    private func isOlder(_ body: () throws -> Void) -> Bool {
        do { try body() } catch VaultError.pairing(.olderCopy) { return true } catch { return false }
        return false
    }

    @Test(
        "a copy answers no code until somebody says that it is new",
        .proves(
            "Pairing: an older copy of a vault accepts no code until a person confirms that the code is new"),
        arguments: Copying.allCases)
    func olderCopy(_ copying: Copying) throws {
        let invite = try scene.invite(in: scene.alice)
        let copy = try copying.copy(scene) { _ = try scene.accept(invite, in: scene.bob) }
        // What the server made of the same code: a second guess.
        #expect(isOlder { _ = try accept(invite, in: copy, isNew: false) })
        #expect(try copy.pairings(of: scene.couple).isEmpty)
        let new = try scene.invite(in: scene.alice, replacing: true)
        #expect(isOlder { _ = try accept(new, in: copy, isNew: false) })
        let reply = try accept(new, in: copy, isNew: true)
        #expect(try accept(new, in: copy, isNew: false) == reply)
        // Until it is over, the next one is asked about.
        let next = try scene.invite(in: mallory)
        #expect(isOlder { _ = try accept(next, in: copy, isNew: false) })
        try scene.finish(try scene.confirm(reply, in: scene.alice), in: copy)
        _ = try accept(try scene.invite(in: scene.alice), in: copy, isNew: false)
    }

    @Test("a copy invites as it likes, which says nothing of the codes that were typed")
    func invitingCopy() throws {
        let copy = try Copying.imported.copy(scene) {}
        let reply = try scene.accept(try scene.invite(in: copy), in: scene.alice)
        try scene.finish(try scene.confirm(reply, in: copy), in: scene.alice)
        let invite = try scene.invite(in: scene.alice)
        #expect(isOlder { _ = try accept(invite, in: copy, isNew: false) })
    }

    @Test("a partner who is known by an answer alone stands in a stranger's way, too")
    func answered() throws {
        try scene.bob.plant(scene.couple)
        var alice = Partner(try UserID(parsing: "alice"), of: scene.couple)
        alice.authenticates = true
        try scene.bob.change { [alice] (transaction) throws(VaultError) in transaction.put(alice) }
        let invite = try scene.invite(in: mallory)
        func accept(replacing: Bool) throws {
            _ = try scene.bob.accept(
                invite.offer, code: PairingScene.typed(invite.code), of: scene.couple,
                consents: .testOnly((.sendingKeys, true), (.replacingPartner, replacing)))
        }
        try refuses(.pairing(.otherPartner), scene.bob) { try accept(replacing: false) }
        try accept(replacing: true)
    }
}
