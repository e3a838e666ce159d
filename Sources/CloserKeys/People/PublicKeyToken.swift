public import CloserTink
package import CloserWire

/// A device's public key as text: `pub:v1:` and the base64url of a binary Tink keyset with one ECIES public key.
///
/// - Important: Its owner is unproven. Compare safety numbers.
public struct PublicKeyToken: Sendable {
    /// The keyset, which holds one enabled key.
    public let keyset: Keyset
    /// The token, in ASCII.
    public let text: [UInt8]

    /// Takes the token's only accepted spelling, and within it a keyset that is read strictly (closer-keys-formats(7),
    /// TINK, Reading a keyset).
    ///
    /// - Throws: ``PublicKeyToken/FormatError``.
    public init(parsing text: some Collection<UInt8>) throws(PublicKeyToken.FormatError) {
        let payload: [UInt8]
        do { payload = try TokenFormat.publicKey.payload(of: text) } catch { throw .token(error) }
        do { keyset = try NoSecretKeyset.read(binary: payload) } catch { throw .keyset(error) }
        guard keyset.entries.count == 1 else { throw .severalKeys }
        self.text = Array(text)
    }

    /// The token of the primary of a keyset of ECIES keys, private or public.
    ///
    /// - Throws: `.keyset(.wrongKind)` for keys of another kind.
    public init(primaryOf keyset: Keyset) throws(PublicKeyToken.FormatError) {
        let payload: [UInt8]
        do {
            self.keyset = try keyset.publicPrimary()
            payload = try NoSecretKeyset.binary(self.keyset)
        } catch { throw .keyset(error) }
        do { text = try TokenFormat.publicKey.text(of: payload.span) } catch { throw .token(error) }
    }
}

extension PublicKeyToken: CustomStringConvertible, Equatable {
    /// The token's text.
    public var description: String { String(decoding: text, as: UTF8.self) }

    /// Whether both are the same key with the same id. The texts may differ: the integers of a key may be written in 32
    /// or 33 bytes.
    public static func == (ours: Self, theirs: Self) -> Bool { ours.canonical == theirs.canonical }

    /// Whether both are the same key, under any ids.
    public func isSameKey(as other: PublicKeyToken) -> Bool { point == other.point }

    /// Whether both points have the same x coordinate. Then the keys are equal, or one is the negative of the other, and the private half of
    /// one gives that of the other.
    package func hasSameX(as other: PublicKeyToken) -> Bool { point?[1...32] == other.point?[1...32] }

    /// Written with integers of 33 bytes.
    private var canonical: [UInt8]? { try? NoSecretKeyset.binary(keyset) }

    private var point: [UInt8]? {
        guard case .eciesPublic(let key)? = keyset.primary.material else { return nil }
        return key.uncompressedPoint
    }
}

extension PublicKeyToken {
    /// Why a public key token is refused.
    public enum FormatError: Error, Equatable, Sendable {
        /// The text is not a token.
        case token(TokenError)
        /// Its content is not a public keyset.
        case keyset(KeysetError)
        /// It holds more than one key.
        case severalKeys
    }
}

extension PublicKeyToken.FormatError: WordedError {
    package var appWords: ErrorWords {
        guard case .keyset(let error) = self else { return words }
        return error.appWords.of("the public key")
    }

    package var words: ErrorWords {
        switch self {
        case .token(let error): error.words(of: "public key")
        case .keyset(let error): error.words.of("the public key")
        case .severalKeys: ErrorWords(.malformed, "a public key token holds exactly one key")
        }
    }
}
