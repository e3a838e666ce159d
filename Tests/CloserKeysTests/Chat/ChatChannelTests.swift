import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

@Suite("Bound messages: closer-keys-formats(7), CHATS")
struct ChatChannelTests {
    private let chat: ChatID
    private let (alice, bob): (UserID, UserID)

    init() throws {
        (alice, bob) = (try UserID(parsing: "alice"), try UserID(parsing: "bob"))
        chat = try ChatID(alice, bob)
    }

    @Test("each golden message opens where it was written to, is written the same, and opens nowhere else")
    func golden() throws {
        for test in TestData.chat.at("chatV2").array ?? [] {
            let token = try ChatToken(parsing: test.text("token"))
            let id = try MessageID(parsing: test.text("messageId"))
            let json = Array(test.text("json").utf8)
            let (writer, reader) = (try channel(test, .sender), try channel(test, .recipient))
            let message = try ChatMessage(parsing: json)
            #expect(try reader.open(token, id: id) == message && writer.open(token, id: id) == message)
            #expect(message.bytes == json)
            let iv = TestData.chat.hex("iv")
            #expect(try writer.seal(message, id: id, from: .testOnlyScript(iv)) == token)
            let refused = ChatChannel.OpenError.authenticationFailed
            #expect(throws: refused) { try reader.open(token, id: MessageID(parsing: "m9")) }
            let back = try channel(test, .recipient, exchanged: true)
            #expect(throws: refused) { try back.open(token, id: id) }
            let elsewhere = try channel(test, .recipient, chat: ChatID(parsing: "alice_bo"))
            #expect(throws: refused) { try elsewhere.open(token, id: id) }
        }
        #expect(TestData.chat.at("chatV2").array?.count == 3)
    }

