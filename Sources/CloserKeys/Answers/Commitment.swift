internal import CloserPrimitives
internal import CloserWire

/// A promise of an answer before it is shown: `sha256:` and the base64url of a SHA-256 digest.
///
/// It hides the answer only if the payload is hard to guess, which the blinding of a hardened ``AnswerPayload`` sees to
/// (docs/threat-model.md#w2).
package struct Commitment: Equatable, Sendable {
    /// 32 bytes.
    package let digest: [UInt8]

    /// The commitment to `payload`, all bytes as they are.
    package init(to payload: [UInt8]) { digest = SHA256.hash(payload.span) }

    /// Takes the token's only accepted spelling, in ASCII, without white space.
    ///
    /// - Throws: ``TokenError``.
    package init(parsing text: some Collection<UInt8>) throws(TokenError) {
        digest = try TokenFormat.commitment.payload(of: text)
        guard digest.count == SHA256.byteCount else { throw .malformed(.tooShort) }
    }

    /// The token, in ASCII.
    package var text: [UInt8] {
        guard let text = try? TokenFormat.commitment.text(of: digest.span) else {
            preconditionFailure("a digest has 32 bytes")
        }
        return text
    }

    /// Whether both promise the same, compared in constant time.
    ///
    /// Until an answer is revealed its commitment stands for a secret, and an attacker who tries guesses must not learn from
    /// the time how close one came.
    package func isEqual(to other: Commitment) -> Bool {
        ConstantTime.isEqual(digest.span, other.digest.span)
    }

    /// The bytes that were committed to: `received`, or its canonical form, because Android's JSON escapes `/` and keeps
    /// its own order. Nil if it is neither.
    package func committedBytes(in received: [UInt8]) -> [UInt8]? { committed(in: received)?.payload }

    /// The payload that was committed to, with its JSON value where it had to be parsed to find out.
    func committed(in received: [UInt8]) -> (payload: [UInt8], parsed: JSONValue?)? {
        if isEqual(to: Commitment(to: received)) { return (received, nil) }
        guard let value = try? JSONValue(parsing: received) else { return nil }
        let canonical = value.canonicalBytes
        return isEqual(to: Commitment(to: canonical)) ? (canonical, value) : nil
    }
}

extension Commitment: CustomStringConvertible {
    /// The token's text.
    package var description: String { String(decoding: text, as: UTF8.self) }
}
