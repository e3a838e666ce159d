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

    /// `iv12 ‖ ct ‖ tag16`.
    func seal(_ plaintext: Span<UInt8>, from randomness: Randomness) throws(ChatSealError) -> [UInt8] {
        guard plaintext.count <= Self.maximumPlaintextByteCount else { throw .plaintextTooLarge }
        let nothing: [UInt8] = []
        return [UInt8](capacity: plaintext.count + AESGCM.nonceByteCount + AESGCM.tagByteCount) {
            cipher.seal(plaintext, nonceFrom: randomness, authenticating: nothing.span, into: &$0)
        }
    }

    /// `box` is `ct ‖ tag16`.
    func open(_ box: Span<UInt8>, iv: Span<UInt8>) throws(ChatOpenError) -> [UInt8] {
        let nothing: [UInt8] = []
        do {
            return try [UInt8](capacity: box.count) { (output) throws(AESGCM.AuthenticationFailure) in
                try cipher.open(box, nonce: iv, authenticating: nothing.span, into: &output)
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
