import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import Testing

// doc: ANotificationThatSaysWhoWrote
/// The app's side: it stores the keys after each change of the couple's key, and at each start.
nonisolated struct ExtensionKeys: Sendable {
    let room: VaultActor
    let store: SecretStore

    func renew(_ couple: CoupleID) async throws {
        let keys = try await room.use { vault in try vault.openingKeys(of: couple, chat: .fitLink) }
        try store.keep(Data(InsecureCopy.bytes(keys.bytes)), as: "opening keys of \(couple.text)")
    }
}
// doc: end

// doc: ANotificationThatSaysWhoWrote
/// The extension's side: it has the store, and no vault.
nonisolated struct NotificationText {
    let store: SecretStore

    /// What the notification shows. `payload` is the field or the message that the server pushed, and `place` is where the app
    /// keeps the field, if it seals fields for their places.
    func text(for payload: String, at place: String? = nil, of couple: String) -> String {
        do {
            guard let item = try store.value("opening keys of \(couple)") else { return "A new message" }
            let keys = try OpeningKeys(parsing: SecretBytes(copying: item))
            guard let token = try? FieldToken(parsing: payload) else { return try message(payload, keys) }
            return try field(token, at: place.map { try FieldPlace(parsing: $0) }, keys)
        } catch FieldError.opening(.noMatchingKey) {
            return "Open the app to read it"
        } catch { return "A new message" }
    }

    private func field(
        _ token: FieldToken, at place: FieldPlace?, _ keys: borrowing OpeningKeys
    ) throws -> String {
        let opened = try keys.open(token, place: place)
        let text = String(decoding: opened.plaintext, as: UTF8.self)
        // Under a key that the server may hold, the server may have written it.
        return keys.origin(ofKey: opened.keyID)?.isPrivate == true ? text : "\(text) (not proven)"
    }

    private func message(_ payload: String, _ keys: borrowing OpeningKeys) throws -> String {
        String(decoding: try keys.open(FitLinkMessage(parsing: payload.utf8)), as: UTF8.self)
    }
}
// doc: end

// doc: ANotificationThatSaysWhoWrote
nonisolated extension NotificationText {
    /// What the notification of a friend's message shows. `payload` is the message or its preview, and `id` the message's.
    func text(for payload: String, id: String, ofChat chat: String) -> String {
        do {
            guard let item = try store.value("opening keys of \(chat)") else { return "A new message" }
            let keys = try ChatOpeningKeys(parsing: SecretBytes(copying: item))
            let message = try keys.open(ChatToken(parsing: payload), id: MessageID(parsing: id))
            let now = Timestamp(secondsSince1970: UInt64(Date().timeIntervalSince1970))
            guard !message.isExpired(at: now) else { return "A message that has expired" }
            switch message.kind {
            case .text: return "\(keys.sender.text): \(message.body)"
            case .reaction: return "\(keys.sender.text) reacted: \(message.body)"
            case .voice: return "\(keys.sender.text) sent a voice note"
            default: return "A new message of \(keys.sender.text)"
            }
        } catch { return "A new message" }
    }
}
// doc: end

@Suite("The article: A notification that says who wrote")
struct ANotificationThatSaysWhoWroteTests {
    private let couple: CoupleID
    private let rooms: [VaultActor]
    private let store = SecretStore()

    init() throws {
        couple = try CoupleID(parsing: "couple_1")
        rooms = try ["alice", "bob"].map { try VaultActor(Vault.inMemory(for: UserID(parsing: $0))) }
    }

    private func pair() async throws {
        let (alice, bob) = (Inviter(room: rooms[0], couple: couple), Acceptor(room: rooms[1], couple: couple))
        let draft = try await alice.begin()
        let code = InsecureCopy.string(draft.code.text)
        let reply = try await bob.accept(alice.store(draft), code: code)
        try await bob.take(alice.judge(reply) { _ in }) { _ in }
    }

    @Test("a field and a message open from the bytes alone; a newer key asks for the app") func opens()
        async throws
    {
        let couple = couple
        try await pair()
        try await ExtensionKeys(room: rooms[1], store: store).renew(couple)
        let shown = NotificationText(store: store)
        let token = try await rooms[0].use { vault in
            try vault.couple(couple).fieldKey().seal("dinner at eight?".utf8).description
        }
        #expect(shown.text(for: token, of: "couple_1") == "dinner at eight?")
        let theirs = try await rooms[1].use { try $0.device.x25519PublicKey }
        let message = try await rooms[0].use { vault in
            let chat = try ChatID(UserID(parsing: "alice"), UserID(parsing: "bob"))
            let key = try ChatKey(
                fitLink: chat, ours: vault.device.chatKey, theirs: X25519PublicKey(parsing: theirs))
            return String(decoding: try key.seal(message: "8".utf8).bytes, as: UTF8.self)
        }
        #expect(shown.text(for: message, of: "couple_1") == "8")
        let other = try FieldKey(CoupleKey(Keyset(.aes256GCM)), of: couple, origins: nil).seal("x".utf8)
            .description
        #expect(shown.text(for: other, of: "couple_1") == "Open the app to read it")
        #expect(shown.text(for: token, of: "couple_2") == "A new message")
    }

