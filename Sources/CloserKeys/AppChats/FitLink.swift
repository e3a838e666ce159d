public import CloserPrimitives
package import CloserWire

/// A message of FitLink's chat: `{"encrypted_content": …, "iv": …}`, both in standard base64 (closer-keys-formats(7),
/// CHATS, FitLink).
public struct FitLinkMessage: Equatable, Sendable {
    /// `ciphertext ‖ tag`: 16 bytes more than the plaintext.
    public let encryptedContent: [UInt8]
    /// The nonce, 12 bytes.
    public let iv: [UInt8]

    /// Takes the JSON document. Other members are ignored.
    ///
    /// - Throws: `.notAnObject`, `.misspelled`, or `.malformed`.
    public init(parsing document: some Collection<UInt8>) throws(ChatFormatError) {
        let members: [JSONValue.Member]
        do { members = try JSONValue.members(of: document) } catch { throw .notAnObject(error) }
        let texts = try Self.memberNames.map { (name) throws(ChatFormatError) in
            guard let text = members[name]?.string else { throw .misspelled(.lacks(text: name)) }
            return text
        }
        try self.init(encryptedContent: texts[0], iv: texts[1])
    }

    /// Takes the two members, for a caller whose server hands them over already parsed.
    ///
    /// - Throws: `.misspelled`, or `.malformed` for an IV of another length.
    public init(encryptedContent: String, iv: String) throws(ChatFormatError) {
        self.encryptedContent = try Self.decode(encryptedContent, Member.content)
        self.iv = try Self.decode(iv, Member.iv)
        guard self.iv.count == AESGCM.nonceByteCount else { throw .malformed }
    }

    private static func decode(_ text: String, _ member: String) throws(ChatFormatError) -> [UInt8] {
        do { return try Base64.standard.decodeSpelled(Array(text.utf8).span) } catch {
            throw .misspelled(error.of(member: member))
        }
    }

    fileprivate init(combined: [UInt8]) {
        iv = Array(combined.prefix(AESGCM.nonceByteCount))
        encryptedContent = Array(combined.dropFirst(AESGCM.nonceByteCount))
    }

    /// The JSON document.
    public var bytes: [UInt8] { JSONValue.object(members).bytes }

    /// The two members, for a caller who writes them beside others.
    package var members: [JSONValue.Member] {
        [
            .init(Member.content, .string(Base64.standard.encode(encryptedContent))),
            .init(Member.iv, .string(Base64.standard.encode(iv))),
        ]
    }

    package static let memberNames = [Member.content, Member.iv]

    private enum Member {
        static let content = "encrypted_content"
        static let iv = "iv"
    }
}

extension ChatKey {
    /// Seals `plaintext` as it is; empty is legal.
    ///
    /// - Throws: `.plaintextTooLarge` above 1 MiB.
    public func seal(
        message plaintext: some Collection<UInt8>, from randomness: Randomness = .system
    ) throws(ChatSealError) -> FitLinkMessage {
        FitLinkMessage(combined: try seal(Array(plaintext).span, from: randomness))
    }

    /// Gives back the plaintext. Its author and its time are unproven; see ``ChatKey``.
    ///
    /// - Throws: `.authenticationFailed`.
    public func open(_ message: FitLinkMessage) throws(ChatOpenError) -> [UInt8] {
        try open(combined: (message.iv + message.encryptedContent).span)
    }
}
