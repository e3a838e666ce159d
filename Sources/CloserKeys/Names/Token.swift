package import CloserWire

/// A sealed answer as text: `sealed:v1:` and the base64url of an AES-256-GCM ciphertext.
public typealias SealedToken = Token<TokenFormat.Sealed>
/// A keybox as text: `keybox:v1:` and the base64url of a Tink ECIES ciphertext.
public typealias KeyboxToken = Token<TokenFormat.Keybox>

/// Bytes that travel as text: a name, a version, and one base64 payload (closer-keys-formats(7), NOTATION, Tokens).
///
/// There are two, ``SealedToken`` and ``KeyboxToken``, besides ``FieldToken``, which has two forms. Each has exactly one spelling,
/// so equal bytes have equal text. A token is text: keys open it.
///
/// - Important: Do not compare tokens: the same plaintext sealed twice gives two.
public struct Token<Kind: TokenKind>: Equatable, Sendable {
    private let payload: [UInt8]
    /// The token, in ASCII.
    public let text: [UInt8]

    /// Takes the token's only accepted spelling, in ASCII, without white space.
    ///
    /// - Throws: ``TokenError``.
    public init(parsing text: some Collection<UInt8>) throws(TokenError) {
        payload = try Kind.format.payload(of: text)
        self.text = Array(text)
    }

    /// Writes bytes as a token.
    ///
    /// - Throws: `.malformed` if they are fewer than a token of this kind can have.
    public init(_ payload: [UInt8]) throws(TokenError) {
        text = try Kind.format.text(of: payload.span)
        self.payload = payload
    }
}

extension Token: CustomStringConvertible {
    /// Takes the token's only accepted spelling, without white space.
    ///
    /// - Throws: ``TokenError``.
    public init(parsing text: String) throws(TokenError) { try self.init(parsing: text.utf8) }

    /// The token's text.
    public var description: String { String(decoding: text, as: UTF8.self) }
}

extension Token<TokenFormat.Sealed> {
    /// The Tink AEAD ciphertext: 33 bytes more than the plaintext, and at least 60.
    public var ciphertext: [UInt8] { payload }
}

extension Token<TokenFormat.Keybox> {
    /// The Tink ECIES ciphertext, at least 90 bytes.
    public var box: [UInt8] { payload }
}

/// Why a text is refused as the token that it should be.
public enum TokenError: Error, Equatable, Sendable {
    /// The text does not begin with the token's name.
    case notAToken
    /// The token has a newer version than this program. Update, then try again.
    case unsupportedVersion
    /// A ``FieldToken`` that is bound to its place, where no place was named: open it with its place.
    case placed
    /// A ``FieldToken`` that lacks a place, where a place was named: the server may have moved it there (docs/threat-model.md#w11).
    case unbound
    /// It is not in its only accepted spelling, or is shorter than this token can be.
    case malformed(Misspelling)
}

// MARK: - Formats

/// What makes a ``Token`` a sealed answer or a keybox: its format. The two in ``TokenFormat`` conform.
public protocol TokenKind: Sendable {
    /// How tokens of this kind are written.
    static var format: TokenFormat { get }
}

/// How one kind of token is written.
///
/// This recognises, splits and joins, for ``Token``, ``FieldToken``, ``PublicKeyToken`` and `Commitment`.
public struct TokenFormat: Sendable {
    /// In ASCII.
    package let prefix: [UInt8]
    let encoding: Base64
    /// How many characters the payload has at least: the rules of the server's database demand it.
    let minimumPayloadCount: Int

    init(prefix: String, encoding: Base64, minimumPayloadCount: Int) {
        (self.prefix, self.encoding) = (Array(prefix.utf8), encoding)
        self.minimumPayloadCount = minimumPayloadCount
    }

    /// The kind of ``SealedToken``.
    public enum Sealed: TokenKind {
        /// `sealed:v1:`.
        public static var format: TokenFormat { .sealed }
    }
    /// The kind of ``KeyboxToken``.
    public enum Keybox: TokenKind {
        /// `keybox:v1:`.
        public static var format: TokenFormat { .keybox }
    }

