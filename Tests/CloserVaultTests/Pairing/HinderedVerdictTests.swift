import CloserFiles
import CloserKeys
import CloserPrimitives
import Testing

@testable import CloserVault

/// The size of the new bytes tells a verdict before they are stored: whether that fails by a fault or by an attacker, a second reply is
/// not judged.
@Suite("A verdict that is not stored")
struct HinderedVerdictTests {
    private let scene: PairingScene
    private let invite: (offer: PairOffer, code: String)
    private let right: PairReply
    private let wrong: PairReply

    init() throws {
        scene = try PairingScene()
        invite = try scene.invite(in: scene.alice)
        right = try scene.accept(invite, in: scene.bob)
        let mallory = try scene.vaults.make("m", for: "mallory")
        wrong = try mallory.accept(
            invite.offer, code: PairingScene.guess(at: invite.code), of: scene.couple)
    }

    /// Judges a reply where no change is stored after so many.
    private func confirm(_ reply: PairReply, hinderedAfter count: Int) throws {
        let storage = ObstructedStorage(scene.vaults.storage("a"), after: count)
        let hindered = try LockedVault(in: storage).unlock(with: .testOnlyKeyFile(1))
        #expect(throws: storage.refusal) {
            _ = try hindered.store(try hindered.draftConfirmation(for: reply, of: scene.couple))
        }
    }

    private var status: StoredPairing.Status? {
        get throws { try scene.alice.pairings(of: scene.couple).last?.status }
    }

    @Test("an attacker who hinders a verdict has made that guess")
    func guessed() throws {
        try confirm(wrong, hinderedAfter: 1)
        #expect(throws: VaultError.pairing(.inviteUsed)) { try scene.confirm(right, in: scene.alice) }
        #expect(throws: VaultError.refused(.codeMismatch, failures: 1)) {
            try scene.confirm(wrong, in: scene.alice)
        }
        #expect(try status == .burned)
    }

    @Test("the time that counts is that under the vault's lock, and not when the wait for the lock began")
    func late() throws {
        let asked = Lock(0)
        let early = Lock(0)
        let storage = ObstructedStorage(scene.vaults.storage("a"))
        let vault = try LockedVault(in: storage).unlock(with: .testOnlyKeyFile(1))
        vault.seams.withLock { seams in
            seams.now = {
                asked.withLock { $0 += 1 }
                if !storage.isLocked { early.withLock { $0 += 1 } }
                return .now
            }
        }
        let draft = try vault.draftConfirmation(for: right, of: scene.couple)
        _ = try vault.grant(for: right, of: scene.couple)
        _ = try vault.store(draft)
        #expect(asked.withLock { $0 } == 3 && early.withLock { $0 } == 0)
    }

    @Test("the right reply gets its grant later, and no other one does")
    func later() throws {
        try confirm(right, hinderedAfter: 1)
        #expect(throws: VaultError.pairing(.inviteUsed)) { try scene.confirm(wrong, in: scene.alice) }
        try scene.finish(try scene.confirm(right, in: scene.alice), in: scene.bob)
        try scene.expectPaired(epoch: 0, keyCount: 1)
    }

    @Test(
        "before a reply is looked at, hindering tells nothing, and costs nothing", arguments: [true, false])
    func before(_ isRight: Bool) throws {
        try confirm(isRight ? right : wrong, hinderedAfter: 0)
        #expect(try status == .open)
        try scene.finish(try scene.confirm(right, in: scene.alice), in: scene.bob)
    }

    @Test("what was prepared is judged later, and no other reply is")
    func prepared() throws {
        let draft = try scene.alice.draftConfirmation(for: right, of: scene.couple)
        try scene.alice.prepare(draft)
        #expect(try status == .open)
        #expect(throws: VaultError.pairing(.inviteUsed)) { try scene.confirm(wrong, in: scene.alice) }
        try scene.finish(try scene.alice.store(draft), in: scene.bob)
        try scene.alice.prepare(draft)
        try scene.expectPaired(epoch: 0, keyCount: 1)
    }

    @Test("an invite that is given up then counts as a failure: its verdict is unknown")
    func givenUp() throws {
        try confirm(wrong, hinderedAfter: 1)
        #expect(try scene.alice.cancelOffer(of: scene.couple))
        #expect(try status == .burned)
        let next = try scene.invite(in: scene.alice)
        let mallory = try scene.vaults.open("m")
        let guess = try mallory.accept(
            next.offer, code: PairingScene.guess(at: next.code), of: scene.couple)
        #expect(throws: VaultError.refused(.codeMismatch, failures: 2)) {
            try scene.confirm(guess, in: scene.alice)
        }
    }
}
