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
            "txt.\u{202A}\u{202E}gpj\u{2066}\u{2069}\u{2028}\u{2029}".plainLine
                == "txt.\u{FFFD}\u{FFFD}gpj\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
        let plain = "Zoë 家 🙂 \u{2027}\u{202F}\u{2065}\u{206A}\u{A0}"
        #expect(plain.plainLine == plain)
    }
}

/// JSON for terminals and for readers of lines.
@Suite("Printable JSON")
struct PrintableJSONTests {
    private static let escaped: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069,
    ]

    @Test(
        "it has no control character, no other end of a line and nothing that turns the direction; its value is the same"
    )
    func everyScalar() throws {
        for first in stride(from: UInt32(0), to: 0x11_0000, by: 256) {
            let scalars = (first..<first + 256).compactMap(Unicode.Scalar.init)
            let value = JSONValue.string(String(String.UnicodeScalarView(scalars)))
            let text = String(decoding: value.printableBytes, as: UTF8.self)
            #expect(
                !text.unicodeScalars.contains { scalar in Self.escaped.contains { $0.contains(scalar.value) }
                })
            #expect(try JSONValue(parsing: value.printableBytes).string == value.string)
        }
    }

    @Test("the lowest of them is escaped in a text of ASCII, too")
    func alone() {
        #expect(JSONValue.string("\u{7F}").printableBytes == Array(#""\u007f""#.utf8))
    }

    @Test("what stands beside them is as it was")
    func neighbours() {
        let text = "~\u{A0}\u{105}\u{2027}\u{202F}\u{2065}\u{206A}\u{20A8}\u{30A8}"
        #expect(JSONValue.string(text).printableBytes == JSONValue.string(text).bytes)
    }
}
