import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@Suite("Phrases from paper: closer-keys-couple(1), RECOVERY PHRASES")
struct PaperWordsTests {
    private static let phrase = "actor almond amber anchor apron arrow artist atlas attic zigzag"

    private func read(_ text: String) throws -> String {
        let phrase = try RecoveryPhrase(typed: SecretBytes(testOnly: Array(text.utf8)))
        return String(decoding: phrase.text.testOnlyBytes(), as: UTF8.self)
    }

    private static func joined(by separator: String) -> String { phrase.replacing(" ", with: separator) }

    /// Each word with its number, and what stands behind the number.
    private static func numbered(_ behind: String, in order: [Int] = Array(1...10)) -> String {
        let words = phrase.split(separator: " ")
        return order.map { "\($0)\(behind)\(words[$0 - 1])" }.joined(separator: "  ")
    }

    private static let onPaper: [String] = [
        joined(by: ", "), joined(by: "; ") + ".", joined(by: " – "), joined(by: "\u{2014}"),
        joined(by: "\u{3000}"), joined(by: "\u{2003}"), joined(by: "' '"), "\u{FEFF}\(phrase)\r\n",
        "\u{201C}\(phrase)\u{201D}", "\"\(phrase.uppercased())\"", "\u{2022} " + joined(by: "\n\u{2022} "),
        numbered(". "), numbered(") "), numbered(" "), numbered(".)\t"),
        // Two columns, as the program shows them, read line by line.
        numbered(" ", in: [1, 6, 2, 7, 3, 8, 4, 9, 5, 10]),
    ]

    @Test("what people put around the words of a phrase of ours is taken off", arguments: onPaper)
    func paper(_ text: String) throws { #expect(try read(text) == Self.phrase) }

    private static let others: [String] = [
        "alpha, bravo; charlie.", "1. alpha 2. bravo", "\u{201C}caf\u{E9}\u{201D}", phrase + "!",
        phrase + " 42", phrase + ", zebra", "1 " + phrase, joined(by: "/"),
        joined(by: ", ").replacing("zigzag", with: "zebras"), joined(by: ",").replacing(",zigzag", with: ""),
        "0. actor 1. almond 2. amber 3. anchor 4. apron 5. arrow 6. artist 7. atlas 8. attic 9. zigzag",
        "1. actor 1. almond 2. amber 3. anchor 4. apron 5. arrow 6. artist 7. atlas 8. attic 9. zigzag",
    ]

    @Test("any other phrase is read byte for byte", arguments: others)
    func other(_ text: String) throws { #expect(try read(text) == text) }

    @Test("the phrase of a document or a vector is read byte for byte, whatever its words are")
    func exactly() throws {
        let text = Self.joined(by: ", ")
        let phrase = try RecoveryPhrase(exactly: SecretBytes(testOnly: Array(text.utf8)))
        #expect(String(decoding: phrase.text.testOnlyBytes(), as: UTF8.self) == text)
    }

    @Test("advice counts the words, and not what stands around them")
    func advice() throws {
        let text = "1. actor, 2. almond, 3. amberr, 10. zigzag."
        let phrase = try RecoveryPhrase(typed: SecretBytes(testOnly: Array(text.utf8)))
        let advice = phrase.advice()
        #expect((advice.wordCount, advice.unknownWords) == (4, [3]))
        let suggestions = [phrase.suggestion(forWord: 3), phrase.suggestion(forWord: 5)]
        #expect(suggestions == ["amber", nil])
    }
}
