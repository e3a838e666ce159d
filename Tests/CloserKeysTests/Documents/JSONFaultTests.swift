import CloserKeys
import CloserWire
import Testing

/// What keeps `bytes` from being one object.
func jsonFault(_ bytes: some Collection<UInt8>) -> JSONFault {
    do { _ = try JSONValue.members(of: bytes) } catch { return error }
    preconditionFailure("it is an object")
}

@Suite("What keeps a text from being one JSON object")
struct JSONFaultTests {
    @Test(
        "is told with its place, and quotes nothing",
        arguments: [
            ("", "is empty"), (" \n", "is empty"), ("\u{FEFF}{}", "begins with a byte order mark"),
            ("{\0}\0", "is in UTF-16 instead of UTF-8"), (" [{}]", "is an array, not an object"),
            ("\"x\"", "is a text in quotation marks, not an object"),
            ("true", "is a single value, not an object"),
            ("{\"a\":1,\n \"b\":2,\n \"a\":3}", "has a name twice in one object, again at line 3, byte 2"),
            ("{\"a\":1", "ends early, at byte 7"), ("{} {}", "has more behind its end, at byte 4"),
            ("{'a':1}", "has a character that JSON does not have there, at byte 2"),
            ("{\"a\":\"\\ud800\"}", "has half of a surrogate pair, at byte 7"),
            ("{\"a\":1e400}", "has a number outside what canonical JSON allows here, at byte 6"),
        ])
    func words(_ text: String, _ words: String) {
        #expect(jsonFault(text.utf8).message == words)
    }

    @Test("a byte that is not UTF-8 is counted among those before it, also in a line of a batch") func utf8()
    {
        let line = Array("{\"ä\":\"ö".utf8) + [0xFF] + Array("\"}".utf8)
        #expect(jsonFault(line).message == "has a byte that is not UTF-8, at byte 10")
        let batch = Array("{}\n".utf8) + line
        var object = JSONLine()
        do throws(JSONScanner.SyntaxError) {
            try object.read(3..<batch.count, of: batch)
            Issue.record("it was read")
        } catch { #expect(JSONFault(error, in: batch.span, from: 3) == jsonFault(line)) }
    }
}
