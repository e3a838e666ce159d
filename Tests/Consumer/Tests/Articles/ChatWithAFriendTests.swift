import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: ChatWithAFriend
/// Whose key is whose.
nonisolated struct Friends: Sendable {
    let room: VaultActor

    /// Pins the key that the server names for a friend. Another key than the pinned one is refused: `.chat(.keyChanged)`.
    func add(_ friend: UserID, key: String) async throws {
        try await room.use { vault in _ = try vault.pin(X25519PublicKey(parsing: key), of: friend) }
    }

    /// The sixty digits that both people see alike. `key` is a new key that the server names for a friend.
    func digits(with friend: UserID, key: String? = nil) async throws -> String {
        try await room.use { vault in
            let key = try key.map { try X25519PublicKey(parsing: $0) }
            return try vault.safetyNumber(ofChatWith: friend, key: key).description
        }
    }

    /// Remembers that the friend's phone shows these digits.
    func compare(_ digits: String, with friend: UserID, key: String? = nil) async throws {
        try await room.use { vault in
            let key = try key.map { try X25519PublicKey(parsing: $0) }
            let theirs = try SafetyNumber(typed: Data(digits.utf8))
            try vault.verify(chatWith: friend, key: key, against: theirs)
        }
    }
}
// doc: end

// doc: ChatWithAFriend
nonisolated extension Friends {
    /// At each start of the app: a document for each friend, and the path at which the server stores it, over the former one.
    func renew(always: Bool = false) async throws -> [(path: String, document: Data)] {
        try await room.use { vault in
            try vault.renewChats(always: always).map { document in
                let chat = try ChatID(document.sender, document.recipient)
                return (
                    "friend_chats/\(chat.text)/chat_keys/\(document.sender.text)", Data(document.bytes)
                )
            }
        }
    }

    /// After that, and when the server tells of a new one: takes the document that a friend's app stored.
    func take(_ document: Data, of friend: UserID) async throws {
        try await room.use { vault in
            do {
                try vault.chat(with: friend).take(ChatKeyDocument(parsing: document))
            } catch VaultError.chat(.olderKey) {
                // A message was faster: it brought a newer key than this document.
            }
        }
    }
}
// doc: end

// doc: ChatWithAFriend
/// A chat, as a screen has it. Keep it as long as the screen: it keeps the keys of the messages that it opened.
nonisolated struct FriendChat: Sendable {
    let room: VaultActor
    let chat: Vault.Chat

    init(_ room: VaultActor, with friend: UserID) async throws {
        self.room = room
        chat = try await room.use { vault in try vault.chat(with: friend) }
    }

    /// Gives `encrypted_content`, and a preview for the push. Until the server has the message, call it again with the same id.
    func seal(_ draft: Vault.Chat.Draft, as id: MessageID) async throws -> (content: String, preview: String)
    {
        let chat = chat
        return try await room.use { _ in
            let sent = try chat.send(draft, id: id, previewCount: 1200)
            return (sent.token.description, sent.preview?.description ?? "")
        }
    }
}
// doc: end

// doc: ChatWithAFriend
/// The payload of a voice note: what opens its file, and what the app adds. The sealed file is on the server.
nonisolated struct VoiceNote: Codable, Sendable {
    var key, digest, mime, name: String
    var size: Int
    var url: String?
    var seconds: Double?
    var waveform: [Int]?

    /// Seals the recording into another file, under a key of its own.
    init(sealing recording: String, to sealed: String) throws {
        let attachment = try Attachment(sealingFileAt: recording, to: sealed, mimeType: "audio/mp4")
        self = try JSONDecoder().decode(Self.self, from: Data(InsecureCopy.bytes(attachment.bytes)))
    }

    /// Opens the file that was fetched from `url`. Another file than the sealed one is refused before it is opened.
    func open(_ sealed: String, to recording: String) throws {
        let json = try SecretBytes(copying: JSONEncoder().encode(self))
        try Attachment(parsing: json).open(fileAt: sealed, to: recording)
    }
}

/// The payload of a receipt.
nonisolated struct Receipt: Codable, Sendable {
    /// The highest number of the friend's that the person has read.
    var read: UInt64?
    /// Messages that stayed closed here: their author seals them again, under the same ids.
    var failed: [String]?
}
// doc: end

// doc: ChatWithAFriend
/// What a message of the friend's is to the app.
nonisolated enum Arrival: Sendable {
    /// Show it, unless the app has shown or deleted a message of this id.
    case opened(Vault.Chat.Received)
    /// Remove it: its author wanted it gone by now. The gap that it shows is told here alone.
    case expired(missing: [ClosedRange<UInt64>])
    /// Ask for it again, with a receipt that has its id in `failed`.
    case lost(isOlderCopy: Bool)
    /// Show that a message is here, and stays closed: the server changed or moved it.
    case refused
}

