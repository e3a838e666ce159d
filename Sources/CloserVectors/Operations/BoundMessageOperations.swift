internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// Bound messages of a chat, and chat keys (closer-keys-formats(7), CHATS).
enum BoundMessageOperations {
    static let all = [open, seal, receive, key]
    private static let sides = "privateKey chatKey peerPublicKey peerChatKey chatId from to messageId"

    static let open = VectorOperation(
        "chat2.open", file: "chat_v2.json", takes: "\(sides) role token", gives: "plaintext"
    ) { input in
        let channel = try input.channel(as: try input.text("role") == "sender" ? .sender : .recipient)
        let token = try ChatToken(parsing: try input.text("token"))
        return .hex("plaintext", try channel.open(token, id: try input.identifier("messageId")).bytes)
    }

    static let seal = VectorOperation(
        "chat2.seal", takes: "\(sides) plaintext", gives: "token",
        drawn: LiveSealing(
            reader: open, sealed: box,
            fresh: SealedPart(
                member: box.member, form: box.form, start: box.start, count: AESGCM.nonceByteCount),
            freshName: "nonce", draw: draw)
    ) { input, randomness in
        let message = try ChatMessage(parsing: try input.hex("plaintext"))
        let id: MessageID = try input.identifier("messageId")
        return .text("token", "\(try input.channel(as: .sender).seal(message, id: id, from: randomness))")
    }

    /// Behind the two indices and the sender's key.
    private static let box = SealedPart(member: "token", form: .token(.chatMessage), start: 40)

    static let receive = VectorOperation(
        "chat2.receive", file: "chat_v2.json",
        takes: "privateKey chatKeys peerPublicKey chatId from to messageId token state now",
        gives: "new missing expired state"
    ) { input in
        let token = try ChatToken(parsing: try input.text("token"))
        let channel = try input.channel(
            as: .recipient, try input.keyring().key(for: token),
            ChatChannel.Key(token.senderKey, index: token.senderIndex))
        let message = try channel.open(token, id: try input.identifier("messageId"))
        guard let now = UInt64(try input.text("now")) else { throw VectorInput.MemberFault(name: "now") }
        var reading = try input.reading()
        // A preview is for a look that changes no state.
        let verdict = reading.note(message, at: Timestamp(secondsSince1970: now))
        guard let verdict else { throw VectorRefusal(errorID: .notYet) }
        let state: JSONValue = [
            "seen": .ranges(reading.seen.ranges), "seenByThem": .number(Double(reading.seenByThem)),
        ]
        return [
            "new": .bool(verdict.isNew), "missing": .ranges(verdict.missing.map { [$0] } ?? []),
            "expired": .bool(verdict.isExpired), "state": .string(state.line),
        ]
    }

    static let key = VectorOperation(
        "chat2.key", file: "chat_v2.json", takes: "privateKey peerPublicKey chatId from to text",
        gives: "index publicKey"
    ) { input in
        let (ours, theirs) = try input.keyPair()
        let document = try ChatKeyDocument(parsing: try input.utf8("text"))
        let isProven = try document.isProven(
            in: try input.identifier("chatId"), from: try input.identifier("from"),
            to: try input.identifier("to"), by: theirs, for: ours)
        guard isProven else { throw VectorRefusal(errorID: .macInvalid) }
        return ["index": .number(Double(document.index)), "publicKey": .string("\(document.key)")]
    }

