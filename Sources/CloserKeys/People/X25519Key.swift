public import CloserPrimitives
package import CloserWire

/// Who a user is in a chat: an X25519 key pair (RFC 7748), its secret half in locked memory.
///
/// To seal messages derive a ``ChatKey``; for any other use take ``agree(with:salt:info:)``.
public final class X25519PrivateKey: Sendable {
    package let key: X25519.PrivateKey

    /// A new key.
    public convenience init(from randomness: Randomness = .system) {
        self.init(X25519.PrivateKey(from: randomness))
    }

    /// Takes over 32 bytes, CryptoKit's `rawRepresentation`.
    ///
    /// - Throws: `.malformed` for another count.
    public convenience init(adopting scalar: consuming SecretBytes) throws(X25519KeyError) {
        guard scalar.count == X25519.byteCount else { throw .malformed }
        self.init(X25519.PrivateKey(adopting: scalar))
    }

    /// Reads the content of a private key file: the only accepted spelling in standard base64, in ASCII, without white space.
    ///
    /// - Throws: `.malformed`.
    public convenience init(parsing text: Span<UInt8>) throws(X25519KeyError) {
        let scalar: SecretBytes
        do { scalar = try SecretBase64.standard.decode(text) } catch { throw .malformed }
        try self.init(adopting: scalar)
    }

    package init(_ key: X25519.PrivateKey) { self.key = key }

    /// The public half, which the other side needs.
    public var publicKey: X25519PublicKey { X25519PublicKey(key.publicKey) }

    /// Standard base64 of the secret half, 44 characters of ASCII.
    ///
    /// - Important: An attacker who sees it can act as this user.
    public var text: SecretBytes {
        key.withScalar { scalar in
            SecretBytes(capacity: SecretBase64.standard.encodedCount(scalar.count)) {
                SecretBase64.standard.encode(scalar, into: &$0)
            }
        }
    }

    /// The longest `info` of an agreement: 32 KiB.
    public static let maximumInfoByteCount = HKDF.maximumInfoByteCount

    /// A key that only both sides can derive: HKDF-SHA256 of the shared secret, 32 bytes.
    ///
    /// CryptoKit's `hkdfDerivedSymmetricKey`. Both sides derive the same, so its user may be either.
    ///
    /// - Throws: `.lowOrderPublicKey` or `.infoTooLong`.
    public func agree(
        with theirs: X25519PublicKey, salt: some Collection<UInt8> = [], info: some Collection<UInt8>
    ) throws(X25519KeyError) -> SecretBytes {
        let (salt, info) = (Array(salt), Array(info))
        guard info.count <= Self.maximumInfoByteCount else { throw .infoTooLong }
        let secret: SecretBytes
        do { secret = try key.sharedSecret(with: theirs.key) } catch { throw .lowOrderPublicKey }
        return HKDF.derive(from: secret, salt: salt.span, info: info.span, count: ChatKey.byteCount)
    }
}

extension X25519PrivateKey: CustomStringConvertible, CustomReflectable {
    /// A text without the key.
    public var description: String { "X25519PrivateKey(redacted)" }
    /// A mirror without children, so that `dump` finds no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - The public half

/// What the other side of a chat publishes: 32 bytes, which travel as standard base64 (closer-keys-formats(7), CHATS).
///
/// - Important: Its owner is unproven. Compare safety numbers.
public struct X25519PublicKey: Equatable, Sendable {
    /// The primitive's key, of high order.
    package let key: X25519.PublicKey

    /// Takes the 32 bytes of RFC 7748 §5, CryptoKit's `rawRepresentation`, in their only accepted spelling: a number below 2²⁵⁵ − 19.
    ///
    /// - Throws: `.malformed` for another count or number, `.lowOrderPublicKey` for a point that only an attacker would send.
    public init(_ bytes: some Collection<UInt8>) throws(X25519KeyError) {
        guard let key = X25519.PublicKey(bytes) else { throw .malformed }
        // Such a point has no private key, and everyone knows what it agrees on: an attacker sent it.
        guard !key.isLowOrder else { throw .lowOrderPublicKey }
        // Another spelling gives the same secrets and other safety numbers: a server could make people believe in a swapped key.
        guard key.isCanonical else { throw .malformed }
        self.init(key)
    }

    /// Takes the only accepted spelling in standard base64, in ASCII, without white space.
    ///
    /// - Throws: `.malformed` or `.lowOrderPublicKey`.
    public init(parsing text: some Collection<UInt8>) throws(X25519KeyError) {
        guard let bytes = try? Base64.standard.decode(Array(text).span) else { throw .malformed }
        try self.init(bytes)
    }

    /// Takes the primitive's key, which its caller has checked or computed.
    package init(_ key: X25519.PublicKey) { self.key = key }

    /// The 32 bytes of RFC 7748 §5.
    public var bytes: [UInt8] { key.bytes }
}

extension X25519PublicKey: CustomStringConvertible {
    /// Takes the only accepted spelling in standard base64, without white space.
    ///
    /// - Throws: `.malformed` or `.lowOrderPublicKey`.
    public init(parsing text: String) throws(X25519KeyError) { try self.init(parsing: text.utf8) }

    /// Standard base64, 44 characters.
    public var description: String { Base64.standard.encode(key.bytes) }
}

/// Why bytes or a text are refused as an X25519 key, or an agreement failed.
public enum X25519KeyError: Error, Equatable, Sendable {
    /// Another length than 32 bytes, a number of 2²⁵⁵ − 19 or more, or another spelling than the accepted one in base64.
    case malformed
    /// A point of low order, such as 32 zero bytes: everyone would know the secret.
    case lowOrderPublicKey
    /// The `info` of an agreement has more than ``X25519PrivateKey/maximumInfoByteCount`` bytes.
    case infoTooLong
}

// MARK: - In words

extension X25519KeyError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .malformed:
            ErrorWords(
                .malformed,
                "an X25519 public key has 32 bytes, in standard base64, and is a number below 2^255 - 19",
                typing: "closer-keys x25519 public prints one")
        case .lowOrderPublicKey: .lowOrder
        case .infoTooLong:
            ErrorWords(.limit, "an info has at most \(X25519PrivateKey.maximumInfoByteCount) bytes")
        }
    }
}

extension ErrorWords {
    fileprivate static let lowOrder = ErrorWords(
        .malformed, "this public key is of low order: with it, everyone would know the secret",
        "such a key is made by an attacker who wants to read along")
}
