import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

@Suite("The keys of a chat")
struct ChatKeysTests {
    private let scene: ChatScene
    private let day = ChatScene.day

    init() throws { scene = try ChatScene() }

    @Test("without a key of each, nothing is sealed") func notReady() throws {
        #expect(throws: VaultError.chat(.notReady(ours: true))) { try scene.send(scene.toBob, "a", "m1") }
        _ = try scene.toBob.renew()
        #expect(throws: VaultError.chat(.notReady(ours: false))) { try scene.send(scene.toBob, "a", "m1") }
        try scene.toBob.take(scene.toAlice.renew())
        #expect(try scene.receive(scene.toAlice, scene.send(scene.toBob, "a", "m1"), "m1").isNew)
    }

    @Test("a key is a week old before the next is drawn, unless it is asked for") func weekly() throws {
        let first = try scene.toBob.renew()
        #expect(first.index == UInt32(ChatScene.start))
        let version = scene.alice.version
        scene.setClocks(ChatScene.start + 7 * day - 1)
        #expect(try scene.toBob.renew() == first && scene.alice.version == version)
        scene.setClocks(ChatScene.start + 7 * day)
        let second = try scene.toBob.renew()
        #expect(second.index == UInt32(ChatScene.start + 7 * day) && second.key != first.key)
        #expect(try scene.toBob.renew(always: true).index == second.index + 1)
        #expect(try scene.alice.renewChats().map(\.index) == [second.index + 1])
    }

    @Test("a key from the future, of a wrong clock, goes") func wrongClock() throws {
        scene.alice.setClock(ChatScene.start + 3 * day)
        let early = try scene.toBob.renew()
        #expect(throws: VaultError.chat(.fromFuture)) { try scene.toAlice.take(early) }
        scene.alice.setClock(ChatScene.start)
        let right = try scene.toBob.renew()
        #expect(right.index == UInt32(ChatScene.start))
        try scene.toAlice.take(right)
        // Both clocks are wrong, and then right.
        scene.setClocks(ChatScene.start + 3 * day)
        try scene.renew(always: true)
        scene.setClocks(ChatScene.start)
        try scene.renew()
        #expect(try scene.receive(scene.toAlice, scene.send(scene.toBob, "a", "m1"), "m1").isNew)
    }

    @Test("a key of a wrong clock goes, though the one before it is young") func wrongClockLater() throws {
        try scene.renew()
        scene.alice.setClock(ChatScene.start + 3 * day)
        let early = try scene.toBob.renew(always: true)
        scene.alice.setClock(ChatScene.start + 60)
        let right = try scene.toBob.renew()
        #expect(right.key != early.key && right.index == UInt32(ChatScene.start + 60))
        #expect(try scene.toBob.state.keyIndices.ours == right.index)
        #expect(try scene.toBob.renew() == right)
    }

    @Test("with several keys ahead the clock is behind: they stay, unless a key is drawn on purpose")
    func behind() throws {
        for week in 0..<3 {
            scene.setClocks(ChatScene.start + UInt64(7 * week) * day)
            try scene.renew()
        }
        let token = try scene.send(scene.toBob, "kept", "m1")
        scene.bob.setClock(0)
        let document = try scene.toAlice.renew()
        #expect(document.index == UInt32(ChatScene.start + 14 * day))
        #expect(try scene.receive(scene.toAlice, token, "m1").isNew)
        #expect(try scene.toAlice.renew(always: true).index == 1)
    }

    @Test("a key from the future is not taken, and shows all the same that its owner binds messages")
    func future() throws {
        scene.alice.setClock(ChatScene.start + 3 * day)
        let early = try scene.toBob.renew()
        #expect(throws: VaultError.chat(.fromFuture)) { try scene.toAlice.take(early) }
        let state = try scene.toAlice.state
        #expect(state.speaksBound && state.keyIndices.theirs == nil)
    }