    @Test("a field that the server may have written says so, and there is no chat key before a pairing")
    func serverKnown() async throws {
        let couple = couple
        let keys = try await rooms[0].use { vault in
            try vault.store(vault.draftCouple(of: couple, beginningAt: .strict))
            #expect(throws: VaultError.couple(.noChatKey)) {
                _ = try vault.openingKeys(of: couple, chat: .fitLink)
            }
            return try vault.openingKeys(of: couple)
        }
        try store.keep(Data(InsecureCopy.bytes(keys.bytes)), as: "opening keys of couple_1")
        let token = try await rooms[0].use { try $0.couple(couple).fieldKey().seal("hi".utf8).description }
        #expect(NotificationText(store: store).text(for: token, of: "couple_1") == "hi (not proven)")
    }

    @Test("a field that is bound to its place opens there, and nowhere else") func placed() async throws {
        let couple = couple
        try await pair()
        try await ExtensionKeys(room: rooms[1], store: store).renew(couple)
        let shown = NotificationText(store: store)
        let (bound, unbound) = try await rooms[0].use { vault in
            let key = try vault.couple(couple).fieldKey()
            let place = try FieldPlace(parsing: "users/alice/status")
            return try (
                key.seal("home".utf8, place: place).description, key.seal("old".utf8).description
            )
        }
        #expect(shown.text(for: bound, at: "users/alice/status", of: "couple_1") == "home")
        for place in ["users/bob/status", nil] {
            #expect(shown.text(for: bound, at: place, of: "couple_1") == "A new message")
        }
        #expect(shown.text(for: unbound, at: "users/alice/status", of: "couple_1") == "A new message")
    }

    @Test("a friend's message and its preview open from the bytes alone, where their author wrote them to")
    func ofAFriend() async throws {
        let two = try TwoFriends()
        let (toBob, toAlice) = try await two.chats()
        try await toAlice.share(in: store)
        let shown = NotificationText(store: store)
        func text(_ draft: Vault.Chat.Draft, id: String = "m1") async throws -> [String] {
            let sent = try await toBob.seal(draft, as: MessageID(parsing: "m1"))
            return [sent.content, sent.preview].map { shown.text(for: $0, id: id, ofChat: "alice_bob") }
        }
        #expect(try await text(.text("run at 7?")) == ["alice: run at 7?", "alice: run at 7?"])
        #expect(try await text(.init(.voice)).allSatisfy { $0 == "alice sent a voice note" })
        let like = try Vault.Chat.Draft(.reaction, "👍").replying(to: MessageID(parsing: "m0"))
        #expect(try await text(like)[1] == "alice reacted: 👍")
        #expect(try await text(.init(.receipt))[0] == "A new message of alice")
        let past = Timestamp(secondsSince1970: 1)
        #expect(try await text(.text("gone").expiring(at: past))[1] == "A message that has expired")
        #expect(try await text(.text("run at 7?"), id: "m2")[0] == "A new message")
        let other = try await toBob.seal(.text("hi"), as: MessageID(parsing: "m1")).content
        #expect(shown.text(for: other, id: "m1", ofChat: "alice_eve") == "A new message")
    }

    @Test("an app reads and migrates one text as the program does") func oneText() async throws {
        let couple = couple
        let reader = try await rooms[0].use { vault in
            try vault.store(vault.draftCouple(of: couple, beginningAt: .migrating))
            return try vault.fieldReader(of: couple)
        }
        let place = try FieldPlace(parsing: "users/alice/status")
        let token = try reader.migrated("home".utf8, place: place)
        #expect(token.form == .place)
        guard case .sealed(let text, let proof) = try reader.read(token.text, place: place) else {
            throw FieldError.plaintext
        }
        #expect(text == Array("home".utf8) && proof.isBound == true && proof.origin == .invite)
        let old = try reader.migrated("home".utf8).text
        guard case .sealed(_, let moved) = try reader.read(old, place: place, allowingUnbound: true) else {
            throw FieldError.plaintext
        }
        #expect(moved.isBound == false)
        #expect(throws: FieldError.token(.unbound)) { try reader.migrated(old, place: place) }
        #expect(try reader.migrated(old, place: place, trustingOld: true).form == .place)
    }
}
