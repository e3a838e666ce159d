import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys
@testable import CloserVault

@Suite("A rekey that was drafted before something else changed the couple")
struct RekeyDraftTests {
    private let story: Story
    private let bob: UserID

    init() throws {
        story = try Story()
        bob = try UserID(parsing: "bob")
        let key = try story.bob.device.publicKey
        let digits = try story.alice.safetyNumber(of: story.couple, partner: bob, key: key)
        try story.alice.verify(partner: bob, of: story.couple, key: key, against: digits)
    }

    @Test("nothing changed: it is stored")
    func unchanged() throws {
        let draft = try story.alice.draftRekey(of: story.couple, partner: bob)
        try story.alice.store(draft)
        #expect(try story.alice.pairingState(of: story.couple) == .rekeyed)
        try refuses(.rekey(.changedMeanwhile), story.alice) { try story.alice.store(draft) }
    }

    @Test("what was sent is handed out again, until somebody else is given its key")
    func sent() throws {
        try story.alice.store(try story.alice.draftRekey(of: story.couple, partner: bob))
        #expect(try story.alice.sentRekey(of: story.couple, partner: bob)?.epoch == 1)
        try story.alice.change { (transaction) throws(VaultError) in
            try transaction.give(try transaction.couple(story.couple))
        }
        #expect(try story.alice.sentRekey(of: story.couple, partner: bob) == nil)
    }

    @Test("a key was retired in between: it is not brought back")
    func retired() throws {
        let rotated = try Golden.keyset().adding(.aes256GCM)
        try story.alice.plant(story.couple, keyset: rotated)
        let draft = try story.alice.draftRekey(of: story.couple, partner: bob)
        try story.alice.retire(rotated.entries[1].id, of: story.couple)
        try refuses(.rekey(.changedMeanwhile), story.alice) { try story.alice.store(draft) }
    }

    @Test("the key that seals is not retired, nor is one that the couple does not have; 32 keys are the most")
    func keys() throws {
        var keyset = try Golden.keyset()
        try refuses(.keyset(.isPrimary(keyset.primaryID)), story.alice) {
            try story.alice.retire(keyset.primaryID, of: story.couple)
        }
        try refuses(.keyset(.noSuchKey(7)), story.alice) { try story.alice.retire(7, of: story.couple) }
        for _ in 1..<32 { keyset = try keyset.adding(.aes256GCM) }
        try story.alice.plant(story.couple, keyset: keyset)
        try refuses(.rekey(.tooManyKeys), story.alice) {
            _ = try story.alice.draftRekey(of: story.couple, partner: bob).document
        }
    }

    @Test("the couple was rekeyed in between, or its partner has another key")
    func others() throws {
        let draft = try story.alice.draftRekey(of: story.couple, partner: bob)
        try story.alice.store(try story.alice.draftRekey(of: story.couple, partner: bob))
        try refuses(.rekey(.changedMeanwhile), story.alice) { try story.alice.store(draft) }
        let next = try story.alice.draftRekey(of: story.couple, partner: bob)
        let other = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        let digits = try story.alice.safetyNumber(of: story.couple, partner: bob, key: other)
        try story.alice.verify(partner: bob, of: story.couple, key: other, against: digits)
        try refuses(.rekey(.changedMeanwhile), story.alice) { try story.alice.store(next) }
    }
}

@Suite("A rekey that was accepted before")
struct RekeyAcceptanceTests {
    private let story: Story
    private let (alice, bob): (UserID, UserID)

    init() throws {
        story = try Story()
        (alice, bob) = (try UserID(parsing: "alice"), try UserID(parsing: "bob"))
        try verifyEachOther()
    }

    private func verifyEachOther() throws {
        let key = try story.bob.device.publicKey
        let digits = try story.alice.safetyNumber(of: story.couple, partner: bob, key: key)
        try story.alice.verify(partner: bob, of: story.couple, key: key, against: digits)
        try story.bob.verify(
            partner: alice, of: story.couple, key: try story.alice.device.publicKey, against: digits)
    }