nonisolated extension FriendChat {
    func receive(_ content: String, as id: MessageID) async throws -> Arrival {
        let chat = chat
        return try await room.use { _ in
            do {
                return .opened(try chat.receive(ChatToken(parsing: content), id: id))
            } catch VaultError.chat(.expired(let missing)) {
                return .expired(missing: missing)
            } catch VaultError.chat(.keyGone(let isOlderCopy)) {
                return .lost(isOlderCopy: isOlderCopy)
            } catch VaultError.chat(.opening), VaultError.chat(.preview) {
                return .refused
            } catch is TokenError {
                return .refused
            }
        }
    }

    /// A message of either, such as `last_message` for the list of chats. It counts nothing.
    func look(at content: String, as id: MessageID, by author: UserID) async throws -> ChatMessage {
        let chat = chat
        return try await room.use { _ in try chat.peek(ChatToken(parsing: content), id: id, from: author) }
    }
}
// doc: end

// doc: ChatWithAFriend
nonisolated extension FriendChat {
    /// At each start, and after each message that was received: stores the extension's keys anew if they are others.
    func share(in store: SecretStore) async throws {
        let chat = chat
        guard try await room.use({ _ in try chat.openingKeysChanged }) else { return }
        let keys = try await room.use { _ in Data(InsecureCopy.bytes(try chat.openingKeys().bytes)) }
        try store.keep(keys, as: "opening keys of \(chat.id.text)")
    }
}
// doc: end

/// Two friends, and the keys of their vaults.
struct TwoFriends {
    let (alice, bob): (UserID, UserID)
    let rooms: [VaultActor]
    var friends: [Friends] { rooms.map { Friends(room: $0) } }

    init() throws {
        (alice, bob) = (try UserID(parsing: "alice"), try UserID(parsing: "bob"))
        rooms = try [alice, bob].map { try VaultActor(Vault.inMemory(for: $0)) }
    }

    /// Each has the other's long-term key.
    func meet() async throws {
        try await friends[0].add(bob, key: key(1))
        try await friends[1].add(alice, key: key(0))
    }

    func key(_ place: Int) async throws -> String {
        try await rooms[place].use { try $0.device.x25519PublicKey }
    }

    /// Each has the other's newest chat key.
    func renew() async throws {
        let documents = try await (friends[0].renew(), friends[1].renew())
        #expect(documents.0.map(\.path) == ["friend_chats/alice_bob/chat_keys/alice"])
        try await friends[1].take(documents.0[0].document, of: alice)
        try await friends[0].take(documents.1[0].document, of: bob)
    }

    func chats() async throws -> (toBob: FriendChat, toAlice: FriendChat) {
        try await meet()
        try await renew()
        return try await (FriendChat(rooms[0], with: bob), FriendChat(rooms[1], with: alice))
    }
}

extension Arrival {
    fileprivate var received: Vault.Chat.Received? {
        guard case .opened(let received) = self else { return nil }
        return received
    }
}

@Suite("The article: Chat with a friend")
struct ChatWithAFriendTests {
    private let two: TwoFriends
    private let folder: TemporaryFolder

    init() throws { (two, folder) = (try TwoFriends(), try TemporaryFolder()) }

