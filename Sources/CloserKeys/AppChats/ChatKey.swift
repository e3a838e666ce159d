internal import CloserPrimitives
internal import CloserWire

/// The key of one chat, for both of its sides: AES-256-GCM under HKDF-SHA256 of an X25519 agreement (formats §6).
///
/// It keeps the key schedule: make it once a chat, not once a message.
///
/// - Important: FitLink and Fond use one key both ways and authenticate nothing but the content (security W12). A message
///   that a server sends back to its author, sends twice, keeps for a year or sends in another order opens like any other.
public final class ChatKey: Sendable {
    /// 32 bytes.
    public static let byteCount = 32
    /// The most that one message holds: 1 MiB.
    public static let maximumPlaintextByteCount = 1 << 20

    private let cipher: AESGCM

    /// Of a chat in FitLink: the chat's id is the salt, `FitLinkChat` the info.
    public convenience init(
        fitLink chat: ChatID, ours: X25519PrivateKey, theirs: X25519PublicKey
    ) throws(AgreementError) {
        self.init(try ours.agree(with: theirs, salt: chat.bytes, info: "FitLinkChat".utf8))
    }

    /// Of a couple in Fond. Its sources name neither salt nor info, so both are parameters.
    public convenience init(
        fond ours: X25519PrivateKey, theirs: X25519PublicKey, salt: some Collection<UInt8> = [],
        info: some Collection<UInt8> = ChatKey.fondInfo
    ) throws(AgreementError) {
        self.init(try ours.agree(with: theirs, salt: salt, info: info))
    }

    private init(_ key: borrowing SecretBytes) { cipher = AESGCM(key: key) }

    /// `Fond` in ASCII.
    public static let fondInfo = Array("Fond".utf8)

    /// `iv ‖ ciphertext ‖ tag`, 28 bytes more than the plaintext.
    func seal(_ plaintext: Span<UInt8>, from randomness: Randomness) throws(ChatSealError) -> [UInt8] {
        guard plaintext.count <= Self.maximumPlaintextByteCount else { throw .plaintextTooLarge }
        return cipher.sealCombined(plaintext, authenticating: Span(), nonceFrom: randomness)
    }

    /// Opens `iv ‖ ciphertext ‖ tag`. A box that was cut below 28 bytes is only one that somebody changed.
    func open(combined box: Span<UInt8>) throws(ChatOpenError) -> [UInt8] {
        do {
            return try [UInt8](capacity: box.count) { (output) throws(AESGCM.AuthenticationFailure) in
                try cipher.openCombined(box, authenticating: Span(), into: &output)
            }
        } catch { throw .authenticationFailed }
    }
}

extension ChatKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "ChatKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a message was not sealed.
public enum ChatSealError: Error, Equatable, Sendable {
    /// More than ``ChatKey/maximumPlaintextByteCount`` bytes.
    case plaintextTooLarge
}

/// Why a message did not open.
public enum ChatOpenError: Error, Equatable, Sendable {
    /// Another key, another chat, or it was cut or changed. Nobody can tell which.
    case authenticationFailed
}

/// Why a text is no message.
public enum ChatFormatError: Error, Equatable, Sendable {
    /// Not the JSON it should be, not base64 in its one spelling, or an initialization vector that has not 12 bytes.
    case malformed
}

/// The name of a FitLink chat: the ids of its two users, sorted bytewise and joined with `_` (formats §6).
///
/// - Important: Ids may hold a `_` themselves, so `a_b` with `c` and `a` with `b_c` are one name. The keys differ all the
///   same, since other people have other key pairs.
public struct ChatID: Equatable, Hashable, Sendable {
    public let identifier: Identifier

    /// Of two users, in any order; together they have at most 127 characters.
    public init(_ ours: Identifier, _ theirs: Identifier) throws(Identifier.FormatError) {
        let users = [ours, theirs].sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        try self.init(parsing: "\(users[0].text)_\(users[1].text)")
    }

    /// Takes a name as an app made it.
    public init(parsing text: String) throws(Identifier.FormatError) {
        identifier = try Identifier(parsing: text)
    }

    /// ASCII.
    public var bytes: [UInt8] { identifier.bytes }
}

extension ChatID: CustomStringConvertible {
    public var description: String { identifier.text }
}
