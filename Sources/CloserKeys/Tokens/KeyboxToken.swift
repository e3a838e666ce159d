/// A keybox as text: `keybox:v1:` and the base64url of a Tink ECIES ciphertext.
///
/// Equal bytes have equal text. A token is never an identity: the same plaintext sealed twice gives two.
public struct KeyboxToken: Equatable, Sendable {
    /// At least 90 bytes.
    public let box: [UInt8]
    /// The token, in ASCII.
    public let text: [UInt8]

    /// Takes the token's one spelling, in ASCII, without white space.
    public init(parsing text: some Collection<UInt8>) throws(TokenError) {
        box = try TokenFormat.keybox.payload(of: text)
        self.text = Array(text)
    }

    /// Writes the bytes as a token; `.malformed` if they are fewer than one can have.
    public init(_ box: [UInt8]) throws(TokenError) {
        text = try TokenFormat.keybox.text(of: box.span)
        self.box = box
    }
}

extension KeyboxToken: CustomStringConvertible {
    /// Takes the token's one spelling, without white space.
    public init(parsing text: String) throws(TokenError) { try self.init(parsing: text.utf8) }

    /// The token's text.
    public var description: String { String(decoding: text, as: UTF8.self) }
}
