internal import CloserPrimitives
internal import CloserWire

/// A message of a chat as text: `chat:v2:` and the base64url of the two keys' indices, the sender's key, and a box (closer-keys-formats(7),
/// CHATS, Bound messages).
///
/// It says which keys it needs. Who wrote it, to whom, in which chat and under which id is where it was found: ``ChatChannel`` proves it.
public struct ChatToken: Equatable, Sendable {
    /// The index of the sender's chat key: when the sender made it, in seconds since 1970.
    public let senderIndex: UInt32
    /// The index of the recipient's chat key, to which it was sealed.
    public let recipientIndex: UInt32
    /// The sender's chat key.
    public let senderKey: X25519PublicKey
    /// The token, in ASCII.
    public let text: [UInt8]
    /// `iv ‖ ciphertext ‖ tag`.
    let box: [UInt8]

    /// Takes the token's only accepted spelling, in ASCII, without white space.
    ///
    /// - Throws: ``TokenError``, `.malformed` for an index of 0 and for a sender's key that is none.
    public init(parsing text: some Collection<UInt8>) throws(TokenError) {
        let payload = try TokenFormat.chatMessage.payload(of: text)
        senderIndex = UInt32(bigEndian: payload.prefix(4))
        recipientIndex = UInt32(bigEndian: payload[4..<8])
        guard senderIndex > 0, recipientIndex > 0, let key = Self.key(payload[8..<Self.headByteCount]) else {
            throw .malformed(.other)
        }
        senderKey = key
        box = Array(payload.dropFirst(Self.headByteCount))
        self.text = Array(text)
    }

    /// Takes a token, or the server's document of a message, a JSON object whose `encrypted_content` is one.
    ///
    /// - Throws: ``TokenError``.
    package init(reading text: some Collection<UInt8>) throws(TokenError) {
        let content = (try? JSONValue.members(of: text))?["encrypted_content"]?.string
        try self.init(parsing: content.map { Array($0.utf8) } ?? Array(text))
    }

    /// The key of the last token: to tell that one is of high order takes as long as an agreement, and a chat has few keys.
    private static let last = Lock<X25519PublicKey?>(nil)

    private static func key(_ bytes: ArraySlice<UInt8>) -> X25519PublicKey? {
        if let last = last.withLock({ $0 }), last.bytes.elementsEqual(bytes) { return last }
        guard let key = try? X25519PublicKey(bytes) else { return nil }
        last.withLock { $0 = key }
        return key
    }

    /// Writes a box that was sealed.
    init(_ keys: ChatChannel.PublicKeys, _ box: [UInt8]) {
        (senderIndex, recipientIndex, senderKey) = (keys.sender.index, keys.recipient.index, keys.sender.key)
        self.box = box
        var payload: [UInt8] = []
        payload.append(bigEndian: senderIndex)
        payload.append(bigEndian: recipientIndex)
        payload += senderKey.bytes + box
        guard let text = try? TokenFormat.chatMessage.text(of: payload.span) else {
            preconditionFailure("a padded message fills a token")
        }
        self.text = text
    }

    /// The bytes of a padded message for which a token of so many characters has room; less than 1 if it has none.
    static func messageByteCount(within count: Int) -> Int {
        (count - TokenFormat.chatMessage.prefix.count) * 3 / 4 - headByteCount - AESGCM.overheadByteCount
    }

    private static let headByteCount = 4 + 4 + X25519.byteCount
    /// Of the bytes behind the prefix.
    static let byteCounts: ClosedRange<Int> = {
        let beside = headByteCount + AESGCM.overheadByteCount
        return beside + ChatMessage.paddedByteCounts.lowerBound...beside
            + ChatMessage.paddedByteCounts.upperBound
    }()
}

extension ChatToken: CustomStringConvertible {
    /// Takes the token's only accepted spelling, without white space.
    ///
    /// - Throws: ``TokenError``.
    public init(parsing text: String) throws(TokenError) { try self.init(parsing: text.utf8) }

    /// The token's text.
    public var description: String { String(decoding: text, as: UTF8.self) }
}
