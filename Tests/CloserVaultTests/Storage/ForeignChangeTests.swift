import CloserKeys
import Testing

@testable import CloserVault

/// Two that have the same vault open.
@Suite("What somebody else changes in a vault that is open")
struct ForeignChangeTests {
    private let folder: VaultFolder
    private let couple: CoupleID
    private let ours: Vault
    private let theirs: Vault

    init() throws {
        folder = try VaultFolder()
        couple = try CoupleID(parsing: "couple_1")
        ours = try folder.make("v")
        theirs = try folder.open("v")
    }

    @Test("is counted once it is met by a look or by a change, and our own changes are not")
    func counted() throws {
        try ours.plant(couple)
        _ = try ours.couples
        #expect(ours.foreignChangeCount == 0)
        try theirs.plant(couple)
        #expect(ours.foreignChangeCount == 0 && theirs.foreignChangeCount == 1)
        _ = try (ours.couples, ours.couples)
        #expect(ours.foreignChangeCount == 1)
        try theirs.plant(couple)
        try ours.plant(couple)
        #expect(ours.foreignChangeCount == 2 && theirs.foreignChangeCount == 1)
    }

    @Test("shows at a glance, and so does what the witness learns")
    func glance() throws {
        let before = try ours.glance()
        _ = try (ours.couples, theirs.couples)
        #expect(try before != nil && ours.glance() == before)
        try theirs.plant(couple)
        #expect(try ours.glance() != before && ours.glance() == theirs.glance())
        let learning = try Vault(
            opening: folder.path("v"), unlocking: .testOnlyKeyFile(1), witness: .ofOne(theirs.version))
        #expect(try learning.glance() != theirs.glance())
    }
}