    @Test("a clock beyond 2106 draws no key, and no time is too far off to be refused") func farClock() throws
    {
        try scene.renew()
        scene.alice.setClock(1 << 33)
        let last = try scene.toBob.renew()
        #expect(try scene.toBob.renew(always: true) == last)
        #expect(throws: VaultError.chat(.message(.malformed))) {
            try scene.toBob.send(
                .text("never").expiring(at: Timestamp(secondsSince1970: .max)), id: ChatScene.id("m1"))
        }
    }

    @Test("only their own document, newer than the last, is taken") func documents() throws {
        let first = try scene.toBob.renew()
        try scene.toAlice.take(first)
        let version = scene.bob.version
        try scene.toAlice.take(first)
        #expect(scene.bob.version == version)
        #expect(throws: VaultError.chat(.macInvalid)) { try scene.toBob.take(first) }
        let second = try scene.toBob.renew(always: true)
        try scene.toAlice.take(second)
        #expect(throws: VaultError.chat(.olderKey)) { try scene.toAlice.take(first) }
        let forged = String(decoding: second.bytes, as: UTF8.self)
            .replacing("\(second.index)", with: "\(second.index + 1)")
        #expect(throws: VaultError.chat(.macInvalid)) {
            try scene.toAlice.take(ChatKeyDocument(parsing: forged.utf8))
        }
    }

    @Test(
        "a key is deleted thirty days after its successor was born, on both sides, and in the extension's item",
        .proves("A chat key is deleted 30 days after the next one, and what was sealed to it opens no more"))
    func deleted() throws {
        try scene.renew()
        let token = try scene.send(scene.toBob, "secret", "m1")
        let item = try scene.toAlice.openingKeys().bytes.testOnlyBytes()
        scene.setClocks(ChatScene.start + 7 * day)
        try scene.renew()
        scene.setClocks(ChatScene.start + 37 * day - 1)
        for (chat, sender) in [(try scene.toAlice, "alice"), (try scene.toBob, "alice")] {
            #expect(
                try chat.peek(token, id: ChatScene.id("m1"), from: ChatScene.user(sender)).body == "secret")
        }
        let chat = try scene.toAlice
        #expect(try chat.openingKeys().bytes.testOnlyBytes().count == item.count + 36)
        #expect(try !chat.openingKeysChanged)
        scene.setClocks(ChatScene.start + 37 * day)
        #expect(try chat.openingKeysChanged)
        for chat in [chat, try scene.toBob] {
            #expect(throws: VaultError.chat(.keyGone(isOlderCopy: false))) {
                try chat.peek(token, id: ChatScene.id("m1"), from: ChatScene.user("alice"))
            }
        }
        #expect(throws: VaultError.chat(.keyGone(isOlderCopy: false))) {
            try scene.receive(chat, token, "m1")
        }
        // The first change of any chat takes it out of the file.
        let count = try keyCount(scene.bob)
        _ = try scene.toAlice.renew(always: true)
        #expect(try keyCount(scene.bob) == count)
        let keys = try ChatOpeningKeys(
            parsing: SecretBytes(testOnly: chat.openingKeys().bytes.testOnlyBytes()))
        #expect(throws: ChatChannel.OpenError.authenticationFailed) {
            try keys.open(token, id: ChatScene.id("m1"))
        }
        let old = try ChatOpeningKeys(parsing: SecretBytes(testOnly: item))
        #expect(try old.open(token, id: ChatScene.id("m1")).body == "secret")
    }

    @Test("what was sealed to a key opens until its successor is thirty days old") func keptSoLong() throws {
        let token = try sealedToFormerKey(and: ChatScene.start + 37 * day - 1)
        #expect(
            try scene.toAlice.peek(token, id: ChatScene.id("m1"), from: ChatScene.user("alice")).body == "hi")
    }

    @Test("what was sealed to a key is received no more from then on") func keptNoLonger() throws {
        let token = try sealedToFormerKey(and: ChatScene.start + 37 * day)
        #expect(throws: VaultError.chat(.keyGone(isOlderCopy: false))) {
            try scene.receive(scene.toAlice, token, "m1")
        }
    }

    /// A message to a key whose successor is born after a week, and then the clocks show this time.
    private func sealedToFormerKey(and time: UInt64) throws -> ChatToken {
        try scene.renew()
        let token = try scene.send(scene.toBob, "hi", "m1")
        scene.setClocks(ChatScene.start + 7 * day)
        try scene.renew()
        scene.setClocks(time)
        return token
    }

    private func keyCount(_ vault: Vault) throws -> Int {
        try vault.read { (transaction) throws(VaultError) in
            try transaction.records(Person.self).map(\.ours.indices.count).reduce(0, +)
        }
    }

    @Test("Bob is away for 25 days: what Alice sent opens") func away() throws {
        try scene.renew()
        var tokens: [ChatToken] = []
        for day in 0..<25 {
            scene.setClocks(ChatScene.start + UInt64(day) * self.day)
            _ = try scene.toBob.renew()
            tokens.append(try scene.send(scene.toBob, "day \(day)", "m\(day)"))
        }
        _ = try scene.toAlice.renew()
        for (day, token) in tokens.enumerated().reversed() {
            #expect(try scene.receive(scene.toAlice, token, "m\(day)").isNew)
        }
        #expect(try scene.toAlice.state.keyIndices.theirs == UInt32(ChatScene.start + 21 * day))
    }

    @Test(
        "Bob is away for 25 days, and an older copy of his vault is put back: what its keys open is new once more"
    )
    func awayAndPutBack() throws {
        try scene.renew()
        let first = try scene.send(scene.toBob, "before", "m0")
        let copy = try scene.vaults.bytes("b")
        _ = try scene.receive(scene.toAlice, first, "m0")
        scene.setClocks(ChatScene.start + 8 * day)
        try scene.renew()
        let second = try scene.send(scene.toBob, "to the key that is lost", "m1")
        #expect(try scene.receive(scene.toAlice, second, "m1").isNew)
        scene.setClocks(ChatScene.start + 25 * day)
        scene.vaults.write(copy, to: "b")
        let back = try scene.vaults.open("b")
        back.setClock(ChatScene.start + 25 * day)
        try back.acceptAsNewest(after: scene.bob.version)
        let toAlice = try back.chat(with: ChatScene.user("alice"))
        #expect(try scene.receive(toAlice, first, "m0").isNew)
        #expect(throws: VaultError.chat(.keyGone(isOlderCopy: true))) {
            try scene.receive(toAlice, second, "m1")
        }
        // As the app starts: a key is drawn, though the one of the copy is the newest that it knows.
        try scene.toBob.take(toAlice.renew())
        try toAlice.take(scene.toBob.renew())
        let again = try scene.send(scene.toBob, "to the key that is lost", "m1")
        let got = try scene.receive(toAlice, again, "m1")
        #expect(got.isNew && got.message.number == 2 && got.missing.isEmpty)
        let reply = try scene.receive(scene.toBob, scene.send(toAlice, "here", "m2"), "m2")
        #expect(reply.isNew && reply.missing.isEmpty && reply.seenByThem == 2)
    }

    @Test("one copy that is put back three times at one time never gives two messages one number")
    func putBackAtOneTime() throws {
        try scene.renew()
        let copy = try scene.vaults.bytes("b")
        _ = try scene.send(scene.toAlice, "before", "m0")
        let numbers = try (1...3).map { time in
            scene.vaults.write(copy, to: "b")
            let back = try scene.vaults.open("b")
            back.setClock(ChatScene.start)
            try back.acceptAsNewest(after: scene.bob.version)
            let toAlice = try back.chat(with: ChatScene.user("alice"))
            let token = try scene.send(toAlice, "again", "m\(time)")
            return try toAlice.peek(token, id: ChatScene.id("m\(time)"), from: ChatScene.user("bob")).number
        }
        #expect(Set(numbers).count == 3)
    }

    @Test(
        "a copy that listens reads nothing that is sealed to a later key",
        .proves("A copy of a phone that only listens reads no message that is sealed to a later chat key"))
    func copied() throws {
        try scene.renew()
        let copy = try scene.toAlice.openingKeys()
        scene.setClocks(ChatScene.start + 7 * day)
        try scene.renew()
        let token = try scene.send(scene.toBob, "later", "m1")
        #expect(throws: ChatChannel.OpenError.authenticationFailed) {
            try copy.open(token, id: ChatScene.id("m1"))
        }
        #expect(try scene.receive(scene.toAlice, token, "m1").isNew)
    }

    @Test("a message is sealed to a key of a newer copy of the vault") func olderCopy() throws {
        try scene.renew()
        let state = try scene.vaults.bytes("b")
        scene.setClocks(ChatScene.start + 7 * day)
        try scene.renew()
        let token = try scene.send(scene.toBob, "hi", "m1")
        scene.vaults.write(state, to: "older")
        let older = try scene.vaults.open("older")
        older.setClock(ChatScene.start + 7 * day)
        #expect(throws: VaultError.chat(.keyGone(isOlderCopy: true))) {
            try older.chat(with: ChatScene.user("alice")).receive(token, id: ChatScene.id("m1"))
        }
    }

    @Test("a new long-term key of either side ends all chat keys, and numbers begin anew") func newKey()
        throws
    {
        try scene.renew()
        _ = try scene.receive(scene.toAlice, scene.send(scene.toBob, "old", "m1"), "m1")
        try scene.alice.renew(locking: .testOnlyKeyFile(9))
        #expect(throws: VaultError.chat(.notReady(ours: true))) { try scene.send(scene.toBob, "a", "m2") }
        let (alice, key) = (try ChatScene.user("alice"), try scene.alice.device.chatKey.publicKey)
        #expect(throws: VaultError.chat(.keyChanged)) { try scene.bob.pin(key, of: alice) }
        try scene.bob.verify(
            chatWith: alice, key: key, against: scene.alice.safetyNumber(ofChatWith: ChatScene.user("bob")))
        try scene.renew()
        let got = try scene.receive(scene.toAlice, scene.send(scene.toBob, "new", "m2"), "m2")
        #expect(got.isNew && got.isVerified && got.missing.isEmpty)
    }
}
