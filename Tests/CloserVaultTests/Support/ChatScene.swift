import CloserKeys
import CloserPrimitives
import Testing

@testable import CloserVault

/// Two friends with a vault each, who know each other's keys, and the server's copy of what they send.
struct ChatScene {
    let vaults = MemoryVaults()
    let alice: Vault
    let bob: Vault
    static let start: UInt64 = 1_796_000_000
    static let day: UInt64 = 86_400

    init() throws {
        (alice, bob) = (try vaults.make("a"), try vaults.make("b", for: "bob"))
        try alice.pin(bob.device.chatKey.publicKey, of: Self.user("bob"))
        try bob.pin(alice.device.chatKey.publicKey, of: Self.user("alice"))
        setClocks(Self.start)
    }

    static func user(_ name: String) throws -> UserID { try UserID(parsing: name) }
    static func id(_ name: String) throws -> MessageID { try MessageID(parsing: name) }

    func setClocks(_ now: UInt64) { for vault in [alice, bob] { vault.setClock(now) } }

    var toBob: Vault.Chat { get throws { try alice.chat(with: Self.user("bob")) } }
    var toAlice: Vault.Chat { get throws { try bob.chat(with: Self.user("alice")) } }

    /// Each takes the other's newest key.
    func renew(always: Bool = false) throws {
        let documents = (try toBob.renew(always: always), try toAlice.renew(always: always))
        try toAlice.take(documents.0)
        try toBob.take(documents.1)
    }

    func send(_ chat: Vault.Chat, _ body: String, _ id: String) throws -> ChatToken {
        try chat.send(.text(body), id: Self.id(id)).token
    }

    func receive(_ chat: Vault.Chat, _ token: ChatToken, _ id: String) throws -> Vault.Chat.Received {
        try chat.receive(token, id: Self.id(id))
    }
}
