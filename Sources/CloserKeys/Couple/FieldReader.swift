public import CloserTink
package import CloserWire

/// Reads a couple's texts while they come to be sealed, and afterwards: what the server stores is a token or plaintext.
///
/// A text that begins with `enc:` is a token and nothing else. Any other one is plaintext, which is read only as long as this device
/// has not seen the couple at version 2 (docs/threat-model.md#w9).
///
/// - Important: Below version 2 a server can make plaintext up.
public struct FieldReader: Sendable {
    /// What a text was.
    public enum Text: Sendable {
        /// A token that opened.
        case sealed(Opened)
        /// Plaintext: the server may have written it.
        case plaintext([UInt8])
    }

    /// What opens the tokens.
    public let key: FieldKey
    /// How far the couple has come.
    public let migration: Migration

    /// Reads the texts of a couple that has come so far.
    public init(_ key: FieldKey, in migration: Migration) { (self.key, self.migration) = (key, migration) }

    /// Reads a text of the couple, UTF-8. At a place, a token must be bound to it: `enc:v2:`.
    ///
    /// - Throws: ``FieldReadError``.
    public func read(
        _ text: some Collection<UInt8>, place: FieldPlace? = nil
    ) throws(FieldReadError) -> Text {
        let text = Array(text)
        guard try !isPlaintext(text.span) else { return .plaintext(text) }
        let binding = place.map(FieldBinding.place) ?? .couple
        let ciphertext: [UInt8]
        do { ciphertext = try binding.format.payload(of: text) } catch { throw .token(error) }
        do { return .sealed(try key.open(ciphertext, bound: binding)) } catch { throw .key(error) }
    }

    /// Whether a text is plaintext that may be read; false for what begins as a token does.
    ///
    /// - Throws: `.plaintext`, or `.key(.serverKnown)` where a private key is required.
    package func isPlaintext(_ text: Span<UInt8>) throws(FieldReadError) -> Bool {
        guard !FieldToken.mayBegin(text) else { return false }
        guard migration.readsPlaintext else { throw .plaintext }
        guard key.requirement == .none else { throw .key(.serverKnown) }
        return true
    }

    /// A copy with key schedules of its own, for one more thread.
    package func forThread() -> FieldReader { FieldReader(key.forThread(), in: migration) }
}

extension FieldToken {
    /// Whether a text begins with `enc:`, as the tokens of every version do.
    package static func mayBegin(_ text: Span<UInt8>) -> Bool {
        text.extracting(first: 4).isSame(as: Array("enc:".utf8).span)
    }
}

/// Why a text of a couple was not read.
public enum FieldReadError: Error, Equatable, Sendable {
    /// It begins as a token does, and is none that this version reads.
    case token(TokenError)
    /// The token stays closed, or its key was refused.
    case key(FieldKeyError)
    /// It is plaintext, and the couple is at version 2: the server may have written it.
    case plaintext
}

extension FieldReadError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension FieldReadError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .token(let error): error.words(of: "field")
        case .key(let error): error.words
        case .plaintext:
            ErrorWords(
                .downgrade, "this is plaintext, and the couple is at encryption version 2",
                "the server may have written it: refuse it")
        }
    }
}
