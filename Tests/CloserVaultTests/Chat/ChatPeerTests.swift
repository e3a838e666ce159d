import CloserKeys
import CloserPrimitives
import Testing

@testable import CloserVault

@Suite("The other person of a chat")
struct ChatPeerTests {
    private let vaults = MemoryVaults()
    private let alice: Vault
    private let bob: Vault

    init() throws { (alice, bob) = (try vaults.make("a"), try vaults.make("b", for: "bob")) }

    @Test("the first key is pinned, another one is refused until digits were compared") func pinned() throws {
        let (user, key) = (try ChatScene.user("bob"), try bob.device.chatKey.publicKey)
        #expect(throws: VaultError.chat(.noKey)) { try alice.chat(with: user) }
        #expect(try alice.pin(key, of: user))
        #expect(try !alice.pin(key, of: user))
        let other = X25519PrivateKey().publicKey
        #expect(throws: VaultError.chat(.keyChanged)) { try alice.pin(other, of: user) }
        #expect(try !alice.chat(with: user).state.isVerified)
        #expect(throws: VaultError.verification(.mismatch)) {
            try alice.verify(chatWith: user, key: other, against: alice.safetyNumber(ofChatWith: user))
        }
        try alice.verify(
            chatWith: user, key: other, against: alice.safetyNumber(ofChatWith: user, key: other))
        let state = try alice.chat(with: user).state
        #expect(state.isVerified && state.key == other)
    }

    @Test("nobody chats with themselves, or with their own key") func ourselves() throws {
        let key = try alice.device.chatKey.publicKey
        #expect(throws: VaultError.verification(.keyIsOurs)) { try alice.pin(key, of: ChatScene.user("bob")) }
        #expect(throws: VaultError.verification(.partnerIsSelf)) {
            try alice.pin(X25519PrivateKey().publicKey, of: ChatScene.user("alice"))
        }
    }

    @Test("a pairing brings a verified key, also in the place of a pinned one") func paired() throws {
        let scene = try PairingScene()
        let user = try ChatScene.user("bob")
        try scene.alice.pin(X25519PrivateKey().publicKey, of: user)
        _ = try scene.alice.chat(with: user).renew()
        try scene.pair(scene.alice, with: scene.bob, newKey: true)
        let state = try scene.alice.chat(with: user).state
        #expect(try state.isVerified && state.key == scene.bob.device.chatKey.publicKey)
        #expect(state.keyIndices.ours == nil)
        let theirs = try scene.bob.chat(with: ChatScene.user("alice"))
        #expect(try theirs.state.isVerified)
        try theirs.take(scene.alice.renewChats()[0])
        #expect(try theirs.state.speaksBound)
    }

    @Test("a pairing replaces a friend's key only on purpose, in either role, and of another couple, too")
    func pairedByAnother() throws {
        let user = try ChatScene.user("bob")
        for isInviter in [true, false] {
            let scene = try PairingScene()
            try scene.alice.pin(X25519PrivateKey().publicKey, of: user)
            let sides = isInviter ? (scene.alice, scene.bob) : (scene.bob, scene.alice)
            #expect(throws: VaultError.pairing(.partnerKeyChanged)) {
                try scene.pair(sides.0, with: sides.1)
            }
        }
        let scene = try PairingScene()
        try scene.pair(scene.alice, with: scene.bob)
        let key = try scene.alice.chat(with: user).state.key
        let mallory = try scene.vaults.make("m", for: "bob")
        let other = PairingScene(scene.vaults, scene.alice, mallory, try CoupleID(parsing: "couple_2"))
        #expect(throws: VaultError.pairing(.partnerKeyChanged)) { try other.pair(scene.alice, with: mallory) }
        #expect(try scene.alice.chat(with: user).state.key == key)
    }

    @Test("messages that are not bound are refused of somebody who binds them") func unbound() throws {
        let scene = try ChatScene()
        let key = try scene.alice.device.chatKey.publicKey
        let chat = try scene.toAlice.id
        try scene.bob.checkUnbound(in: chat, with: key)
        try scene.renew()
        let (other, otherChat) = (X25519PrivateKey().publicKey, try ChatID(parsing: "bob_carol"))
        for (chat, key) in [(chat, key), (chat, other), (otherChat, key)] {
            #expect(throws: VaultError.chat(.unbound)) { try scene.bob.checkUnbound(in: chat, with: key) }
        }
        try scene.bob.checkUnbound(in: otherChat, with: other)
    }

    @Test("what is written of a person and a chat is read again, and another form is damaged") func records()
        throws
    {
        let scene = try ChatScene()
        for _ in 1...20 { try scene.renew(always: true) }
        _ = try scene.receive(scene.toAlice, scene.send(scene.toBob, "hi", "m1"), "m1")
        let before = try scene.toAlice.state
        let again = try scene.vaults.open("b").chat(with: ChatScene.user("alice")).state
        #expect(again.key == before.key && again.seen == [1...1] && again.keyIndices == before.keyIndices)
        #expect(again.speaksBound && !again.isVerified)
        let alice = try ChatScene.user("alice")
        try scene.bob.read { (transaction) throws(VaultError) in
            let person = try transaction.person(alice)
            #expect(person.theirs.count == Person.maximumTheirsCount && person.ours.indices.count == 20)
        }
    }
}