    /// From one of two people to the other. The author reads one in four again.
    @Sendable private static func draw(_: LiveDirection) throws -> RandomCase {
        let people = try (0..<3).map { _ in (try RandomPerson(), try RandomPerson()) }
        let index = people.map { _ in UInt32.random(in: 1 ... .max) }
        func members(_ ours: Int, _ theirs: Int) -> JSONValue {
            people[ours].0.members(with: people[theirs].0).merging([
                "chatKey": .string("\(index[ours]):\(Hex.encode(people[ours].1.scalar))"),
                "peerChatKey": .string("\(index[theirs]):\(people[theirs].1.key.publicKey)"),
            ])
        }
        let place = JSONValue.object(
            ["chatId", "from", "to", "messageId"].map { .init($0, .string(RandomValue.identifier())) })
        let (sealing, isOurs) = (members(0, 1).merging(place), RandomValue.oneIn(4))
        let opening = isOurs ? sealing : members(1, 0).merging(place)
        let message = try message()
        let others = (place.members ?? []).map { ($0.name, RandomValue.other(than: $0.value.string ?? "")) }
        let strangers = ["peerPublicKey", "peerChatKey"].map { ($0, members(0, 2)[$0]?.string ?? "") }
        return RandomCase(
            comment: "\(message.count) bytes", sealing: sealing.adding("plaintext", .hexText(message)),
            opening: opening.adding("role", isOurs ? "sender" : "recipient"),
            opened: .hex("plaintext", message),
            lies: (others + strangers).map { RandomCase.Lie(member: $0, value: .string($1)) })
    }

    private static func message() throws -> [UInt8] {
        func number() -> UInt64? { RandomValue.oneIn(2) ? .random(in: 1..<1 << 53) : nil }
        let kind = RandomValue.pick(["text", "edit", RandomValue.identifier()])
        let payload = JSONValue.object(RandomJSON.members(depth: 4)).canonicalBytes
        return try ChatMessage(
            .init(parsing: kind), number: number() ?? 1, sentAt: number() ?? 0,
            body: RandomValue.text(0...RandomValue.pick([0, 20, 100, 5000])), seen: number(),
            replyTo: .init(parsing: RandomValue.identifier()), expiresAt: number(),
            isCut: RandomValue.oneIn(10), payload: RandomValue.oneIn(2) ? payload : nil
        ).bytes
    }
}

extension VectorInput {
    fileprivate func channel(as role: ChatChannel.Role) throws -> ChatChannel {
        let (index, key) = try indexed(try text("peerChatKey"), "peerChatKey")
        return try channel(
            as: role, try chatKey(try text("chatKey")),
            ChatChannel.Key(try X25519PublicKey(parsing: key.utf8), index: index))
    }

    fileprivate func channel(
        as role: ChatChannel.Role, _ chatKey: ChatChannel.Key<X25519PrivateKey>,
        _ theirChatKey: ChatChannel.Key<X25519PublicKey>
    ) throws -> ChatChannel {
        let (ours, theirs) = try keyPair()
        return try ChatChannel(
            chat: try identifier("chatId"), from: try identifier("from"), to: try identifier("to"), as: role,
            ours: ours, chatKey, theirs: theirs, theirChatKey)
    }

    fileprivate func keyring() throws -> ChatKeyring {
        let keys = try text("chatKeys").split(separator: " ").map { try chatKey(String($0)) }
        return keys.sorted { $0.index < $1.index }.reduce(ChatKeyring()) { $0.adding($1) }
    }

    private func chatKey(_ text: String) throws -> ChatChannel.Key<X25519PrivateKey> {
        let (index, key) = try indexed(text, "chatKey")
        let scalar = try Hex.decode(String(key))
        let ours = try X25519PrivateKey(adopting: SecretBytes(copying: scalar.span))
        return ChatChannel.Key(ours, index: index)
    }

    /// The index of a chat key, and behind a colon the key.
    private func indexed(_ text: String, _ name: String) throws(MemberFault) -> (UInt32, Substring) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let index = UInt32(parts[0]), index > 0 else { throw MemberFault(name: name) }
        return (index, parts[1])
    }

    fileprivate func reading() throws -> ChatReading {
        let state = try JSONValue(parsing: try utf8("state"))
        guard let ranges = state["seen"]?.array?.map(\.range), !ranges.contains(nil),
            let seen = ChatNumbers(ranges.compactMap(\.self)), let seenByThem = state["seenByThem"]?.whole
        else { throw ChatFormatError.malformed }
        return ChatReading(seen: seen, seenByThem: seenByThem)
    }
}

extension JSONValue {
    fileprivate var range: ClosedRange<UInt64>? {
        guard let bounds = array, bounds.count == 2, let lower = bounds[0].whole, let upper = bounds[1].whole,
            lower <= upper
        else { return nil }
        return lower...upper
    }

    fileprivate var whole: UInt64? { number.flatMap { UInt64(exactly: $0) } }
}