    /// `enc:v1:`. The server's rules accept every length.
    package static let field = TokenFormat(prefix: "enc:v1:", encoding: .standard, minimumPayloadCount: 1)
    /// `enc:v2:`, a field that is bound to its place.
    package static let placedField = TokenFormat(
        prefix: "enc:v2:", encoding: .standard, minimumPayloadCount: 1)
    /// `sealed:v1:` and at least 80 characters.
    package static let sealed = TokenFormat(prefix: "sealed:v1:", encoding: .url, minimumPayloadCount: 80)
    /// `keybox:v1:` and at least 120 characters.
    package static let keybox = TokenFormat(prefix: "keybox:v1:", encoding: .url, minimumPayloadCount: 120)
    /// `link:v1:` and 160 characters: a vault's key on its way to another device of its user.
    package static let link = TokenFormat(prefix: "link:v1:", encoding: .url, minimumPayloadCount: 160)
    /// `chat:v2:` and at least 176 characters; see ``ChatToken``.
    package static let chatMessage = TokenFormat(prefix: "chat:v2:", encoding: .url, minimumPayloadCount: 176)
    /// `pub:v1:`; see ``PublicKeyToken``.
    static let publicKey = TokenFormat(prefix: "pub:v1:", encoding: .url, minimumPayloadCount: 1)
    /// `sha256:` and 43 characters. It has no version.
    static let commitment = TokenFormat(prefix: "sha256:", encoding: .url, minimumPayloadCount: 43)

    package func payload(of text: some Collection<UInt8>) throws(TokenError) -> [UInt8] {
        let text = Array(text)
        return try [UInt8](capacity: encoding.decodedCount(text.count)) { (output) throws(TokenError) in
            try appendPayload(of: text.span, to: &output)
        }
    }

    /// Appends the bytes in a token's text, which are fewer than its characters. If it throws, some may be appended.
    func appendPayload(of text: Span<UInt8>, to output: inout OutputSpan<UInt8>) throws(TokenError) {
        guard begins(text) else { throw refusal(of: Array(copying: text)) }
        let payload = text.extracting(droppingFirst: prefix.count)
        guard payload.count >= minimumPayloadCount else { throw .malformed(.tooShort) }
        do { try encoding.decode(payload, into: &output) } catch {
            throw .malformed(Misspelling(error, in: payload, of: encoding, behind: prefix))
        }
    }

    /// The token's text in ASCII, or `.malformed` if the payload is shorter than the rules demand.
    package func text(of payload: Span<UInt8>) throws(TokenError) -> [UInt8] {
        let text = [UInt8](capacity: textCount(payload.count)) { appendText(of: payload, to: &$0) }
        guard text.count >= prefix.count + minimumPayloadCount else { throw .malformed(.tooShort) }
        return text
    }

    /// How many characters the token of so many bytes has at most.
    package func textCount(_ payloadCount: Int) -> Int {
        prefix.count + encoding.encodedCount(payloadCount)
    }

    func appendText(of payload: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        output.append(prefix)
        encoding.encode(payload, into: &output)
    }

    /// Whether `text` has the name and the version.
    package func begins(_ text: Span<UInt8>) -> Bool {
        text.extracting(first: prefix.count).isSame(as: prefix.span)
    }

    /// Why a text that begins otherwise is none of these, nor of `others` of the same name.
    func refusal(of text: [UInt8], orOf others: [TokenFormat] = []) -> TokenError {
        if isOfAnotherVersion(text) { return .unsupportedVersion }
        if let fault = Misspelling(wrapping: text.span) { return .malformed(fault) }
        guard text.starts(with: prefix.prefix { $0 != UInt8(ascii: ":") } + [UInt8(ascii: ":")]) else {
            return .notAToken
        }
        return .malformed(
            .beginning(otherThan: ([self] + others).map { String(decoding: $0.prefix, as: UTF8.self) }))
    }

    /// Whether `text` has our name and `v` with another number.
    private func isOfAnotherVersion(_ text: [UInt8]) -> Bool {
        let name = prefix.dropLast(2)
        guard name.suffix(2).elementsEqual(":v".utf8), text.starts(with: name) else { return false }
        let rest = text.dropFirst(name.count)
        let version = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return !version.isEmpty && rest.dropFirst(version.count).first == UInt8(ascii: ":")
    }
}

extension TokenError: WordedError {
    package var words: ErrorWords { words(of: "token") }

    /// The words for a token that has a name.
    package func words(of noun: String) -> ErrorWords {
        switch self {
        case .notAToken:
            ErrorWords(.malformed, "this is not a \(noun)", typing: "closer-keys inspect says what it is")
        case .unsupportedVersion:
            ErrorWords(.malformed, "this \(noun) has a version that this program does not know")
        case .placed:
            ErrorWords(
                .malformed, "this \(noun) is bound to its place", "open it with its place",
                typing: "--place, or the member place of a line of --jsonl")
        case .unbound:
            ErrorWords(
                .unbound, "this \(noun) lacks a place: the server may have moved it here",
                "if you know that it belongs here, open it all the same, and seal it for the place",
                typing: "field open --allow-unbound, field seal --migrate --trust-old --jsonl")
        case .malformed(let fault): fault.words(of: noun)
        }
    }
}
