public import CloserPrimitives
package import CloserWire

/// The key of one chat of FitLink or Fond, the same on both sides (closer-keys-formats(7), CHATS).
///
/// Diagnostics are sealed by AES-256-GCM under HKDF-SHA256 of an X25519 agreement. The key schedule is kept, so make one for
/// each chat, for all of its messages.
///
/// - Important: FitLink and Fond use one key both ways and authenticate the content alone (docs/threat-model.md#w12). A
///   message that a server sends back to its author, sends twice, keeps for a year or sends in another order opens like
///   any other.
public final class ChatKey: Sendable {
    /// 32 bytes.
    public static let byteCount = 32
    /// The most that one message holds: 1 MiB.
    public static let maximumPlaintextByteCount = 1 << 20

    private let cipher: AESGCM
    /// Tells two devices whether they hold the same key, also one that came by way of a Keychain: 10 bytes of a key derived from it
    /// in hexadecimal, in groups of four digits. It is public (closer-keys-formats(7), CHATS).
    public let fingerprint: String

    /// The key of a chat in FitLink: the chat's id is the salt, `FitLinkChat` the info.
    ///
    /// - Throws: `.lowOrderPublicKey`.
    public convenience init(
        fitLink chat: ChatID, ours: X25519PrivateKey, theirs: X25519PublicKey
    ) throws(X25519KeyError) {
        self.init(try Self.secret(fitLink: chat, ours: ours, theirs: theirs))
    }

    static func secret(
        fitLink chat: ChatID, ours: X25519PrivateKey, theirs: X25519PublicKey
    ) throws(X25519KeyError) -> SecretBytes {
        try ours.agree(with: theirs, salt: chat.bytes, info: "FitLinkChat".utf8)
    }

    /// The key of a couple in Fond. Fond publishes neither salt nor info, so both are parameters.
    ///
    /// - Throws: `.lowOrderPublicKey`, or `.infoTooLong` above 32 KiB.
    public convenience init(
        fond ours: X25519PrivateKey, theirs: X25519PublicKey, salt: some Collection<UInt8> = [],
        info: some Collection<UInt8> = ChatKey.fondInfo
    ) throws(X25519KeyError) {
        self.init(try ours.agree(with: theirs, salt: salt, info: info))
    }

    /// A key that was derived elsewhere, such as Fond's in the Keychain; nil unless it has 32 bytes.
    public convenience init?(adopting key: consuming SecretBytes) {
        guard key.count == Self.byteCount else { return nil }
        self.init(key)
    }

    init(_ key: borrowing SecretBytes) {
        let info = [UInt8](lengthPrefixed: [Array("chat-fingerprint".utf8)])
        cipher = AESGCM(key: key)
        fingerprint =
            HKDF.derive(from: key, salt: Array("closer-keys/v1".utf8).span, info: info.span, count: 32)
            .fingerprint
    }

    /// `Fond` in ASCII: the info that we assume.
    public static let fondInfo = Array("Fond".utf8)

    /// `iv ‖ ciphertext ‖ tag`, 28 bytes more than the plaintext.
    func seal(_ plaintext: Span<UInt8>, from randomness: Randomness) throws(ChatSealError) -> [UInt8] {
        guard plaintext.count <= Self.maximumPlaintextByteCount else { throw .plaintextTooLarge }
        return cipher.sealCombined(plaintext, authenticating: Span(), nonceFrom: randomness)
    }

    /// Opens `iv ‖ ciphertext ‖ tag`. A box that was cut below 28 bytes counts as changed.
    func open(combined box: Span<UInt8>) throws(ChatOpenError) -> [UInt8] {
        do {
            return try [UInt8](capacity: box.count) { (output) throws(AESGCM.AuthenticationFailure) in
                try cipher.openCombined(box, authenticating: Span(), into: &output)
            }
        } catch { throw .authenticationFailed }
    }
}

extension ChatKey: CustomStringConvertible, CustomReflectable {
    /// A text without the key.
    public var description: String { "ChatKey(redacted)" }
    /// A mirror without children, so that `dump` finds no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why sealing a message failed.
public enum ChatSealError: Error, Equatable, Sendable {
    /// More than ``ChatKey/maximumPlaintextByteCount`` bytes.
    case plaintextTooLarge
}

/// Why a message stays closed.
public enum ChatOpenError: Error, Equatable, Sendable {
    /// Another key, another chat, or it was cut or changed. They look alike.
    case authenticationFailed
}

/// Why a text is refused as a message or field.
public enum ChatFormatError: Error, Equatable, Sendable {
    /// A message that is not one JSON object.
    case notAnObject(JSONFault)
    /// A field, or a member of a message, that is not base64 in its only accepted spelling.
    case misspelled(Misspelling)
    /// A plaintext of another form, or an initialization vector that has another length than 12 bytes.
    case malformed
}

extension ChatID {
    /// The name of a FitLink chat: the ids of its two users, sorted bytewise and joined with `_` (closer-keys-formats(7),
    /// CHATS, FitLink). Both sides get the same, in either order of the two.
    ///
    /// - Important: Ids may have a `_` themselves, so the chat of `a_b` and `c` has the name of that of `a` and `b_c`.
    ///   Their keys differ all the same, since other people have other key pairs.
    /// - Throws: ``Identifier/FormatError`` if the two have more than 127 characters together.
    public init(_ ours: UserID, _ theirs: UserID) throws(Identifier.FormatError) {
        let users = [ours, theirs].sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        try self.init(parsing: "\(users[0].text)_\(users[1].text)")
    }
}

// MARK: - Errors in words

extension ChatSealError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.limit, "a message holds at most \(ChatKey.maximumPlaintextByteCount) bytes")
    }
}

extension ChatOpenError: WordedError {
    package var words: ErrorWords {
        ErrorWords(
            .authFailed, "it does not open: another key, another chat, or it was cut or changed",
            "both sides need the same profile, chat, salt and info")
    }
}

extension ChatFormatError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .notAnObject(let fault): fault.words(of: "this message")
        case .misspelled(let fault): fault.words(of: "message")
        case .malformed: ErrorWords(.malformed, "this is not a message of this profile")
        }
    }
}
