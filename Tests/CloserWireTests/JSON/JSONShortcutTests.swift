import CloserWire
import Testing

/// What most texts have is read and written by a short way. Here are the edges of it.
@Suite("The short ways of JSON give what the long ones give")
struct JSONShortcutTests {
    @Test("a short number is the double that is nearest to its text")
    func shortNumbers() throws {
        var texts = [
            "0", "-0", "-0.0", "0.1", "-0.3", "999999999999999", "-99999999999999", "0.0000000000001",
        ]
        texts += [
            "1234567.8901234", "99999999999.999", "1.7976931348623", "9007199254740991", "0.1234567890123456",
        ]
        texts += ["1.5e3", "1E2", "-2.5e-3"]
        texts += (0..<20_000).map { _ in Self.randomNumber() }
        for text in texts {
            let number = try #require(try JSONValue(parsing: text.utf8).number)
            #expect(number.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    /// Of at most 15 characters, and most of them of exactly 15.
    private static func randomNumber() -> String {
        let sign = Bool.random() ? "-" : ""
        let places = Int.random(in: 1...12)
        let whole = "\(Int.random(in: 0..<1_000_000))".prefix(14 - places - sign.count)
        return (sign + whole + "." + (0..<places).map { _ in "\(Int.random(in: 0...9))" }.joined())
    }

    @Test(
        "a number is written as ECMAScript writes it, on both sides of each limit",
        arguments: [
            (0.001, "0.001"), (0.000_999_9, "0.0009999"), (0.0001, "0.0001"), (0.000_01, "0.00001"),
            (0.000_001, "0.000001"), (0.000_000_1, "1e-7"), (4.5, "4.5"), (-0.25, "-0.25"), (-0.0, "0"),
            (999_999_999_999_999.9, "999999999999999.9"), (100_000_000_000_000.5, "100000000000000.5"),
            (1_000_000_000_000_000.5, "1000000000000000.5"), (4_503_599_627_370_495.5, "4503599627370495.5"),
            (1e21, "1e+21"), (1.5e300, "1.5e+300"),
        ])
    func writtenNumbers(_ value: Double, _ text: String) {
        #expect(String(decoding: JSONValue.number(value).canonicalBytes, as: UTF8.self) == text)
    }

    @Test("names stand in the order of their UTF-16 code units, which is not that of their bytes")
    func order() throws {
        let ends = [
            "", "a", "\u{7F}", "\u{80}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
        ]
        let names = ends.flatMap { first in ends.map { first + $0 } }
        let unique = names.indices.filter { names.firstIndex(of: names[$0]) == $0 }.map { names[$0] }
        let sorted = unique.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
        for _ in 0..<20 {
            let value = JSONValue.object(unique.shuffled().map { .init($0, .null) })
            let written = try JSONValue(parsing: value.canonicalBytes).members?.map(\.name)
            #expect(written == sorted)
        }
    }

    @Test("each character is escaped or not, whatever stands before and behind")
    func escapes() throws {
        let short = ["\u{8}": "b", "\t": "t", "\n": "n", "\u{C}": "f", "\r": "r", "\"": "\"", "\\": "\\"]
        for byte in UInt8(0)..<0x80 {
            let character = String(Unicode.Scalar(byte))
            let digits = String(byte, radix: 16)
            let control = "\\u00" + (digits.count == 1 ? "0" : "") + digits
            let escaped = short[character].map { "\\" + $0 } ?? (byte < 0x20 ? control : character)
            for (before, behind) in [("", ""), ("é", ""), ("", "z"), ("ab", "\u{1F600}"), ("\n", "\n")] {
                let text = before + character + behind
                let around = [before, behind].map { $0 == "\n" ? "\\n" : $0 }
                let written = "\"" + around[0] + escaped + around[1] + "\""
                #expect(JSONValue.string(text).canonicalBytes == Array(written.utf8))
                #expect(
                    try JSONValue(parsing: written.utf8).string.map { Array($0.utf8) } == Array(text.utf8))
            }
        }
    }

    @Test("of a text nothing stays in the next one")
    func texts() throws {
        let texts = [
            "a long text, longer than those behind it", "", "é\n", "b", "\u{1F600}\"\\", "",
            "another long text with é",
        ]
        let value = JSONValue.object(
            texts.enumerated().map { .init("\($0.offset)\($0.element)", .string($0.element)) })
        let read = try #require(try JSONValue(parsing: value.bytes).members)
        #expect(
            read.map { Array($0.name.utf8) }
                == texts.enumerated().map { Array("\($0.offset)\($0.element)".utf8) })
        #expect(read.map { $0.value.string } == texts)
    }
}
