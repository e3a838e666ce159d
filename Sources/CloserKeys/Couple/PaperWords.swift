package import CloserPrimitives
internal import CloserWire

/// The words of a phrase, as people copy them from paper: with what they put around the words taken off.
///
/// That is a number in front of each word, which the program shows and which then gives the order, and marks between the words. Only a
/// phrase of ours is read in this way, because in the phrase of another program each byte counts.
package struct PaperWords: ~Copyable {
    /// In lower case, with single spaces.
    private let text: SecretBytes
    /// Where each word is, in the order of the phrase.
    private let ranges: [Range<Int>]

    init(_ text: Span<UInt8>) {
        self.text = Self.withoutMarks(text).withBytes(RecoveryPhrase.normalized).bytes()
        ranges = self.text.withBytes(Self.ordered)
    }

    var count: Int { ranges.count }

    /// Lends the word at a position, counted from 0.
    borrowing func withWord<Result>(_ position: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        text.withBytes { body($0.extracting(ranges[position])) }
    }

    /// A phrase of ours with single spaces; nil for any other text.
    borrowing func phrase() -> SecretBytes? {
        guard count == RecoveryPhrase.wordCount,
            ranges.indices.allSatisfy({ withWord($0, RecoveryWords.contains) })
        else { return nil }
        return text.withBytes { text in
            SecretBytes(capacity: text.count) { output in
                for range in ranges {
                    if range != ranges[0] { output.append(UInt8(ascii: " ")) }
                    output.append(text.extracting(range))
                }
            }
        }
    }

    /// What stands between the spaces. If that is numbers and words in turn, the words alone, in the order of their numbers.
    private static func ordered(_ text: Span<UInt8>) -> [Range<Int>] {
        let spaces = text.indices.filter { text[$0] == UInt8(ascii: " ") }
        let parts = zip([-1] + spaces, spaces + [text.count]).map { $0 + 1..<$1 }
        let pairs = stride(from: 0, to: parts.count - 1, by: 2).map { index in
            (number: number(text.extracting(parts[index])), word: parts[index + 1])
        }
        let numbers = pairs.compactMap(\.number)
        guard Set(numbers).count * 2 == parts.count else { return parts }
        return pairs.sorted { ($0.number ?? 0) < ($1.number ?? 0) }.map(\.word)
    }

    private static let numbers = (1...RecoveryPhrase.wordCount).map { Array("\($0)".utf8) }

    private static func number(_ text: Span<UInt8>) -> Int? {
        numbers.firstIndex { ConstantTime.isEqual($0.span, text) }
    }
}

// MARK: - Marks

extension PaperWords {
    /// The text with a space for each byte of a mark, found without a branch on a byte.
    package static func withoutMarks(_ text: Span<UInt8>) -> SecretBytes {
        SecretBytes(shortLived: text.count) { output in
            for index in text.indices {
                output.append(ConstantTime.choose(mark(text, at: index), 0x20, else: text[index]))
            }
        }
    }

    private static let alone = Array(",.;:()\"'`".utf8)

    /// How characters of three bytes begin in UTF-8: U+2000 to U+203F, which are spaces, dashes and quotation marks; U+3000 to U+303F, such
    /// as the wide space; and U+FEFF, the byte order mark, with its neighbours.
    private static let beginnings: [(UInt8, UInt8)] = [(0xE2, 0x80), (0xE3, 0x80), (0xEF, 0xBB)]

    private static func mark(_ text: Span<UInt8>, at index: Int) -> UInt8 {
        let isAlone = alone.reduce(UInt8(0)) { $0 | ConstantTime.mask(text[index], is: $1) }
        return beginnings.reduce(isAlone) { mask, beginning in
            (0..<3).reduce(mask) { $0 | begins(beginning, text, at: index - $1) }
        }
    }

    private static func begins(_ two: (UInt8, UInt8), _ text: Span<UInt8>, at index: Int) -> UInt8 {
        ConstantTime.mask(Separator.byte(text, index), is: two.0)
            & ConstantTime.mask(Separator.byte(text, index + 1), is: two.1)
    }
}
