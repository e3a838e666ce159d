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
    /// - Throws: `.malformed`.
    public init(parsing document: some Collection<UInt8>) throws(ChatFormatError) {
        guard let value = try? JSONValue(parsing: document),
            let content = value[Member.content]?.string, let iv = value[Member.iv]?.string
        else { throw .malformed }
        try self.init(encryptedContent: content, iv: iv)
    }

    /// Takes the two members, for a caller whose server hands them over already parsed.
    ///
    /// - Throws: `.malformed`.
    public init(encryptedContent: String, iv: String) throws(ChatFormatError) {
        do {
            self.encryptedContent = try Base64.standard.decode(encryptedContent)
            self.iv = try Base64.standard.decode(iv)
        } catch { throw .malformed }
        guard self.iv.count == AESGCM.nonceByteCount else { throw .malformed }
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

    /// Their names.
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
