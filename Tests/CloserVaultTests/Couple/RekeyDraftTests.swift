import CloserKeys
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

@Suite("A rekey that was drafted before something else changed the couple")
struct RekeyDraftTests {
    private let story: Story
    private let bob: UserID

    init() throws {
        story = try Story()
        bob = try UserID(parsing: "bob")
        let key = try story.bob.device.publicKey
        let digits = try story.alice.safetyNumber(of: story.couple, with: bob, key: key)
        try story.alice.verify(bob, of: story.couple, key: key, against: digits)
    }

    @Test("nothing changed: it is stored")
    func unchanged() throws {
        let draft = try story.alice.draftRekey(story.couple, to: bob)
        try story.alice.store(draft)
        #expect(try story.alice.state(of: story.couple) == .rekeyed)
        try refuses(.rekey(.changedMeanwhile), story.alice) { try story.alice.store(draft) }
    }

    @Test("a key was retired in between: it is not brought back")
    func retired() throws {
        let rotated = try Golden.keyset().adding(.aes256GCM)
        try story.alice.plant(story.couple, keyset: rotated)
        let draft = try story.alice.draftRekey(story.couple, to: bob)
        try story.alice.retire(rotated.entries[1].id, of: story.couple)
        try refuses(.rekey(.changedMeanwhile), story.alice) { try story.alice.store(draft) }
    }

    @Test("the couple was rekeyed in between, or its partner has another key")
    func others() throws {
        let draft = try story.alice.draftRekey(story.couple, to: bob)
        try story.alice.store(try story.alice.draftRekey(story.couple, to: bob))
        try refuses(.rekey(.changedMeanwhile), story.alice) { try story.alice.store(draft) }
        let next = try story.alice.draftRekey(story.couple, to: bob)
        let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        let digits = try story.alice.safetyNumber(of: story.couple, with: bob, key: other)
        try story.alice.verify(bob, of: story.couple, key: other, against: digits)
        try refuses(.rekey(.changedMeanwhile), story.alice) { try story.alice.store(next) }
    }
}
