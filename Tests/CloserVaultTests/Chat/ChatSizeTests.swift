import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

@Suite("What chats take of a vault")
struct ChatSizeTests {
    private let vaults = MemoryVaults()
    private let friends = 10
    private let alice: Vault

    init() throws {
        alice = try vaults.make("alice")
        // The list of the states before is full, and grows no more.
        try pin(0..<1)
        let first = try user(0)
        let person = try alice.read { (transaction) throws(VaultError) in try transaction.person(first) }
        for _ in 0..<255 { try alice.change { (transaction) throws(VaultError) in transaction.put(person) } }
    }

    @Test("a friend takes at most 200 bytes of the vault when pinned, and 1,700 after months of chat")
    func sizes() throws {
        let before = try size
        try pin(1..<1 + friends)
        let pinned = try (size - before) / friends
        for week in 0..<20 {
            let now = ChatScene.start + UInt64(week) * 7 * ChatScene.day
            alice.setClock(now)
            for friend in 1...friends { try exchange(with: friend, in: week, now) }
        }
        let full = try (size - before) / friends
        #expect(pinned <= 200 && full <= 1700, "\(pinned) and \(full) bytes")
    }

    private var size: Int { get throws { try vaults.bytes("alice").count } }

    private func user(_ friend: Int) throws -> UserID { try UserID(parsing: "friend_\(friend + 10)") }

    private func chat(_ friend: Int) throws -> Vault.Chat { try alice.chat(with: user(friend)) }

    private func pin(_ places: Range<Int>) throws {
        for friend in places {
            let vault = try vaults.make("friend \(friend)", for: user(friend).text)
            try vault.pin(alice.device.chatKey.publicKey, of: ChatScene.user("alice"))
            try alice.pin(vault.device.chatKey.publicKey, of: user(friend))
        }
    }

    /// A week: each renews, and writes twice.
    private func exchange(with friend: Int, in week: Int, _ now: UInt64) throws {
        let (theirs, ours) = (try vaults.open("friend \(friend)"), try chat(friend))
        theirs.setClock(now)
        let toAlice = try theirs.chat(with: ChatScene.user("alice"))
        try ours.take(toAlice.renew())
        try toAlice.take(ours.renew())
        for number in 0..<2 {
            let id = try ChatScene.id("\(week) \(number)".replacing(" ", with: "."))
            _ = try ours.send(.text("hi"), id: id)
            _ = try ours.receive(toAlice.send(.text("hi"), id: id).token, id: id)
        }
    }
}
