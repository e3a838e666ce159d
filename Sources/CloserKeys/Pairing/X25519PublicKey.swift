package import CloserPrimitives
internal import CloserWire

/// What the other side of a chat publishes: 32 bytes, which travel as standard base64 (formats §6).
///
/// - Important: It says nothing about whose key it is. Compare safety numbers.
public struct X25519PublicKey: Equatable, Sendable {
    package let key: X25519.PublicKey

    /// Takes the 32 bytes of RFC 7748 §5, CryptoKit's `rawRepresentation`.
    public init(_ bytes: some Collection<UInt8>) throws(X25519KeyError) {
        guard let key = X25519.PublicKey(bytes) else { throw .malformed }
        // Nobody has the private key, and everyone knows what such a key agrees on: it came from an attacker.
        guard !key.isLowOrder else { throw .lowOrderPublicKey }
        self.init(key)
    }

    /// Takes the one spelling in standard base64, in ASCII, without white space.
    public init(parsing text: some Collection<UInt8>) throws(X25519KeyError) {
        guard let bytes = try? Base64.standard.decode(Array(text).span) else { throw .malformed }
        try self.init(bytes)
    }

    package init(_ key: X25519.PublicKey) { self.key = key }

    /// 32 bytes.
    public var bytes: [UInt8] { key.bytes }
}

extension X25519PublicKey: CustomStringConvertible {
    /// Takes the one spelling in standard base64, without white space.
    public init(parsing text: String) throws(X25519KeyError) { try self.init(parsing: text.utf8) }

    /// Standard base64, 44 characters.
    public var description: String { Base64.standard.encode(key.bytes) }
}

/// Why bytes are no key.
public enum X25519KeyError: Error, Equatable, Sendable {
    /// Not 32 bytes, or not base64 in its one spelling.
    case malformed
    /// A point of low order, such as 32 zero bytes: everyone would know the secret.
    case lowOrderPublicKey
}
