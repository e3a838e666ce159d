import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@Suite("Recovery words: closer-keys-formats(7), THE COUPLE KEY")
struct RecoveryWordsTests {
    private func suggestion(_ text: String) throws -> String? {
        try RecoveryPhrase(typed: SecretBytes(testOnly: Array(text.utf8))).suggestion(forWord: 1)
    }

    @Test("the list is in the order of the alphabet, no word is in it twice, and each has 5 to 7 letters")
    func order() {
        #expect(RecoveryWords.all == Array(Set(RecoveryWords.all)).sorted())
        #expect(Set(RecoveryWords.all.map(\.utf8.count)) == [5, 6, 7])
    }

    @Test("a slip behind the fourth letter makes no other word, and the right one is named")
    func slips() throws {
        var count = 0
        for word in RecoveryWords.all {
            for slip in Self.slips(of: word) {
                #expect(!RecoveryWords.all.contains(slip), "\(slip)")
                #expect(try suggestion(slip) == word, "\(slip)")
                count += 1
            }
        }
        #expect(count > 256 * 3)
    }

    /// One letter left out, doubled, or taken for its neighbour in the alphabet.
    private static func slips(of word: String) -> [String] {
        let letters = Array(word.utf8)
        return letters.indices.dropFirst(4).flatMap { index -> [String] in
            let (letter, before, after) = (letters[index], letters[..<index], letters[(index + 1)...])
            let next = letter == UInt8(ascii: "z") ? UInt8(ascii: "a") : letter + 1
            return [before + after, before + [letter, letter] + after, before + [next] + after]
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test("four letters are enough to know a word")
    func prefixes() throws {
        for word in RecoveryWords.all { #expect(try suggestion(String(word.prefix(4))) == word) }
    }
}
