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
        let vault = try scene.vaults.make("\(UUID())", for: user)
        return try vault.accept(
            invite.offer, code: PairingScene.guess(at: invite.code), of: scene.couple)
    }

    @Test(
        "a wrong code burns the invite, and the right one comes too late; nothing else changed",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func burned() throws {
        let invite = try scene.invite(in: scene.alice)
        let right = try scene.accept(invite, in: scene.bob)
        let before = try scene.alice.couple(scene.couple)
        #expect(throws: VaultError.refused(.codeMismatch, failures: 1)) {
            try scene.confirm(try guess(invite), in: scene.alice)
        }
        #expect(try status(in: scene.vaults.open("a")) == [.burned])
        #expect(throws: VaultError.pairing(.inviteClosed(.burned))) {
            try scene.confirm(right, in: scene.alice)
        }
        let after = try scene.alice.couple(scene.couple)
        #expect(after.hasSameKeys(as: before) && after.wrap == before.wrap)
        #expect(try scene.alice.pairingState(of: scene.couple) == .alone)
        #expect(try scene.alice.partners(of: scene.couple).isEmpty)
    }

    @Test("the third failure in a row is no slip of the tongue, and is said to be one")
    func guesses() {
        let errors = (1...4).map { VaultError.refused(.codeMismatch, failures: $0) }
        #expect(errors.map { "\($0)".contains("this was failure") } == [false, false, true, true])
        let other = VaultError.refused(.epochTooHigh(7), failures: 3)
        #expect(!"\(other)".contains("this was failure"))
    }

    @Test("who is verified with another key between the draft and the verdict counts")
    func partnerMeanwhile() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let draft = try scene.alice.draftConfirmation(for: reply, of: scene.couple)
        let (bob, other) = (
            try UserID(parsing: "bob"), try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        )
        let digits = try scene.alice.safetyNumber(of: scene.couple, partner: bob, key: other)
        try scene.alice.verify(partner: bob, of: scene.couple, key: other, against: digits)
        try refuses(.pairing(.partnerKeyChanged), scene.alice) { _ = try scene.alice.store(draft) }
    }

    @Test("failures in a row are counted, and a success begins anew")
    func counted() throws {
        for count in 1...3 {
            let invite = try scene.invite(in: scene.alice)
            #expect(throws: VaultError.refused(.codeMismatch, failures: count)) {
                try scene.confirm(try guess(invite), in: scene.alice)
            }
        }
        try scene.pair(scene.alice, with: scene.bob)
        let invite = try scene.invite(in: scene.alice)
        #expect(throws: VaultError.refused(.codeMismatch, failures: 1)) {
            try scene.confirm(try guess(invite, as: "bob"), in: scene.alice, newKey: true)
        }
    }

    @Test(
        "the same reply gets the same grant, another one none",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func repeated() throws {
        let invite = try scene.invite(in: scene.alice)
        let reply = try scene.accept(invite, in: scene.bob)
        let grant = try scene.confirm(reply, in: scene.alice)
        let changes = try scene.alice.changeCount
        for _ in 0..<2 { #expect(try scene.confirm(reply, in: scene.vaults.open("a")) == grant) }
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
            _ = try scene.alice.draftConfirmation(
                for: reply, of: scene.couple, partner: carol
            ).isNewPhrase
        }
        let other = try scene.invite(in: try scene.vaults.make("d", for: "dora"))
        try refuses(.pairing(.noOffer), scene.alice) {
            try scene.confirm(try guess(other), in: scene.alice)
        }
        try scene.confirm(reply, in: scene.alice)
    }

    @Test(
        "an invite whose time is over is closed for good, and another one can be made",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func expired() throws {
        let invite = try scene.invite(in: scene.alice, hours: 1)
        let reply = try scene.accept(invite, in: scene.bob)
        let end = try #require(try scene.alice.pairings(of: scene.couple).last?.end).secondsSince1970
        // The clock may be set back: it stays closed.
        for now in [end, end - 1] {
            scene.alice.setClock(now)
            #expect(throws: VaultError.pairing(.inviteClosed(.expired))) {
                try scene.alice.grant(for: reply, of: scene.couple)
            }
        }
        #expect(try status(in: scene.alice) == [.expired])
        expectNone(try scene.alice.pendingOffer(of: scene.couple))
        let next = try scene.invite(in: scene.alice)
        let answer = try scene.accept(next, in: scene.bob)
        try scene.finish(try scene.confirm(answer, in: scene.alice), in: scene.bob)
        #expect(try status(in: scene.bob) == [.givenUp, .done])
    }

    @Test(
        "an offer that was made under a clock that was ahead waits until the clock is right, and stays open")
    func ahead() throws {
        let (day, week) = (UInt64(86_400), UInt64(168 * 3600))
        let reply = try scene.accept(try scene.invite(in: scene.alice, hours: 168), in: scene.bob)
        let pairing = try #require(try scene.alice.pairings(of: scene.couple).last)
        let (made, end) = (pairing.madeAt.secondsSince1970, try #require(pairing.end).secondsSince1970)
        for now in [made - 300 * day, made - day - 1, end - week - 1] {
            scene.alice.setClock(now)
            try refuses(.pairing(.offerAhead(pairing.madeAt)), scene.alice) {
                try scene.confirm(reply, in: scene.alice)
            }
            #expect(throws: VaultError.pairing(.offerAhead(pairing.madeAt))) {
                try scene.alice.grant(for: reply, of: scene.couple)
            }
        }
        #expect(try status(in: scene.alice) == [.open])
        scene.alice.setClock(end - week)
        try scene.confirm(reply, in: scene.alice)
    }

    @Test("an offer of some hours bears a clock that is put back by up to a day")
    func slightlyAhead() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice, hours: 1), in: scene.bob)
        let pairing = try #require(try scene.alice.pairings(of: scene.couple).last)
        scene.alice.setClock(pairing.madeAt.secondsSince1970 - 86_400)
        try scene.confirm(reply, in: scene.alice)
    }

    @Test("time that runs out between the two steps of a confirmation counts, too")
    func expiredMeanwhile() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice, hours: 1), in: scene.bob)
        let end = try #require(try scene.alice.pairings(of: scene.couple).last?.end).secondsSince1970
        let draft = try scene.alice.draftConfirmation(for: reply, of: scene.couple)
        scene.alice.setClock(end)
        #expect(throws: VaultError.pairing(.inviteClosed(.expired))) { try scene.alice.store(draft) }
        #expect(try status(in: scene.alice) == [.expired])
    }

    @Test("a right reply whose keys cannot be taken closes the invite: it was judged")
    func failed() throws {
        // One id with two keys.
        let (ours, theirs) = (try Golden.keyset(), try Golden.keyset().withOtherBytes())
        try scene.alice.plant(scene.couple, keyset: ours)
        try scene.bob.plant(scene.couple, keyset: theirs)
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let refusal = VaultError.refused(.keyMismatch(ours.primaryID))
        #expect(throws: refusal) { try scene.confirm(reply, in: scene.alice) }
        #expect(try status(in: scene.alice) == [.failed])
        #expect(throws: VaultError.pairing(.inviteClosed(.failed))) {
            try scene.confirm(reply, in: scene.alice)
        }
    }

    @Test(
        "of sixteen replies that are judged at once, one gets the verdict",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func atOnce() async throws {
        let invite = try scene.invite(in: scene.alice)
        let replies =
            try (0..<15).map { try guess(invite, as: "user\($0)") } + [scene.accept(invite, in: scene.bob)]
        let verdicts = await withTaskGroup(of: String.self) { group in
            for reply in replies {
                group.addTask {
                    do {
                        let vault = try scene.vaults.open("a")
                        return try "\(scene.confirm(reply, in: vault).lookup == invite.offer.lookup)"
                    } catch VaultError.refused(.codeMismatch, _) {
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
        #expect(try scene.alice.cancelOffer(of: scene.couple))
        for vault in [scene.alice, scene.bob] {
            for pairing in try vault.pairings(of: scene.couple) {
                expectNone(pairing.copyOfCode())
                expectNone(try pairing.openOffer())
                expectNone(try pairing.answer())
            }
        }
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
