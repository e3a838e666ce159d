public import CloserPrimitives
package import CloserWire

/// What brings a couple key back when every device is lost: ten words, 80 bits (closer-keys-formats(7), THE COUPLE KEY,
/// Recovery phrase).
///
/// The key is derived from the *text*, so a phrase of another client with other words works as well.
@frozen public struct RecoveryPhrase: ~Copyable, Sendable {
    /// Ten words.
    public static let wordCount = 10
    /// Longer texts are refused before anything is derived: 1 KiB.
    public static let maximumByteCount = 1024

    /// The text is empty or longer than ``maximumByteCount``.
    public struct FormatError: Error, Equatable, Sendable {}

    /// The text as it was entered.
    let verbatim: SecretBytes
    /// The text in the normal form, from which keys are derived: lower case, single spaces.
    public private(set) var text: SecretBytes

    /// A new phrase.
    public static func random(from randomness: Randomness = .system) -> RecoveryPhrase {
        RecoveryPhrase(normalized: words(wordCount, from: randomness))
    }

    /// So many words of ours with single spaces between them, 8 bits each: a passphrase.
    package static func words(_ count: Int, from randomness: Randomness = .system) -> SecretBytes {
        let indices = SecretBytes.random(shortLived: count, from: randomness)
        return indices.withBytes(RecoveryWords.joined).bytes()
    }

    /// Takes over a text in UTF-8 as a person typed it: case, line breaks and hyphens do not matter.
    ///
    /// Around ten words of our list, what people write on paper does not matter either: commas, full stops, quotation marks, dashes,
    /// wide spaces, a byte order mark, and the numbers of the words, which give their order. In any other text those bytes stay.
    ///
    /// - Throws: ``FormatError`` for no text, white space alone, or more than 1 KiB.
    public init(typed text: consuming SecretBytes) throws(FormatError) {
        try self.init(exactly: text)
        let words = verbatim.withBytes { PaperWords($0).phrase() }
        if let words { self.text = words }
    }

    /// Takes over a text that no person typed, or of which a format says how it is read: in the normal form, and nothing taken off.
    ///
    /// - Throws: ``FormatError``, as ``init(typed:)``.
    package init(exactly text: consuming SecretBytes) throws(FormatError) {
        guard (1...Self.maximumByteCount).contains(text.count) else { throw FormatError() }
        let normalized = text.withBytes(Self.normalized).bytes()
        guard normalized.count > 0 else { throw FormatError() }
        self.text = normalized
        verbatim = text
    }

    /// Hands the text to a new owner, also where the phrase is unnamed: `open(with: code).takeText()`.
    public consuming func takeText() -> SecretBytes { text }

    package borrowing func copy() -> RecoveryPhrase {
        RecoveryPhrase(
            verbatim: verbatim.withBytes { SecretBytes(copying: $0) },
            text: text.withBytes { SecretBytes(copying: $0) })
    }

    private init(verbatim: consuming SecretBytes, text: consuming SecretBytes) {
        self.verbatim = verbatim
        self.text = text
    }

    private init(normalized text: consuming SecretBytes) {
        verbatim = text.withBytes { SecretBytes(copying: $0) }
        self.text = text
    }

    /// The normal form: ASCII's upper case becomes lower case; each run of spaces, tabs, CR, newlines, U+00A0 and `-` becomes one
    /// space, and none at the ends. All other bytes stay.
    package static func normalized(_ text: Span<UInt8>) -> ConstantTimeFilter {
        let folded = SecretBytes(shortLived: text.count) { output in
            for index in text.indices {
                let lower = ConstantTime.lowerCased(text[index])
                output.append(ConstantTime.choose(Separator.mask(text, at: index), 0x20, else: lower))
            }
        }
        let wordsBehind = wordsBehind(text)
        return folded.withBytes { folded in
            wordsBehind.withBytes { wordsBehind in
                ConstantTimeFilter(of: folded, room: text.count) { index in
                    let isWord = ~Separator.mask(text, at: index)
                    let endsWord = index > 0 ? ~Separator.mask(text, at: index - 1) : 0
                    return isWord | (endsWord & wordsBehind[text.count - 1 - index])
                }
            }
        }
    }

    /// Whether a word comes behind each byte, from the last byte to the first.
    private static func wordsBehind(_ text: Span<UInt8>) -> SecretBytes {
        SecretBytes(shortLived: text.count) { output in
            var isWordBehind: UInt8 = 0
            for index in text.indices.reversed() {
                output.append(isWordBehind)
                isWordBehind |= ~Separator.mask(text, at: index)
            }
        }
    }
}

// MARK: - Advice

extension RecoveryPhrase {
    /// What looks wrong in a phrase, by position. It is advice and refuses nothing: another client may use other words.
    package struct Advice: Equatable, Sendable {
        /// How many words the phrase has.
        package let wordCount: Int
        /// Positions, from 1, of words that are not in our list.
        package let unknownWords: [Int]

        /// Whether it looks like a phrase of ours.
        package var isFaultless: Bool { wordCount == RecoveryPhrase.wordCount && unknownWords.isEmpty }
    }

    /// Positions, from 1, of words that are not in our list. It is advice and refuses nothing: another client may use other words.
    public borrowing func unknownWords() -> [Int] { advice().unknownWords }

    /// Says what looks wrong in a typed phrase.
    package borrowing func advice() -> Advice {
        let words = verbatim.withBytes { PaperWords($0) }
        let unknown = (0..<words.count).filter { !words.withWord($0, RecoveryWords.contains) }
        return Advice(wordCount: words.count, unknownWords: unknown.map { $0 + 1 })
    }

    /// Whether the advice would be faultless. A text of another count of words costs no look at our list.
    package borrowing func isFaultless() -> Bool {
        let words = verbatim.withBytes { PaperWords($0) }
        return words.count == Self.wordCount && advice().isFaultless
    }

    /// The word of our list that the word at a position, counted from 1, was probably meant to be; nil if there is none.
    ///
    /// It tells a part of the phrase: show it at the prompt where the phrase is typed, and never write it to a log.
    public borrowing func suggestion(forWord position: Int) -> String? {
        let words = verbatim.withBytes { PaperWords($0) }
        guard (1...words.count).contains(position) else { return nil }
        return words.withWord(position - 1, RecoveryWords.suggestion)
    }
}

extension RecoveryPhrase.FormatError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.malformed, "a recovery phrase has 1 to 1024 bytes")
    }
}
