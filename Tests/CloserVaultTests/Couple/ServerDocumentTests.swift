import CloserKeys
import TestSupport
import Testing

@testable import CloserVault

@Suite("The server's document beside the vault's")
struct ServerDocumentTests {
    @Test(
        "a rewrap here or at the partner makes it another one; one of a lower version is refused; none of it changes the vault"
    )
    func compared() throws {
        let scene = try PairingScene()
        try scene.pair(scene.alice, with: scene.bob)
        let (alice, couple) = (scene.alice, scene.couple)
        let (ours, changes) = (try alice.couple(couple).document, alice.version.changeCount)
        #expect(try alice.compare(ours, of: couple) == .ours)
        // The partner's wrap of the same phrase has a salt of its own.
        #expect(try alice.compare(scene.bob.couple(couple).document, of: couple) == .other)
        let lowered = CoupleDocument(try alice.couple(couple).wrap, migrated: [])
        #expect(throws: VaultError.migration(.lowered(to: .migrating, from: .strict))) {
            try alice.compare(lowered, of: couple)
        }
        #expect(alice.version.changeCount == changes)
        try alice.store(alice.draftRewrap(of: couple))
        #expect(try alice.compare(ours, of: couple) == .other)
        let whole = try alice.overview(of: couple)
        #expect(try alice.waiting(for: whole, seeing: .other).count == 1)
        #expect(try alice.waiting(for: whole, seeing: .ours).isEmpty)
    }
}
