/// A sealed answer as text: `sealed:v1:` and the base64url of an AES-256-GCM ciphertext.
///
/// Equal bytes have equal text. A token is never an identity: the same plaintext sealed twice gives two.
public struct SealedToken: Equatable, Sendable {
    /// At least 60 bytes.
    public let ciphertext: [UInt8]
    /// The token, in ASCII.
    public let text: [UInt8]

    /// Takes the token's one spelling, in ASCII, without white space.
    public init(parsing text: some Collection<UInt8>) throws(TokenError) {
        ciphertext = try TokenFormat.sealed.payload(of: text)
        self.text = Array(text)
    }

    /// Writes the bytes as a token; `.malformed` if they are fewer than one can have.
    public init(_ ciphertext: [UInt8]) throws(TokenError) {
        text = try TokenFormat.sealed.text(of: ciphertext.span)
        self.ciphertext = ciphertext
    }
}

extension SealedToken: CustomStringConvertible {
    /// Takes the token's one spelling, without white space.
    public init(parsing text: String) throws(TokenError) { try self.init(parsing: text.utf8) }

    /// The token's text.
    public var description: String { String(decoding: text, as: UTF8.self) }
}