    @Test("the same document gives the same couple and changes nothing; another of its number is refused")
    func again() throws {
        let sent = try story.alice.draftRekey(of: story.couple, partner: bob)
        let other = try story.alice.draftRekey(of: story.couple, partner: bob)
        let first = try story.bob.accept(sent.document, of: story.couple, from: alice)
        let (file, count) = (try story.vaults.bytes("b"), try story.bob.changeCount)
        let second = try story.bob.accept(sent.document, of: story.couple, from: alice)
        #expect(
            second.wrap == first.wrap && second.fingerprint == first.fingerprint
                && second.epoch == first.epoch)
        #expect(try story.vaults.bytes("b") == file && story.bob.changeCount == count)
        for allowingGap in [false, true] {
            try refuses(.rekey(.epoch(1, expected: 2)), story.bob) {
                try story.bob.accept(
                    other.document, of: story.couple, from: alice, allowingGap: allowingGap)
            }
        }
    }

    @Test("nor does one bring back as private a key that the device had before it forgot the couple")
    func hadBefore() throws {
        let sent = try story.alice.draftRekey(of: story.couple, partner: bob)
        try story.alice.store(sent)
        let rekeyed = try story.alice.couple(story.couple)
        let phrase = RecoveryPhrase.random()
        let document = CoupleDocument(try KeyWrap(rekeyed.key, under: phrase))
        try story.bob.recover(story.couple, from: document, phrase: phrase, beginningAt: .strict)
        try story.bob.forget(story.couple)
        try story.bob.plant(story.couple)
        try verifyEachOther()
        try refuses(.rekey(.oldPrimary), story.bob) {
            try story.bob.accept(sent.document, of: story.couple, from: alice)
        }
        #expect(try story.bob.pairingState(of: story.couple) == .verified)
    }

    // One that opens nothing would keep its id from a key that comes later.
    @Test("keys that are disabled are neither sent nor taken")
    func disabled() throws {
        let added = try Golden.keyset().adding(.aes256GCM)
        let id = try #require(added.entries.last).id
        try story.alice.plant(story.couple, keyset: try added.disabling(id))
        let sent = try story.alice.draftRekey(of: story.couple, partner: bob)
        try story.alice.store(sent)
        #expect(try story.alice.couple(story.couple).key.keyset.entries.map(\.id).contains(id))
        let taken = try story.bob.accept(sent.document, of: story.couple, from: alice)
        #expect(taken.key.keyset.entries.count == 2 && !taken.key.keyset.entries.map(\.id).contains(id))
    }

    @Test("whose sender is said to be somebody else is not taken, nor is one that went to another")
    func otherPeople() throws {
        let document = String(
            decoding: try story.alice.draftRekey(of: story.couple, partner: bob).document.bytes, as: UTF8.self
        )
        for (name, error) in [("alice", RekeyError.fromAnother), ("bob", .forAnother)] {
            let changed = document.replacing("\"\(name)\"", with: "\"carol\"")
            #expect(changed != document)
            try refuses(.rekey(error), story.bob) {
                try story.bob.accept(RekeyDocument(parsing: changed.utf8), of: story.couple, from: alice)
            }
        }
    }

    @Test(
        "what does not open, or was not made by the partner's device, is refused with one error for each fault"
    )
    func faults() throws {
        let (ours, theirs) = (try story.alice.device, try story.bob.device)
        let stranger = Keyset(.ecies(ECIESParameters()))
        let route = RekeyRoute(couple: story.couple, from: alice, to: bob)
        func box(from identity: Keyset, to key: PublicKeyToken) throws -> KeyboxToken {
            let hold = CoupleHold(epoch: 1, key: try story.alice.couple(story.couple).key.rotated())
            return try Rekey(CoupleGrant(hold, phrase: .random())).sealed(on: route, with: identity, to: key)
        }
        let genuine = try box(from: ours.identity, to: theirs.publicKey)
        let name = Array("closer-keys/v1/rekey".utf8)
        let rows: [(KeyboxToken, epoch: UInt32, VaultError)] = [
            (
                try box(from: ours.identity, to: PublicKeyToken(primaryOf: stranger)), 1,
                .rekeyDocument(.keybox(.noMatchingKey))
            ),
            (genuine, 2, .rekeyDocument(.keybox(.authenticationFailed))),
            (try box(from: stranger, to: theirs.publicKey), 1, .rekeyDocument(.macInvalid)),
            (try authentic([name], on: route), 1, .rekeyDocument(.malformed)),
            (
                try authentic([name, [0, 0, 0, 1], [], [0x61]], on: route), 1, .rekeyDocument(.keyset(.empty))
            ),
        ]
        for (keybox, epoch, error) in rows {
            try refuses(error, story.bob) {
                let document = RekeyDocument(keybox, on: route, epoch: epoch)
                try story.bob.accept(document, of: story.couple, from: alice)
            }
        }
        try story.bob.accept(RekeyDocument(genuine, on: route, epoch: 1), of: story.couple, from: alice)
    }

    /// Any items as the body of a rekey of epoch 1, with the MAC of Alice's device.
    private func authentic(_ items: [[UInt8]], on route: RekeyRoute) throws -> KeyboxToken {
        let recipient = try story.bob.device.publicKey.keyset
        guard case .eciesPrivate(let ours)? = try story.alice.device.identity.primary.material,
            case .eciesPublic(let theirs)? = recipient.primary.material
        else { throw KeysetError.malformed }
        let key = route.authenticationKey(
            ours, theirs, senderPoint: ours.publicKey.uncompressedPoint,
            recipientPoint: theirs.uncompressedPoint)
        let body = [UInt8](lengthPrefixed: items)
        let content = SecretBytes(testOnly: body + HMACSHA256.tag(of: body.span, key: key))
        let context = KeyContext.rekey(route, epoch: 1).bytes
        return try KeyboxToken(HybridBox.seal(content, to: recipient, context: context))
    }

    @Test("it is proven again, and who it is from is checked again")
    func provenAgain() throws {
        let sent = try story.alice.draftRekey(of: story.couple, partner: bob)
        try story.bob.accept(sent.document, of: story.couple, from: alice)
        try refuses(.rekey(.notVerified), story.bob) {
            try story.bob.accept(sent.document, of: story.couple, from: UserID(parsing: "carol"))
        }
    }

    @Test("a couple that was stored before any rekey was accepted is read as before")
    func formerRecord() throws {
        let before = try story.bob.couple(story.couple)
        #expect(before.acceptedRekey == nil)
        let sent = try story.alice.draftRekey(of: story.couple, partner: bob)
        let after = try story.bob.accept(sent.document, of: story.couple, from: alice)
        #expect(try story.vaults.open("b").couple(story.couple).acceptedRekey == after.acceptedRekey)
        #expect(after.acceptedRekey?.count == 32)
    }
}
