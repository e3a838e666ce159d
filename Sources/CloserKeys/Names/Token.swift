internal import CloserWire

/// Why a text is not the token it should be.
public enum TokenError: Error, Equatable, Sendable {
    /// The text does not begin with the token's name.
    case notAToken
    /// The name is ours, the version is not. Update, then try again.
    case unsupportedVersion
    /// The rest is not base64 in its one spelling, or shorter than this token can be.
    case malformed
}

/// How one kind of token is written: `name:v1:` and one base64 payload (formats §1).
///
/// This recognises, splits and joins. It holds no key and decrypts nothing. There is exactly one spelling of
/// each token; any other is an error.
package struct TokenFormat: Sendable {
    let prefix: String
    let encoding: Base64
    /// How many characters the payload has at least: the rules of the server's database demand it.
    let minimumPayloadCount: Int

    package static let field = TokenFormat(prefix: "enc:v1:", encoding: .standard, minimumPayloadCount: 1)
    package static let sealed = TokenFormat(prefix: "sealed:v1:", encoding: .url, minimumPayloadCount: 80)
    package static let keybox = TokenFormat(prefix: "keybox:v1:", encoding: .url, minimumPayloadCount: 120)
    static let publicKey = TokenFormat(prefix: "pub:v1:", encoding: .url, minimumPayloadCount: 1)
    static let commitment = TokenFormat(prefix: "sha256:", encoding: .url, minimumPayloadCount: 43)

    /// The bytes in a token's text.
    package func payload(of text: some Collection<UInt8>) throws(TokenError) -> [UInt8] {
        let (text, prefix) = (Array(text), Array(prefix.utf8))
        guard text.starts(with: prefix) else { throw otherVersion(text) ? .unsupportedVersion : .notAToken }
        let payload = text.span.extracting(droppingFirst: prefix.count)
        guard payload.count >= minimumPayloadCount else { throw .malformed }
        do { return try encoding.decode(payload) } catch { throw .malformed }
    }

    /// The token's text in ASCII, or `.malformed` if the payload is shorter than the rules demand.
    package func text(of payload: Span<UInt8>) throws(TokenError) -> [UInt8] {
        let text = [UInt8](capacity: prefix.utf8.count + (payload.count + 2) / 3 * 4) { output in
            for byte in prefix.utf8 { output.append(byte) }
            encoding.encode(payload, into: &output)
        }
        guard text.count >= prefix.utf8.count + minimumPayloadCount else { throw .malformed }
        return text
    }

    /// Whether `text` has our name and `v` with another number.
    private func otherVersion(_ text: [UInt8]) -> Bool {
        guard prefix.hasSuffix(":v1:") else { return false }
        let name = Array(prefix.utf8.dropLast(2))
        guard text.starts(with: name) else { return false }
        let rest = text.dropFirst(name.count)
        let version = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return !version.isEmpty && rest.dropFirst(version.count).first == UInt8(ascii: ":")
    }
}
