import CloserWire
import Testing

@Suite("Texts that a person writes down")
struct WrittenTextTests {
    private func isWritable(_ bytes: [UInt8]) -> Bool { bytes.span.isWritable }

    @Test(
        "what is seen is one, in any script",
        arguments: ["", "abandon ability", "löwe bär", "家 鍵", "Zoë\u{A0}ключ", "🙂 é", "\u{10000}"])
    func seen(_ text: String) { #expect(isWritable(Array(text.utf8))) }

    @Test(
        "what steers a terminal, ends a line or is not seen is none",
        arguments: [
            "\u{1B}[8m", "a\0", "\t", "\n", "\r", "\u{7F}", "\u{85}", "\u{9B}6n", "\u{AD}", "\u{200B}",
            "\u{200D}",
            "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "\u{FEFF}", "\u{E000}", "\u{FFFF}", "\u{E0041}",
        ])
    func unseen(_ text: String) {
        #expect(!isWritable(Array("löwe \(text) bär".utf8)))
        #expect(!isWritable(Array(text.utf8)))
    }

    // RFC 3629 §3: a lone continuation, an overlong slash, a surrogate, above U+10FFFF, and one that is cut.
    @Test(
        "what is not UTF-8 is none",
        arguments: [
            [0x80], [0xFF, 0xFE], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE5, 0xAE],
        ])
    func invalid(_ bytes: [UInt8]) {
        #expect(!isWritable(bytes))
        #expect(!isWritable(Array("abandon ".utf8) + bytes))
    }
}
