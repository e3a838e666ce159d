import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import Testing

// doc: ANotificationThatSaysWhoWrote
/// The app's side: it stores the keys after each change of the couple's key, and at each start.
struct ExtensionKeys: Sendable {
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
struct NotificationText {
    let store: SecretStore

    /// What the notification shows. `payload` is the field or the message that the server pushed.
    func text(for payload: String, of couple: String) -> String {
        do {
            guard let item = try store.value("opening keys of \(couple)") else { return "A new message" }
            let keys = try OpeningKeys(parsing: SecretBytes(copying: item))
            return try payload.hasPrefix("enc:v1:") ? field(payload, keys) : message(payload, keys)
        } catch FieldError.opening(.noMatchingKey) {
            return "Open the app to read it"
        } catch { return "A new message" }
    }

    private func field(_ payload: String, _ keys: borrowing OpeningKeys) throws -> String {
        let opened = try keys.open(FieldToken(parsing: payload))
        let text = String(decoding: opened.plaintext, as: UTF8.self)
        // Under a key that the server may hold, the server may have written it.
        return keys.origin(ofKey: opened.keyID)?.isPrivate == true ? text : "\(text) (not proven)"
    }

    private func message(_ payload: String, _ keys: borrowing OpeningKeys) throws -> String {
        String(decoding: try keys.open(FitLinkMessage(parsing: payload.utf8)), as: UTF8.self)
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
            try vault.store(vault.draftCouple(couple, beginningAt: .strict))
            #expect(throws: VaultError.couple(.noChatKey)) {
                _ = try vault.openingKeys(of: couple, chat: .fitLink)
            }
            return try vault.openingKeys(of: couple)
        }
        try store.keep(Data(InsecureCopy.bytes(keys.bytes)), as: "opening keys of couple_1")
        let token = try await rooms[0].use { try $0.couple(couple).fieldKey().seal("hi".utf8).description }
        #expect(NotificationText(store: store).text(for: token, of: "couple_1") == "hi (not proven)")
    }
}
