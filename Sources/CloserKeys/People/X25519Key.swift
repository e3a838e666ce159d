public import CloserPrimitives

/// Who a user is in a chat: an X25519 key pair (RFC 7748), its secret half in locked memory.
///
/// To seal messages derive a ``ChatKey``; for any other use take ``agree(with:salt:info:)``.
public final class X25519PrivateKey: Sendable {
    private let key: X25519.PrivateKey

    /// A new key.
    public convenience init(from randomness: Randomness = .system) {
        self.init(X25519.PrivateKey(from: randomness))
    }

    /// Takes over 32 bytes, CryptoKit's `rawRepresentation`.
    public convenience init(adopting scalar: consuming SecretBytes) throws(X25519KeyError) {
        guard scalar.count == X25519.byteCount else { throw .malformed }
        self.init(X25519.PrivateKey(adopting: scalar))
    }

    /// Takes the one spelling in standard base64, in ASCII, without white space: what stands in a private key file.
    public convenience init(parsing text: Span<UInt8>) throws(X25519KeyError) {
        let scalar: SecretBytes
        do { scalar = try SecretBase64.standard.decode(text) } catch { throw .malformed }
        try self.init(adopting: scalar)
    }

    package init(_ key: X25519.PrivateKey) { self.key = key }

    /// What the other side needs.
    public var publicKey: X25519PublicKey { X25519PublicKey(key.publicKey) }

    /// Standard base64 of the secret half, 44 characters of ASCII.
    ///
    /// - Important: Whoever sees it is this user.
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
    /// CryptoKit's `hkdfDerivedSymmetricKey`. The same on both sides, so it does not say who used it.
    public func agree(
        with theirs: X25519PublicKey, salt: some Collection<UInt8> = [], info: some Collection<UInt8>
    ) throws(AgreementError) -> SecretBytes {
        let (salt, info) = (Array(salt), Array(info))
        guard info.count <= Self.maximumInfoByteCount else { throw .infoTooLong }
        let secret: SecretBytes
        do { secret = try key.sharedSecret(with: theirs.key) } catch { throw .lowOrderPublicKey }
        return HKDF.derive(from: secret, salt: salt.span, info: info.span, count: ChatKey.byteCount)
    }
}

extension X25519PrivateKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "X25519PrivateKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why two keys did not agree.
public enum AgreementError: Error, Equatable, Sendable {
    /// The shared secret would be all zero: a key that everyone knows.
    case lowOrderPublicKey
    /// The `info` has more than ``X25519PrivateKey/maximumInfoByteCount`` bytes.
    case infoTooLong
}
