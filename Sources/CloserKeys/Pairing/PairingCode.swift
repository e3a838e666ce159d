public import CloserPrimitives
package import CloserWire

/// Twelve symbols that one person tells another to pair with them (closer-keys-pairing(7), THE CODE).
///
/// The first six, the ``Lookup``, find the invite on the server. The last six never leave the two devices: they are the password
/// that both have to know. Six symbols are enough, since nobody can try them without being seen: a wrong guess ends the invite.
///
/// - Important: Tell it by voice or on paper, never through the app. Whoever knows it is let in.
public struct PairingCode: ~Copyable, Sendable {
    /// Twelve symbols.
    public static let symbolCount = 2 * Lookup.symbolCount

    /// The first half, which is no secret.
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

    /// Takes over what a person typed, in UTF-8: spaces, line ends and hyphens do not matter, nor does case, and letters that look
    /// like another symbol count as that.
    ///
    /// - Throws: ``FormatError``. Nothing is used up by it.
    public init(entered text: consuming SecretBytes) throws(FormatError) {
        let symbols = try text.withBytes { (text) throws(FormatError) in try CodeSymbol.reading(text) }
        guard symbols.count == Self.symbolCount else {
            throw symbols.count == InviteCode.count ? .inviteCode : .malformed
        }
        self.init(symbols: symbols)
    }

    /// Puts together what was stored in two parts; six symbols, or a mistake of the caller.
    package init(lookup: Lookup, secret: consuming SecretBytes) {
        precondition(secret.count == Lookup.symbolCount, "the second half of a code has six symbols")
        self.lookup = lookup
        self.secret = secret
    }

    /// The six symbols of the second half.
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

    /// The first half of a code: the name of an invite on the server.
    public struct Lookup: Equatable, Hashable, Sendable {
        /// Six symbols.
        public static let symbolCount = 6

        /// The six symbols as they stand in a document.
        public let text: String

        /// Takes exactly six symbols, as a document gives them: nothing is folded.
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

    /// Why a text is no code.
    public enum FormatError: Error, Equatable, Sendable {
        /// It has not twelve symbols, or a character that is none.
        case malformed
        /// It has six symbols: it is the code of an invite of version 1, for ``InviteCode``.
        case inviteCode
    }
}

/// The 32 symbols of codes, and how people type them.
enum CodeSymbol {
    /// Digits and letters without I, L, O and U. Each stands for five bits, so the low bits of a random byte choose evenly.
    static let all = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// New symbols.
    static func random(count: Int, from randomness: Randomness) -> SecretBytes {
        let draws = SecretBytes.random(shortLived: count, from: randomness)
        return SecretBytes(capacity: count) { output in
            draws.withBytes { draws in
                for index in draws.indices { output.append(all[Int(draws[index] & 31)]) }
            }
        }
    }

    /// The symbols in a text, as far as one more than a code has.
    static func reading(_ text: Span<UInt8>) throws(PairingCode.FormatError) -> SecretBytes {
        let most = PairingCode.symbolCount + 1
        return try SecretBytes(shortLived: most) { (output) throws(PairingCode.FormatError) in
            var index = 0
            while index < text.count, output.count < most {
                let separator = separatorByteCount(text, at: index)
                if separator == 0 { output.append(try symbol(text[index])) }
                index += max(1, separator)
            }
        }
    }

    /// The symbol that a character stands for: lower case as upper case, and four letters as what they look like.
    private static func symbol(_ byte: UInt8) throws(PairingCode.FormatError) -> UInt8 {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
        switch upper {
        case UInt8(ascii: "O"): return UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
        case UInt8(ascii: "U"): return UInt8(ascii: "V")
        case _ where all.contains(upper): return upper
        default: throw .malformed
        }
    }

    /// How many bytes the separator at `index` has in UTF-8; 0 if there is none: space, tab, CR, LF and the hyphen have one, U+00A0
    /// has two, and U+2010 to U+2015 and U+2212 have three.
    private static func separatorByteCount(_ text: Span<UInt8>, at index: Int) -> Int {
        func byte(_ offset: Int) -> UInt8 { index + offset < text.count ? text[index + offset] : 0 }
        return switch (byte(0), byte(1), byte(2)) {
        case (UInt8(ascii: " "), _, _), (0x09, _, _), (0x0A, _, _), (0x0D, _, _), (UInt8(ascii: "-"), _, _): 1
        case (0xC2, 0xA0, _): 2
        case (0xE2, 0x80, 0x90...0x95), (0xE2, 0x88, 0x92): 3
        default: 0
        }
    }
}

extension PairingCode.Lookup: CustomStringConvertible {
    /// The six symbols.
    public var description: String { text }
}

extension PairingCode.FormatError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension PairingCode.FormatError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .malformed: ErrorWords("a pairing code has twelve letters and digits")
        case .inviteCode:
            ErrorWords(
                "six letters and digits are the code of an invite of version 1",
                "join with that invite, or ask for a pairing code, which has twelve")
        }
    }
}
