package import CloserWire

/// A message of a chat, and what it says of itself (closer-keys-formats(7), CHATS, Bound messages).
public struct ChatMessage: Equatable, Sendable {
    /// What it is. An app shows what it knows, and hands over the rest.
    public struct Kind: Equatable, Hashable, Sendable {
        /// The name as the message has it.
        public let name: String

        /// Takes a name.
        ///
        /// - Throws: ``Identifier/FormatError``.
        public init(parsing name: String) throws(Identifier.FormatError) {
            self.name = try Identifier.Of<Identifier.Message>(parsing: name).text
        }

        private init(known name: String) { self.name = name }

        /// Whether this version knows the kind.
        public var isKnown: Bool { Self.known.contains(name) }
        /// Whether a message of this kind is about another one, which ``ChatMessage/replyTo`` names.
        public var needsReplyTo: Bool { ["reaction", "edit", "delete"].contains(name) }

        /// A text.
        public static let text = Kind(known: "text")
        /// A picture, which the payload describes.
        public static let image = Kind(known: "image")
        /// A file, which the payload describes.
        public static let file = Kind(known: "file")
        /// A voice note, which the payload describes.
        public static let voice = Kind(known: "voice")
        /// A reaction to another message: the body.
        public static let reaction = Kind(known: "reaction")
        /// Another text for another message of the same author.
        public static let edit = Kind(known: "edit")
        /// Takes another message of the same author back.
        public static let delete = Kind(known: "delete")
        /// What was read, and what stayed closed: the payload.
        public static let receipt = Kind(known: "receipt")

        private static let known: Set<String> = [
            "text", "image", "file", "voice", "diet_plan", "workout_plan", "challenge", "reaction", "edit",
            "delete", "receipt", "room", "room-leave", "room-gone",
        ]
    }

    /// What it is.
    public var kind: Kind
    /// 1, 2, 3 … for each chat and direction, below 2^53.
    public var number: UInt64
    /// When it was written, by the sender's clock, in milliseconds since 1970.
    public var sentAt: UInt64
    /// Its text, which may be empty.
    public var body: String
    /// The highest number that its sender has seen of the other.
    public var seen: UInt64?
    /// The message that it is about.
    public var replyTo: MessageID?
    /// From when on it is not shown, by the reader's clock, in milliseconds since 1970.
    public var expiresAt: UInt64?
    /// A preview: its body may have been cut.
    public var isCut = false
    /// A JSON object, in canonical form: a plan, a voice, a file, an image or a receipt.
    public private(set) var payload: [UInt8]?

    /// A message.
    ///
    /// - Throws: `.malformed` for a number of 0 or of 2^53 and more, or a payload that is no JSON object; `.lacksReplyTo`.
    public init(
        _ kind: Kind, number: UInt64, sentAt: UInt64, body: String, seen: UInt64? = nil,
        replyTo: MessageID? = nil,
        expiresAt: UInt64? = nil, isCut: Bool = false, payload: [UInt8]? = nil
    ) throws(FormatError) {
        (self.kind, self.number, self.sentAt, self.body) = (kind, number, sentAt, body)
        (self.seen, self.replyTo, self.expiresAt, self.isCut) = (seen, replyTo, expiresAt, isCut)
        if let payload {
            guard let value = try? JSONValue(parsing: payload), value.members != nil else { throw .malformed }
            self.payload = value.canonicalBytes
        }
        guard !kind.needsReplyTo || replyTo != nil else { throw .lacksReplyTo }
        let numbers = [number, sentAt, seen ?? 0, expiresAt ?? 0]
        guard number > 0, numbers.allSatisfy({ $0 < Self.numberLimit }) else { throw .malformed }
    }

    static let numberLimit: UInt64 = 1 << 53
    /// 64 KiB of JSON.
    public static let maximumByteCount = 64 << 10

    /// Why a message is refused.
    public enum FormatError: Error, Equatable, Sendable {
        /// Its JSON has more than ``ChatMessage/maximumByteCount`` bytes.
        case tooLarge
        /// It is in another form than a message's.
        case malformed
        /// A reaction, an edit or a deletion names no message that it is about.
        case lacksReplyTo
    }
}

// MARK: - As JSON

extension ChatMessage {
    /// The canonical JSON, UTF-8.
    public var bytes: [UInt8] { JSONValue.object(members).canonicalBytes }

