public import CloserPrimitives
package import CloserWire

/// Twelve symbols that one person tells another to pair with them (closer-keys-pairing(7), THE CODE).
///
/// The first six, the ``Lookup``, find the offer on the server. The last six stay on the two devices: they are the password
/// that both have to know. Six symbols are enough, since each try is seen: a wrong guess ends the offer.
///
/// - Important: Tell it by voice or on paper. Everyone who knows it can pair, the server included.
public struct PairingCode: ~Copyable, Sendable {
    /// Twelve symbols.
    public static let symbolCount = 2 * Lookup.symbolCount

    /// The first half, which is public.
    public let lookup: Lookup
    /// The second half, six symbols in ASCII: CPace's password.
    package let secret: SecretBytes

    /// A new code. `isKnown` says which lookups the device has met before: those are drawn again.
    public static func random(
        from randomness: Randomness = .system, besides isKnown: (Lookup) -> Bool = { _ in false }
    ) -> PairingCode {
        while true {
            let symbols = CodeSymbol.random(count: symbolCount, from: randomness)
            let code = PairingCode(symbols: symbols)
            if !isKnown(code.lookup) { return code }
        }
    }

    /// Takes over what a person typed, in UTF-8: spaces, line ends and hyphens and case are ignored, and letters that look
    /// like another symbol count as that.
    ///
    /// - Throws: ``FormatError``, which costs no attempt.
    public init(typed text: consuming SecretBytes) throws(FormatError) {
        let reading = text.withBytes { CodeSymbol.Reading($0) }
        guard reading.isFaultless else { throw .malformed }
        guard reading.symbols.count == Self.symbolCount else {
            throw reading.symbols.count == InviteCode.count ? .inviteCode : .malformed
        }
        self.init(symbols: reading.symbols.bytes())
    }

    /// Puts together what was stored in two parts; six symbols, or a mistake of the caller.
    package init(lookup: Lookup, secret: consuming SecretBytes) {
        precondition(secret.count == Lookup.symbolCount, "the second half of a code has six symbols")
        self.lookup = lookup
        self.secret = secret
    }

    package borrowing func copyOfSecret() -> SecretBytes { secret.withBytes { SecretBytes(copying: $0) } }

    private init(symbols: borrowing SecretBytes) {
        lookup = symbols.withBytes { Lookup(checked: $0.extracting(first: Lookup.symbolCount)) }
        secret = symbols.withBytes {
            SecretBytes(copying: $0.extracting(droppingFirst: Lookup.symbolCount))
        }
    }

    /// The code as it is shown: six symbols, a hyphen, six symbols.
    public var text: SecretBytes {
        SecretBytes(capacity: Self.symbolCount + 1) { output in
            for byte in lookup.text.utf8 { output.append(byte) }
            output.append(UInt8(ascii: "-"))
            secret.withBytes { output.append($0) }
        }
    }

    /// The first half of a code: the name of an offer on the server.
    public struct Lookup: Equatable, Hashable, Sendable {
        /// Six symbols.
        public static let symbolCount = 6

        /// The six symbols as a document contains them.
        public let text: String

        /// Takes exactly six symbols, as a document contains them, unfolded.
        ///
        /// - Throws: ``PairingCode/FormatError``.
        public init(parsing text: String) throws(FormatError) {
            guard text.utf8.count == Self.symbolCount, text.utf8.allSatisfy(CodeSymbol.all.contains) else {
                throw .malformed
            }
            self.text = text
        }

        fileprivate init(checked symbols: Span<UInt8>) {
            text = String(decoding: [UInt8](copying: symbols), as: UTF8.self)
        }
    }

    /// Why a text is refused as a code.
    public enum FormatError: Error, Equatable, Sendable {
        /// It has another length than twelve symbols, or a foreign character.
        case malformed
        /// It has six symbols: it is half of a pairing code, or the code of an invite of version 1, for ``InviteCode``.
        case inviteCode
    }
}

extension PairingCode.Lookup: CustomStringConvertible {
    /// The six symbols.
    public var description: String { text }
}

extension PairingCode.FormatError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .malformed: ErrorWords(.malformed, "a pairing code has twelve letters and digits")
        case .inviteCode:
            ErrorWords(
                .malformed, "this is half of a pairing code, which has twelve letters and digits",
                "give both halves, first the one that the offer has")
        }
    }
}
