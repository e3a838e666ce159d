import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

@Suite("An invite that is made while another one is open")
struct PairingOfferTests {
    private let scene: PairingScene

    init() throws {
        scene = try PairingScene()
        try scene.alice.plant(scene.couple)
    }

    /// For an hour.
    private func draft(at now: UInt64, replacing: Bool = false) throws -> OfferDraft {
        scene.alice.setClock(now)
        return try scene.alice.draftOffer(
            of: scene.couple, beginningAt: .strict, openFor: .seconds(3600), replacing: replacing)
    }

    private func statuses() throws -> [StoredPairing.Status] {
        try scene.alice.pairings(of: scene.couple).map(\.status)
    }

    @Test("it does not take its place unasked, and closes it where that was asked for")
    func replaced() throws {
        try scene.alice.store(try draft(at: 1000))
        let second = try draft(at: 1001)
        try refuses(.pairing(.changedMeanwhile), scene.alice) { try scene.alice.store(second) }
        try scene.alice.store(try draft(at: 1002, replacing: true))
        #expect(try statuses() == [.cancelled, .open])
    }

    @Test("it takes its place when its hour is over, and not a second before")
    func expired() throws {
        try scene.alice.store(try draft(at: 1000))
        let early = try draft(at: 4599)
        try refuses(.pairing(.changedMeanwhile), scene.alice) { try scene.alice.store(early) }
        try scene.alice.store(try draft(at: 4600))
        #expect(try statuses() == [.expired, .open])
    }

    @Test("the open one is told again until its hour is over")
    func pending() throws {
        try scene.alice.store(try draft(at: 1000))
        #expect(try end(at: 4599) == 4600)
        #expect(try end(at: 4600) == nil)
    }

    private func end(at now: UInt64) throws -> UInt64? {
        scene.alice.setClock(now)
        guard let invite = try scene.alice.pendingOffer(of: scene.couple) else { return nil }
        return invite.end.secondsSince1970
    }
}