    @Test("a message in any other form than its canonical one is refused")
    func forms() throws {
        let good = #"{"at":1,"body":"","kind":"text","n":1}"#
        _ = try ChatMessage(parsing: Array(good.utf8))
        for (before, after) in [
            (#""n":1"#, #""n":0"#), (#""n":1"#, #""n":9007199254740992"#), (#""n":1"#, #""n":"1""#),
            (#""n":1"#, #""n":1.5"#),
            (#","n":1"#, ""), (#""body":"","#, ""), (#""kind":"text""#, #""kind":"a b""#),
            (#""at":1"#, #""at":-1"#), (#""n":1"#, #""n":1,"other":1"#), (#"{"at""#, #"{ "at""#),
            (#""body":"""#, #""body":"","cut":false"#),
            (#""n":1"#, #""n":1,"payload":[]"#), (#""n":1"#, #""n":1,"replyTo":"a|b""#),
            (#""n":1"#, #""n":1,"seen":"1""#),
        ] {
            let bad = good.replacing(before, with: after)
            #expect(bad != good)
            #expect(throws: ChatMessage.FormatError.malformed, "\(bad)") {
                try ChatMessage(parsing: Array(bad.utf8))
            }
        }
    }

    @Test("a reaction, an edit and a deletion name the message that they are about") func lacksReplyTo() {
        for kind in ["reaction", "edit", "delete"] {
            #expect(throws: ChatMessage.FormatError.lacksReplyTo) {
                try ChatMessage(parsing: Array(#"{"at":1,"body":"","kind":"\#(kind)","n":1}"#.utf8))
            }
        }
    }

    @Test("padding is of zeros, and as short as it can be")
    func padding() throws {
        let message = try ChatMessage(.text, number: 1, sentAt: 1, body: "hello")
        let padded = try message.padded()
        #expect(padded.count == 64)
        #expect(try ChatMessage(padded: padded) == message)
        var changed = padded
        changed[63] = 1
        for bad in [changed, padded + Array(repeating: 0, count: 64), Array(padded.dropLast()), []] {
            #expect(throws: ChatMessage.FormatError.malformed) { try ChatMessage(padded: bad) }
        }
        let long = try ChatMessage(.text, number: 1, sentAt: 1, body: String(repeating: "x", count: 1 << 16))
        #expect(throws: ChatMessage.FormatError.tooLarge) { try long.padded() }
    }

    @Test("each bit of a token that is flipped is refused")
    func flipped() throws {
        let test = try #require(TestData.chat.at("chatV2").array?.first)
        let (token, reader) = (try ChatToken(parsing: test.text("token")), try channel(test, .recipient))
        let payload = try TokenFormat.chatMessage.payload(of: token.text)
        for bit in 0..<payload.count * 8 {
            var changed = payload
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let text = try TokenFormat.chatMessage.text(of: changed.span)
            guard let other = try? ChatToken(parsing: text) else { continue }
            #expect(throws: ChatChannel.OpenError.authenticationFailed) {
                try reader.open(other, id: MessageID(parsing: "m1"))
            }
        }
    }

    @Test("a message stays closed for its author, also with the keys of its token exchanged")
    func reflected() throws {
        let (out, back) = (try fresh(from: alice, to: bob), try fresh(from: bob, to: alice))
        let id = try MessageID(parsing: "m1")
        let token = try out.sender.seal(
            ChatMessage(.text, number: 1, sentAt: 1, body: "run at 7?"), id: id)
        let payload = try TokenFormat.chatMessage.payload(of: token.text)
        let exchanged = payload[4..<8] + payload[0..<4] + back.key.bytes + payload[40...]
        let mirrored = try TokenFormat.chatMessage.text(of: exchanged.span)
        for text in [token.text, mirrored] {
            #expect(throws: ChatChannel.OpenError.authenticationFailed, "it opens for its author") {
                try back.recipient.open(ChatToken(parsing: text), id: id)
            }
        }
        #expect(try out.recipient.open(token, id: id).body == "run at 7?")
    }

    @Test("chat keys alone open nothing")
    func otherLongTermKey() throws {
        let (id, key) = (try MessageID(parsing: "m1"), X25519PrivateKey())
        let token = try fresh(from: alice, to: bob).sender.seal(
            ChatMessage(.text, number: 1, sentAt: 1, body: ""), id: id)
        #expect(throws: ChatChannel.OpenError.authenticationFailed, "it opens without a long-term key") {
            try fresh(from: alice, to: bob, bob: key).recipient.open(token, id: id)
        }
    }

    @Test("an index of zero, and a sender's key of low order, are malformed")
    func token() throws {
        let test = try #require(TestData.chat.at("chatV2").array?.first)
        let payload = try TokenFormat.chatMessage.payload(of: Array(test.text("token").utf8))
        for range in [0..<4, 4..<8, 8..<40] {
            var changed = payload
            for index in range { changed[index] = 0 }
            let text = try TokenFormat.chatMessage.text(of: changed.span)
            #expect(throws: TokenError.malformed(.other)) { try ChatToken(parsing: text) }
        }
    }

    @Test("each golden chat key is proven, is written the same, and proves nothing once a member is another")
    func chatKeys() throws {
        for test in TestData.chat.at("chatKeys").array ?? [] {
            let document = try ChatKeyDocument(parsing: test.bytes)
            let isAlice = document.sender == alice
            let (theirs, ours) = (try long(isAlice ? 0x11 : 0x22), try long(isAlice ? 0x22 : 0x11))
            func isProven(_ chat: ChatID, _ theirs: X25519PublicKey, exchanged: Bool = false) throws -> Bool {
                let (from, to) = (document.sender, document.recipient)
                return try document.isProven(
                    in: chat, from: exchanged ? to : from, to: exchanged ? from : to, by: theirs, for: ours)
            }
            #expect(try isProven(chat, theirs.publicKey))
            #expect(try !isProven(chat, theirs.publicKey, exchanged: true))
            let key = ChatChannel.Key(document.key, index: document.index)
            let made = try ChatKeyDocument(
                of: key, chat: chat, from: document.sender, to: document.recipient, with: theirs,
                for: ours.publicKey)
            #expect(made == document && made.bytes == test.bytes)
            let exchanged = try ChatKeyDocument(
                of: key, chat: chat, from: document.recipient, to: document.sender, with: theirs,
                for: ours.publicKey)
            #expect(exchanged != document)
            #expect(try !isProven(ChatID(parsing: "other"), theirs.publicKey))
            #expect(try !isProven(chat, X25519PrivateKey().publicKey))
        }
    }

    // The golden values' private keys are one byte repeated.

    private func long(_ byte: UInt8) throws -> X25519PrivateKey {
        try X25519PrivateKey(adopting: SecretBytes(copying: Array(repeating: byte, count: 32).span))
    }

    private func chatKey(_ index: UInt32) throws -> ChatChannel.Key<X25519PrivateKey> {
        let byte = TestData.chat.hex("chatKeyBytes.\(index)")[0]
        return ChatChannel.Key(try long(byte), index: index)
    }

    /// Both ends of a direction: Alice's chat key has index 5, and Bob's 7.
    private func fresh(
        from sender: UserID, to recipient: UserID, bob bobs: X25519PrivateKey? = nil
    ) throws -> (sender: ChatChannel, recipient: ChatChannel, key: X25519PublicKey) {
        let long = (alice: try long(0x11), bob: try bobs ?? long(0x22))
        let keys = (
            alice: ChatChannel.Key(try self.long(5), index: 5),
            bob: ChatChannel.Key(try self.long(7), index: 7)
        )
        func end(_ user: UserID) throws -> ChatChannel {
            let (ours, theirs) = user == alice ? (keys.alice, keys.bob) : (keys.bob, keys.alice)
            let (our, their) = user == alice ? (long.alice, long.bob) : (long.bob, long.alice)
            return try ChatChannel(
                chat: chat, from: sender, to: recipient, as: user == sender ? .sender : .recipient, ours: our,
                ours,
                theirs: their.publicKey, ChatChannel.Key(theirs.key.publicKey, index: theirs.index))
        }
        return (try end(sender), try end(recipient), keys.bob.key.publicKey)
    }

    private func channel(
        _ test: JSONValue, _ role: ChatChannel.Role, exchanged: Bool = false, chat: ChatID? = nil
    ) throws -> ChatChannel {
        let names = (try UserID(parsing: test.text("from")), try UserID(parsing: test.text("to")))
        let (sender, recipient) = (
            try chatKey(UInt32(test.at("i").number ?? 0)), try chatKey(UInt32(test.at("j").number ?? 0))
        )
        let ours = (role == .sender ? names.0 : names.1) == alice ? 0x11 : 0x22 as UInt8
        let (our, their) = role == .sender ? (sender, recipient) : (recipient, sender)
        return try ChatChannel(
            chat: chat ?? self.chat, from: exchanged ? names.1 : names.0, to: exchanged ? names.0 : names.1,
            as: role,
            ours: long(ours), our, theirs: long(0x33 - ours).publicKey,
            ChatChannel.Key(their.key.publicKey, index: their.index))
    }
}
