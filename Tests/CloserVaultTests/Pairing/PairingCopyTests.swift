import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

/// Copies of a vault, and what a device insists on.
@Suite("Invites and copies of a vault")
struct PairingCopyTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    @Test("an import closes open invites: where the export was made they may judge a reply")
    func imported() throws {
        let reply = try scene.accept(try scene.invite(in: scene.alice), in: scene.bob)
        let export = try scene.alice.export(locking: .testOnlyQuick("correct horse"))
        let copy = try Vault.create(
            at: scene.folder.path("copy"), importing: export,
            under: SecretBytes(testOnly: Array("correct horse".utf8)), locking: .testOnlyKeyFile(9))
        #expect(try copy.pairings(of: scene.couple).map(\.status) == [.cancelled])
        #expect(throws: VaultError.pairing(.inviteClosed(.cancelled))) {
            try scene.confirm(reply, in: copy)
        }
        try scene.confirm(reply, in: scene.alice)
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

    @Test("a device that insists on pairings makes and joins no v1 invite, and releases to no unverified key")
    func policy() throws {
        let story = try Story()
        let theirs = try story.seal(in: story.bob)
        try story.seal(in: story.alice)
        try story.alice.set(Policy(requiresPairing: true))
        #expect(try story.folder.open("a").policy.requiresPairing)
        try refuses(.answer(.notVerified), story.alice) {
            _ = try story.alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
        }
        let other = try CoupleID(parsing: "couple_2")
        try refuses(.pairing(.required), story.alice) { _ = try story.alice.draftCouple(other).couple }
        // It would come with an invite.
        try refuses(.pairing(.required), story.alice) {
            _ = try story.alice.draftRewrap(story.couple).couple
        }
        try story.alice.set(Policy())
        #expect(try story.alice.draftRewrap(story.couple).couple.id == story.couple)
        _ = try story.alice.release(story.name, to: theirs, key: story.bob.device.publicKey)
    }
}
