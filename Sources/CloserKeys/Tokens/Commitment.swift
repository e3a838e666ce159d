/// A promise of an answer before it is shown: `sha256:` and the base64url of a SHA-256 digest.
public struct Commitment: Equatable, Sendable {
    /// 32 bytes.
    public let digest: [UInt8]

    /// Takes the token's one spelling, in ASCII, without white space.
    public init(parsing text: some Collection<UInt8>) throws(TokenError) {
        digest = try TokenFormat.commitment.payload(of: text)
        guard digest.count == 32 else { throw .malformed }
    }
}
