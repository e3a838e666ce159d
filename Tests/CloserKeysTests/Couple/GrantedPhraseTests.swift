import CloserPrimitives
import TestSupport
import Testing

@testable import CloserKeys

private let ten = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"

@Suite("The phrase of a grant or a rekey: one that we could have made")
struct GrantedPhraseTests {
    private func taken(_ text: String) -> Bool {
        do {
            return try RecoveryPhrase(granted: SecretBytes(testOnly: Array(text.utf8))).text.count > 0
        } catch {
            return false
        }
    }

    @Test(
        "ten words or more, whichever they are",
        arguments: [
            ten, "\(ten) kilo", String(ten.reversed()),
            // Five of them are different, and the shortest and longest that a word may be.
            "abc abcdefgh one two six six six six six six",
            // 256 bytes.
            Array(repeating: "alpha bravo charlie delta echo golf", count: 7).joined(separator: " ")
                + " abcd",
        ])
    func ours(_ text: String) { #expect(taken(text)) }

    @Test("a phrase that we make")
    func random() {
        for _ in 0..<200 {
            let phrase = RecoveryPhrase.random()
            #expect(taken(String(decoding: phrase.text.testOnlyBytes(), as: UTF8.self)))
        }
    }

    @Test(
        "what a server could guess: nothing, too few words, too few different ones, or words that are too short",
        .proves("W14: a partner's program cannot choose a phrase that the server could guess"),
        arguments: [
            "", " ", "a", "password", String(ten.dropLast(" juliet".count)),
            Array(repeating: "alpha", count: 10).joined(separator: " "),
            "alpha bravo charlie delta alpha bravo charlie delta alpha bravo",
            "a b c d e f g h i j", "\(ten) ab", ten.replacing("golf", with: "abcdefghi"),
            String(ten.filter { $0 != " " }),
        ])
    func guessed(_ text: String) { #expect(!taken(text)) }

    @Test(
        "what nobody can copy from paper",
        .proves("W14: a partner's program cannot choose a phrase that the server could guess"),
        arguments: [
            "\u{3164}", "\u{2800}", "\u{115F}", "\u{FFA0}", "\u{034F}", "\u{FE0F}", "\u{E0100}", "\u{17B4}",
            "\u{180B}", "\u{2003}",
            "\u{3000}", "\u{0430}", "\u{A0}", "\u{200B}", "\u{0301}", "\t", "\n", "\r\n", "\u{0}", "\u{7F}",
            "A", "1", "-", ".", "é",
        ])
    func strange(_ text: String) {
        for place in [
            "\(ten)\(text)", "\(text)\(ten)", ten.replacing("golf", with: "go\(text)lf"),
            ten.replacing(" ", with: text),
        ] {
            #expect(!taken(place), "\(place.debugDescription)")
        }
    }

    @Test("spaces are single, and none at the ends; there are at most 256 bytes")
    func spaces() {
        for text in [" \(ten)", "\(ten) ", ten.replacing(" ", with: "  ")] {
            #expect(!taken(text), "\(text)")
        }
        let long = Array(repeating: "alpha bravo charlie delta echo golf", count: 7).joined(separator: " ")
        #expect(long.utf8.count == 251 && !taken("\(long) abcde"))
        #expect(!taken(Array(repeating: ten, count: 17).joined(separator: " ")))
        #expect(!taken(String(repeating: "\u{0301}", count: 500)))
    }

    @Test("bytes that are no text")
    func bytes() {
        for bytes in [[0xFF], [0xC3], Array(ten.utf8) + [0x80]] as [[UInt8]] {
            #expect(throws: RecoveryPhrase.FormatError.self) {
                _ = try RecoveryPhrase(granted: SecretBytes(testOnly: bytes))
            }
        }
    }
}
