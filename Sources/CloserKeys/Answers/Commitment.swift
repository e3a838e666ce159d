internal import CloserPrimitives
internal import CloserWire

/// A promise of an answer before it is shown: `sha256:` and the base64url of a SHA-256 digest.
public struct Commitment: Equatable, Sendable {
    /// 32 bytes.
    public let digest: [UInt8]

    /// The commitment to `payload`.
    public init(to payload: [UInt8]) { digest = SHA256.hash(payload.span) }

    /// The token, in ASCII.
    public var text: [UInt8] {
        guard let text = try? TokenFormat.commitment.text(of: digest.span) else {
            preconditionFailure("a digest has 32 bytes")
        }
        return text
    }

    /// Compared in constant time: until it is revealed, a commitment may stand for something guessed.
    public func isEqual(to other: Commitment) -> Bool { ConstantTime.isEqual(digest.span, other.digest.span) }

    /// The bytes that were committed to: `received`, or its canonical form (Android escapes `/` and keeps its order);
    /// nil if it is neither.
    public func committedBytes(in received: [UInt8]) -> [UInt8]? {
        if isEqual(to: Commitment(to: received)) { return received }
        guard let canonical = (try? JSONValue(parsing: received))?.canonicalBytes,
            isEqual(to: Commitment(to: canonical))
        else { return nil }
        return canonical
    }

    /// Takes the token's one spelling, in ASCII, without white space.
    public init(parsing text: some Collection<UInt8>) throws(TokenError) {
        digest = try TokenFormat.commitment.payload(of: text)
        guard digest.count == 32 else { throw .malformed }
    }
}

extension Commitment: CustomStringConvertible {
    /// The token's text.
    public var description: String { String(decoding: text, as: UTF8.self) }
}