    @Test("digits are compared, also of a key that another one replaces") func digits() async throws {
        let (alice, bob) = (two.friends[0], two.friends[1])
        try await two.meet()
        let digits = try await bob.digits(with: two.alice)
        #expect(try await alice.digits(with: two.bob) == digits)
        try await alice.compare(digits, with: two.bob)
        let other = X25519PrivateKey().publicKey.description
        await #expect(throws: VaultError.chat(.keyChanged)) { try await alice.add(two.bob, key: other) }
        await #expect(throws: VaultError.verification(.mismatch)) {
            try await alice.compare(digits, with: two.bob, key: other)
        }
        try await alice.compare(alice.digits(with: two.bob, key: other), with: two.bob, key: other)
    }

    @Test("a text, a voice note, a reaction, a disappearing message and a receipt arrive") func kinds()
        async throws
    {
        let (toBob, toAlice) = try await two.chats()
        let (recording, sealed) = (folder.path("note.m4a"), folder.path("sealed"))
        try Data("a voice".utf8).write(to: URL(fileURLWithPath: recording))
        var note = try VoiceNote(sealing: recording, to: sealed)
        (note.url, note.seconds, note.waveform) = ("https://example.com/1", 3.2, [1, 5, 2])
        let first = try MessageID(parsing: UUID().uuidString)
        let tomorrow = Timestamp(secondsSince1970: UInt64(Date().timeIntervalSince1970) + 86_400)
        // doc: ChatWithAFriend
        let drafts = try [
            .text("run at 7?"),
            Vault.Chat.Draft(.voice).payload(JSONEncoder().encode(note)),
            Vault.Chat.Draft(.reaction, "👍").replying(to: first),
            Vault.Chat.Draft.text("the door's code is 2580").expiring(at: tomorrow),
            Vault.Chat.Draft(.receipt).payload(JSONEncoder().encode(Receipt(read: 7))),
        ]
        // doc: end

        var got: [ChatMessage] = []
        for (place, draft) in drafts.enumerated() {
            let id = place == 0 ? first : try MessageID(parsing: "m\(place)")
            let sent = try await toBob.seal(draft, as: id)
            let received = try #require(try await toAlice.receive(sent.content, as: id).received)
            #expect(received.isNew && received.missing.isEmpty && !received.isVerified)
            got.append(received.message)
            let preview = try await toAlice.look(at: sent.preview, as: id, by: two.alice)
            #expect(preview.isCut && preview.number == received.message.number)
            // Their author's own phone reads them, too.
            #expect(try await toBob.look(at: sent.content, as: id, by: two.alice) == received.message)
        }
        #expect(got.map(\.kind) == [.text, .voice, .reaction, .text, .receipt])
        #expect(
            got.map(\.number) == [1, 2, 3, 4, 5] && got[0].body == "run at 7?" && got[2].replyTo == first)
        let heard = try JSONDecoder().decode(VoiceNote.self, from: Data(#require(got[1].payload)))
        try heard.open(sealed, to: folder.path("heard"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("heard"))) == Data("a voice".utf8))
        let receipt = try JSONDecoder().decode(Receipt.self, from: Data(#require(got[4].payload)))
        #expect(receipt.read == 7 && receipt.failed == nil)
    }

    @Test("what a server repeats, moves, reflects, holds back or lets expire is noticed") func server()
        async throws
    {
        let (toBob, toAlice) = try await two.chats()
        let ids = try (1...4).map { try MessageID(parsing: "m\($0)") }
        let past = Timestamp(secondsSince1970: 1)
        let drafts: [Vault.Chat.Draft] = [.text("one"), .text("two"), .text("three").expiring(at: past)]
        var contents: [String] = []
        for (draft, id) in zip(drafts, ids) { contents.append(try await toBob.seal(draft, as: id).content) }
        #expect(try await toAlice.receive(contents[1], as: ids[1]).received?.missing == [1...1])
        #expect(try await toAlice.receive(contents[1], as: ids[1]).received?.isNew == false)
        for (chat, content, id) in [(toAlice, contents[0], ids[1]), (toBob, contents[0], ids[0])] {
            guard case .refused = try await chat.receive(content, as: id) else {
                Issue.record("a message was moved or reflected")
                continue
            }
        }
        guard case .refused = try await toAlice.receive("chat:v2:AAAA", as: ids[0]) else {
            throw VaultError.chat(.preview)
        }
        guard case .expired(missing: []) = try await toAlice.receive(contents[2], as: ids[2]) else {
            throw VaultError.chat(.preview)
        }
        let reply = try await toAlice.seal(.text("yes"), as: ids[3]).content
        #expect(try await toBob.receive(reply, as: ids[3]).received?.seenByThem == 3)
    }

    @Test("a message to a key that this phone lost is asked for again, and arrives under its id") func lost()
        async throws
    {
        let storage = VaultMemoryStorage()
        func key() -> Credential { .key(SecretBytes(copying: Array(repeating: 7, count: 32))) }
        let phone = try Vault.create(in: storage, for: two.bob, locking: key())
        let (alice, bob) = (two.friends[0], try Friends(room: VaultActor(phone)))
        try await alice.add(two.bob, key: phone.device.x25519PublicKey)
        try await bob.add(two.alice, key: two.key(0))
        try await bob.take(alice.renew()[0].document, of: two.alice)
        let former = try #require(storage.bytes)
        try await alice.take(bob.renew()[0].document, of: two.bob)
        let toBob = try await FriendChat(two.rooms[0], with: two.bob)
        let id = try MessageID(parsing: "m1")
        let content = try await toBob.seal(.text("hi"), as: id).content

        let older = try VaultActor(
            Vault(opening: VaultMemoryStorage(holding: former), unlocking: key(), notOlderThan: nil))
        let (friends, toAlice) = (Friends(room: older), try await FriendChat(older, with: two.alice))
        guard case .lost(isOlderCopy: true) = try await toAlice.receive(content, as: id) else {
            throw VaultError.chat(.preview)
        }
        // The key that is lost may have been born in this second, so the first one is passed over.
        _ = try await friends.renew(always: true)
        try await alice.take(friends.renew(always: true)[0].document, of: two.bob)
        let ask = try await toAlice.seal(
            Vault.Chat.Draft(.receipt).payload(JSONEncoder().encode(Receipt(failed: [id.text]))),
            as: MessageID(parsing: "m2"))
        let asked = try #require(
            try await toBob.receive(ask.content, as: MessageID(parsing: "m2")).received?.message.payload)
        #expect(try JSONDecoder().decode(Receipt.self, from: Data(asked)).failed == ["m1"])
        let again = try await toBob.seal(.text("hi"), as: id).content
        let received = try #require(try await toAlice.receive(again, as: id).received)
        #expect(received.isNew && received.message.number == 1 && received.message.body == "hi")
    }

    @Test("an extension's keys are stored again when they are others") func shared() async throws {
        let (_, toAlice) = try await two.chats()
        let store = SecretStore()
        try await toAlice.share(in: store)
        let first = try store.value("opening keys of alice_bob")
        try await toAlice.share(in: store)
        #expect(try first != nil && store.value("opening keys of alice_bob") == first)
        _ = try await two.friends[1].renew(always: true)
        try await toAlice.share(in: store)
        #expect(try store.value("opening keys of alice_bob") != first)
    }
}