    private var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("kind", .string(kind.name)), .init("n", .number(Double(number))),
            .init("at", .number(Double(sentAt))), .init("body", .string(body)),
        ]
        if let seen { members.append(.init("seen", .number(Double(seen)))) }
        if let replyTo { members.append(.init("replyTo", .string(replyTo.text))) }
        if let expiresAt { members.append(.init("expires", .number(Double(expiresAt)))) }
        if isCut { members.append(.init("cut", .bool(true))) }
        if let payload, let value = try? JSONValue(parsing: payload) {
            members.append(.init("payload", value))
        }
        return members
    }

    /// The members that a person is shown: a room's letter without its secret.
    package var shown: [JSONValue.Member] {
        let hidden = kind.name == "room" ? "secret" : nil
        return members.map { member in
            guard member.name == "payload", let inner = member.value.members else { return member }
            return .init("payload", .object(inner.filter { $0.name != hidden }))
        }
    }

    /// Reads canonical JSON that has exactly a message's members.
    package init(parsing json: [UInt8]) throws(FormatError) {
        guard let members = try? JSONValue(parsing: json, maximumDepth: 17).members,
            JSONValue.object(members).canonicalBytes == json,
            members.allSatisfy({ Self.names.contains($0.name) })
        else { throw .malformed }
        func number(_ name: String) throws(FormatError) -> UInt64? {
            guard let found = members[name] else { return nil }
            guard let number = found.number, let whole = UInt64(exactly: number) else { throw .malformed }
            return whole
        }
        func text(_ name: String) throws(FormatError) -> String? {
            guard let found = members[name] else { return nil }
            guard let text = found.string else { throw .malformed }
            return text
        }
        let replyTo = try text("replyTo")
        guard let name = try text("kind"), let kind = try? Kind(parsing: name), let body = try text("body"),
            let counted = try number("n"), let sentAt = try number("at"),
            members["cut"] == nil || members["cut"]?.isTrue == true,
            members["payload"] == nil || members["payload"]?.members != nil
        else { throw .malformed }
        let about = replyTo.flatMap { try? MessageID(parsing: $0) }
        guard (about == nil) == (replyTo == nil) else { throw .malformed }
        try self.init(
            kind, number: counted, sentAt: sentAt, body: body, seen: number("seen"), replyTo: about,
            expiresAt: number("expires"), isCut: members["cut"] != nil,
            payload: members["payload"]?.canonicalBytes)
    }

    private static let names: Set<String> = [
        "kind", "n", "at", "body", "seen", "replyTo", "expires", "cut", "payload",
    ]
}

// MARK: - A preview

extension ChatMessage {
    /// The same message as a preview whose token has at most so many characters: without a payload, and with as much of the body as fits,
    /// in whole characters. Nil if not even an empty body fits.
    package func preview(maximumTokenCount: Int) -> ChatMessage? {
        let count = min(max(0, maximumTokenCount), Self.maximumByteCount)
        let room = ChatToken.messageByteCount(within: count) / Self.block * Self.block - 4
        var (cut, characters) = (self, Array(body))
        (cut.isCut, cut.payload) = (true, nil)
        // JSON escapes some characters, so the count of those that fit is found by bisection.
        var (fits, most) = (-1, characters.count)
        while fits < most {
            let count = (fits + most + 1) / 2
            cut.body = String(characters[..<count])
            if cut.bytes.count <= room { fits = count } else { most = count - 1 }
        }
        guard fits >= 0 else { return nil }
        characters.removeSubrange(fits...)
        cut.body = String(characters)
        return cut
    }
}

// MARK: - Padded

extension ChatMessage {
    private static let block = 64
    static let paddedByteCounts = block...(4 + maximumByteCount + block - 1) / block * block

    /// `u32be` of the JSON's count, the JSON, and as few zeros as fill the last block.
    func padded() throws(FormatError) -> [UInt8] {
        let json = bytes
        guard json.count <= Self.maximumByteCount else { throw .tooLarge }
        var padded = Array(bigEndian: UInt32(json.count)) + json
        padded += Array(repeating: 0, count: (Self.block - padded.count % Self.block) % Self.block)
        return padded
    }

    init(padded: [UInt8]) throws(FormatError) {
        guard padded.count >= 4, padded.count % Self.block == 0 else { throw .malformed }
        let count = Int(UInt32(bigEndian: padded.prefix(4)))
        let padding = padded.dropFirst(4).dropFirst(count)
        guard count <= padded.count - 4, padding.count < Self.block, padding.allSatisfy({ $0 == 0 }) else {
            throw .malformed
        }
        guard count <= Self.maximumByteCount else { throw .tooLarge }
        try self.init(parsing: Array(padded[4..<4 + count]))
    }
}

extension JSONValue {
    fileprivate var isTrue: Bool { if case .bool(true) = self { true } else { false } }
}

extension ChatMessage.FormatError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .tooLarge: ErrorWords(.limit, "a message has at most 64 KiB")
        case .malformed: ErrorWords(.malformed, "this is not a message of a chat")
        case .lacksReplyTo:
            ErrorWords(.malformed, "a reaction, an edit and a deletion name a message", typing: "--reply-to")
        }
    }
}
