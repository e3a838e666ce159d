import CloserWire
import Testing

/// Text of strangers, as it is shown.
@Suite("Plain lines")
struct PlainLineTests {
    @Test("what steers a terminal or ends the line is replaced, and nothing else")
    func replaced() {
        #expect("a\u{1B}[31m\tb\nc".plainLine == "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}c")
        #expect("\u{7F}\u{85}\u{9B}".plainLine == "\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(
            "txt.\u{202E}gpj\u{2066}\u{2069}\u{2028}\u{2029}".plainLine
                == "txt.\u{FFFD}gpj\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
        let plain = "Zoë 家 🙂 \u{2027}\u{202F}\u{2065}\u{206A}\u{A0}"
        #expect(plain.plainLine == plain)
    }
}
