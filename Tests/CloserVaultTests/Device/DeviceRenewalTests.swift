import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

@Suite("A vault that is renewed after a device was lost")
struct DeviceRenewalTests {
    private let vaults = MemoryVaults()
    private let vault: Vault
    private let couple: CoupleID

    init() throws {
        vault = try vaults.make("v")
        couple = try CoupleID(parsing: "couple_1")
        try vault.plant(couple, rekeyed: [try Golden.keyset().primaryID])
    }

    private func renew(_ key: UInt8 = 2) throws(VaultError) -> UInt32? {
        try vault.renew(locking: .testOnlyKeyFile(key))
    }

    @Test("has another vault key, identity and X25519 key, and every key of a couple is exposed")
    func renewed() throws {
        let (before, version) = (try vault.device, vault.version)
        #expect(try vault.couple(couple).isPrivate)
        #expect(try renew() == nil)
        let after = try vault.device
        #expect(after.publicKey != before.publicKey && after.x25519PublicKey != before.x25519PublicKey)
        #expect(after.formerChatKeys.map(\.publicKey) == [before.chatKey.publicKey])
        #expect(Set(before.identity.entries.map(\.id)).isSubset(of: after.identity.entries.map(\.id)))
        let origins = try vault.couple(couple).key.keyset.entries.map {
            try vault.couple(couple).origin(ofKey: $0.id)
        }
        #expect(origins.allSatisfy { $0 == .exposed })
        #expect(vault.follows(version) && vault.version.changeCount == version.changeCount + 1)
        #expect(throws: VaultError.authenticationFailed) { try vaults.open("v", key: 1) }
        #expect(try vaults.open("v", key: 2).coupleIDs == [couple])
    }

    @Test("refuses the key that opens it already, and changes nothing") func formerKey() throws {
        try refuses(.formerCredential, vault) { _ = try renew(1) }
    }

    @Test("of two that renew at once, the first wins") func both() throws {
        let other = try vaults.open("v")
        _ = try renew()
        #expect(throws: VaultError.authenticationFailed) { try other.renew(locking: .testOnlyKeyFile(3)) }
        #expect(throws: VaultError.authenticationFailed) { try vaults.open("v", key: 3) }
    }

    @Test("closes an offer that was drafted before") func staleOffer() throws {
        let draft = try vault.draftOffer(of: couple, beginningAt: .strict)
        _ = try renew()
        #expect(throws: VaultError.pairing(.changedMeanwhile)) { try vault.store(draft) }
    }

    @Test("closes a rekey that was opened before: the finder can open it, too") func staleAcceptance() throws
    {
        let story = try Story()
        let (alice, bob) = (try UserID(parsing: "alice"), try UserID(parsing: "bob"))
        func compare(_ vault: Vault, _ partner: UserID, _ key: PublicKeyToken) throws {
            let number = try vault.safetyNumber(of: story.couple, partner: partner, key: key)
            try vault.verify(partner: partner, of: story.couple, key: key, against: number)
        }
        func compareBoth() throws {
            try compare(story.alice, bob, story.bob.device.publicKey)
            try compare(story.bob, alice, story.alice.device.publicKey)
        }
        try compareBoth()
        try story.bob.renew(locking: .testOnlyKeyFile(2))
        try compareBoth()
        let draft = try story.alice.draftRekey(of: story.couple, partner: bob)
        try story.alice.store(draft)
        guard
            let acceptance = try story.bob.draftAcceptance(
                for: draft.document, of: story.couple, partner: alice)
        else { throw VaultError.damaged }
        try story.bob.renew(locking: .testOnlyKeyFile(3))
        #expect(throws: VaultError.rekey(.changedMeanwhile)) { try story.bob.store(acceptance) }
    }

    @Test("keeps seven older X25519 keys and 31 older identity keys, and tells which one went") func limits()
        throws
    {
        let first = try vault.device
        var removed: [UInt32] = []
        for round in 0..<40 {
            if let id = try renew(UInt8(round + 2)) { removed.append(id) }
        }
        let device = try vault.device
        #expect(device.formerChatKeys.count == 7 && device.identity.entries.count == Keyset.maximumKeyCount)
        #expect(removed.count == 9 && removed.first == first.identity.primaryID)
        #expect(!device.identity.entries.contains { removed.contains($0.id) })
        try vaults.open("v", key: 41).verifyRecords()
    }

    @Test("a keybox to the former key opens") func keybox() throws {
        let former = try vault.device.publicKey
        _ = try renew()
        let name = AnswerName(
            couple: couple, question: try QuestionID(parsing: "q"),
            place: try AnswerPlace(parsing: "daily:2026-11-20"))
        let bob = try vaults.make("b", for: "bob")
        try bob.plant(couple)
        for vault in [vault, bob] {
            try vault.seal(
                answer: #"{"answer":"yes"}"#.utf8, to: name.question, at: try #require(name.place), of: couple
            )
        }
        let (ours, theirs) = (try vault.answer(name).document, try bob.answer(name).document)
        let released = try bob.release(
            name, to: PartnerAnswer(of: UserID(parsing: "alice"), ours), key: former)
        _ = try vault.release(
            name, to: PartnerAnswer(of: UserID(parsing: "bob"), theirs), key: bob.device.publicKey)
        _ = try vault.reveal(
            name, of: PartnerAnswer(of: UserID(parsing: "bob"), theirs), with: released.document)
        #expect(try vault.answer(name).isRevealed)
    }
}
