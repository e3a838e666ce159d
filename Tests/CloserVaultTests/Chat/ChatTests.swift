import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

@Suite("A chat between two vaults")
struct ChatTests {
    private let scene: ChatScene

    init() throws {
        scene = try ChatScene()
        try scene.renew()
    }

    @Test(
        "a message arrives once, and is a repetition from then on",
        .proves("W12: a message that the server repeats, moves or returns to its author is noticed"))
    func arrives() throws {
        let token = try scene.send(scene.toBob, "run at 7?", "m1")
        let got = try scene.receive(scene.toAlice, token, "m1")
        #expect(got.message.body == "run at 7?" && got.message.kind == .text && got.isNew && !got.isVerified)
        #expect(got.message.sentAt == ChatScene.start * 1000 && got.missing.isEmpty && got.seenByThem == nil)
        let again = try scene.receive(scene.toAlice, token, "m1")
        #expect(!again.isNew && again.message == got.message)
    }

    @Test(
        "a message stays closed under another id, and for its author",
        .proves("W12: a message that the server repeats, moves or returns to its author is noticed"))
    func moved() throws {
        let token = try scene.send(scene.toBob, "run at 7?", "m1")
        for (chat, id) in [(try scene.toAlice, "m9"), (try scene.toBob, "m1")] {
            #expect(throws: VaultError.chat(.opening(.authenticationFailed))) {
                try scene.receive(chat, token, id)
            }
        }
        #expect(
            try scene.toBob.peek(token, id: ChatScene.id("m1"), from: ChatScene.user("alice")).body
                == "run at 7?")
    }

    @Test("a message is shown as no third person's") func ofAnother() throws {
        let token = try scene.send(scene.toBob, "run at 7?", "m1")
        for chat in [try scene.toAlice, try scene.toBob] {
            #expect(throws: VaultError.chat(.opening(.authenticationFailed))) {
                try chat.peek(token, id: ChatScene.id("m1"), from: ChatScene.user("carol"))
            }
        }
    }

    @Test(
        "a gap is told once, as it appears, and what fills it is new",
        .proves("W12: a message that the server holds back is missed when the next one arrives"))
    func gaps() throws {
        let tokens = try (1...6).map { try scene.send(scene.toBob, "\($0)", "m\($0)") }
        func receive(_ number: Int) throws -> Vault.Chat.Received {
            try scene.receive(scene.toAlice, tokens[number - 1], "m\(number)")
        }
        #expect(try receive(2).missing == [1...1])
        #expect(try receive(6).missing == [3...5])
        for number in [4, 1, 5, 3] {
            let got = try receive(number)
            #expect(got.isNew && got.missing.isEmpty)
        }
        #expect(try scene.toAlice.state.seen == [1...6])
        let reply = try scene.receive(scene.toBob, scene.send(scene.toAlice, "yes", "m7"), "m7")
        #expect(reply.seenByThem == 6)
    }

    @Test("the same id again takes the same number, so that a kill leaves no gap") func retried() throws {
        _ = try scene.send(scene.toBob, "lost", "m1")
        let second = try scene.send(scene.toBob, "later", "m2")
        #expect(try scene.receive(scene.toAlice, second, "m2").missing == [1...1])
        let again = try scene.send(scene.toBob, "lost", "m1")
        #expect(again != second)
        #expect(try scene.receive(scene.toAlice, again, "m1").message.number == 1)
        #expect(try scene.toAlice.state.seen == [1...2])
    }

    @Test("a preview is looked at, and not received") func preview() throws {
        let draft = try Vault.Chat.Draft(.voice, String(repeating: "é\u{1}", count: 400))
            .payload(#"{"seconds":3}"#.utf8).replying(to: ChatScene.id("m0"))
        let sent = try scene.toBob.send(draft, id: ChatScene.id("m1"), previewCount: 1200)
        let preview = try #require(sent.preview)
        #expect(preview.text.count <= 1200 && preview.text.count > 1100)
        #expect(throws: VaultError.chat(.preview)) { try scene.receive(scene.toAlice, preview, "m1") }
        let seen = try scene.toAlice.peek(preview, id: ChatScene.id("m1"), from: ChatScene.user("alice"))
        #expect(seen.isCut && seen.payload == nil && seen.number == 1)
        #expect(String(repeating: "é\u{1}", count: 400).hasPrefix(seen.body) && seen.body.count > 100)
        let got = try scene.receive(scene.toAlice, sent.token, "m1")
        #expect(got.isNew && got.message.payload == Array(#"{"seconds":3}"#.utf8))
        #expect(throws: VaultError.chat(.previewTooShort)) {
            try scene.toBob.send(draft, id: ChatScene.id("m2"), previewCount: 183)
        }
    }

    @Test("an expired message is hidden, and counts as seen") func expired() throws {
        let time = Timestamp(secondsSince1970: ChatScene.start + 10)
        let token = try scene.toBob.send(.text("soon gone").expiring(at: time), id: ChatScene.id("m1")).token
        let kept = try scene.toBob.send(.text("soon gone").expiring(at: time), id: ChatScene.id("m2")).token
        #expect(try scene.receive(scene.toAlice, token, "m1").isNew)
        scene.setClocks(time.secondsSince1970)
        #expect(throws: VaultError.chat(.expired(missing: []))) {
            try scene.receive(scene.toAlice, kept, "m2")
        }
        #expect(throws: VaultError.chat(.expired(missing: []))) {
            try scene.toAlice.peek(kept, id: ChatScene.id("m2"), from: ChatScene.user("alice"))
        }
        #expect(try scene.toAlice.state.seen == [1...2])
    }

    @Test("messages of a batch are one change") func batch() throws {
        let tokens = try (1...1000).map { try scene.send(scene.toBob, "\($0)", "m\($0)") }
        let (chat, before) = (try scene.toAlice, scene.bob.version.changeCount)
        let messages = try tokens.enumerated().map { ($1, try ChatScene.id("m\($0 + 1)")) }
        let moved = try [(tokens[0], ChatScene.id("m2"))]
        let results = try chat.receive(messages + moved)
        #expect(try results.dropLast().allSatisfy { try $0.get().isNew })
        #expect(throws: VaultError.chat(.opening(.authenticationFailed))) { try results.last?.get() }
        #expect(scene.bob.version.changeCount == before + 1)
        #expect(try scene.bob.chat(with: ChatScene.user("alice")).state.seen == [1...1000])
    }

    @Test("a vault that was put back skips numbers, which is told to nobody") func putBack() throws {
        for number in 1...3 {
            _ = try scene.receive(scene.toAlice, scene.send(scene.toBob, "hi", "m\(number)"), "m\(number)")
        }
        let export = try scene.alice.export(locking: .testOnlyKeyFile(7))
        for number in 4...5 {
            _ = try scene.receive(scene.toAlice, scene.send(scene.toBob, "hi", "m\(number)"), "m\(number)")
        }
        let back = try Vault.create(
            in: scene.vaults.storage(anew: "back"), importing: export, unlocking: .testOnlyKeyFile(7),
            locking: .testOnlyKeyFile(8))
        back.setClock(ChatScene.start)
        let chat = try back.chat(with: ChatScene.user("bob"))
        let token = try chat.send(.text("back"), id: ChatScene.id("m6")).token
        let got = try scene.receive(scene.toAlice, token, "m6")
        #expect(got.isNew && got.missing.isEmpty && got.message.number > 1_700_000_000_000)
        // Its next renewal draws, though the key is young.
        let document = try chat.renew()
        #expect(document.index > ChatScene.start)
        try scene.toAlice.take(document)
    }

    @Test(
        "a vault that was put back to before its first message repeats no number", arguments: [false, true])
    func putBackToTheBeginning(_ isOfStrangers: Bool) throws {
        let (vaults, key) = (MemoryVaults(), try scene.bob.device.chatKey.publicKey)
        let alice = try isOfStrangers ? vaults.make("a") : scene.alice
        let bob = try ChatScene.user("bob")
        let export = try alice.export(locking: .testOnlyKeyFile(7))
        let back = try Vault.create(
            in: vaults.storage(anew: "back"), importing: export, unlocking: .testOnlyKeyFile(7),
            locking: .testOnlyKeyFile(8))
        if isOfStrangers { try back.pin(key, of: bob) }
        let first = try back.read { (transaction) throws(VaultError) in
            try transaction.chat(with: bob).lastNumber
        }
        #expect(first > 1_700_000_000_000)
    }

    @Test("an id among the last 32 keeps its number, and an older one takes a new one") func lastIDs() throws
    {
        for number in 1...33 { _ = try scene.send(scene.toBob, "hi", "m\(number)") }
        let alice = try ChatScene.user("alice")
        let numbers = try ["m2", "m1"].map { id in
            let token = try scene.send(scene.toBob, "hi", id)
            return try scene.toBob.peek(token, id: ChatScene.id(id), from: alice).number
        }
        #expect(numbers == [2, 34])
    }

    @Test("at most 64 ranges are kept: then the lowest gap is given up") func ranges() throws {
        let tokens = try (1...132).map { try scene.send(scene.toBob, "\($0)", "m\($0)") }
        let chat = try scene.toAlice
        for number in stride(from: 2, through: 130, by: 2) {
            #expect(try scene.receive(chat, tokens[number - 1], "m\(number)").isNew)
        }
        #expect(try chat.state.seen.count == 64)
        #expect(try chat.state.seen.first == 2...4)
        #expect(try !scene.receive(chat, tokens[2], "m3").isNew)
        #expect(try scene.receive(chat, tokens[4], "m5").isNew)
    }
}
