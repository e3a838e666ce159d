import CloserWire
import TestSupport
import Testing

@Suite("Canonical JSON, RFC 8785, as the package rfc8785 makes it")
struct CanonicalJSONTests {
    @Test(
        "every text",
        arguments: Vector.all(TestData.canonicalJSON("valid"), named: "canonical", atLeast: 464))
    func canonical(_ vector: Vector) throws {
        let value = try JSONValue(parsing: vector.hex("text"))
        #expect(value.canonicalBytes == vector.hex("output.canonical"))
    }

    @Test(
        "canonical text is its own canonical form",
        arguments: Vector.all(TestData.canonicalJSON("valid"), named: "canonical", atLeast: 464))
    func idempotent(_ vector: Vector) throws {
        let canonical = vector.hex("output.canonical")
        #expect(try JSONValue(parsing: canonical).canonicalBytes == canonical)
    }

    @Test("the golden payload is canonical")
    func golden() throws {
        let payload = Array(TestData.golden.text("sealedAnswer.payload").utf8)
        #expect(try JSONValue(parsing: payload).canonicalBytes == payload)
    }

    @Test("every refused text", arguments: refused)
    func refusedText(_ hex: String) throws {
        let text = try Hex.decode(hex)
        #expect(throws: JSONScanner.SyntaxError.self) { try JSONValue(parsing: text) }
    }

    private static let refused: [String] = {
        let texts = (TestData.canonicalJSON("invalid").array ?? []).map { $0.text("text") }
        precondition(texts.count >= 60)
        return texts
    }()
}

@Suite("JSON, and why it is refused")
struct JSONTests {
    typealias Reason = JSONScanner.SyntaxError

    @Test(
        "each fault has its own name and place",
        arguments: [
            ("{\"a\":1,\"a\":2}", Reason.duplicateName(at: 7)), ("[1 2]", .unexpectedByte(at: 3)),
            ("[1", .unexpectedEnd),
            ("\"\\ud800\"", .loneSurrogate(at: 1)), ("\"\\udc00x\"", .loneSurrogate(at: 1)),
            ("9007199254740992", .numberOutOfRange(at: 0)), ("[1e400]", .numberOutOfRange(at: 1)),
            ("01", .unexpectedByte(at: 1)), ("", .unexpectedEnd), ("1 1", .byteBehind(at: 2)),
            ("[[[[[[[[[[[[[[[[[", .tooDeep(at: 16)), ("\"\u{1}\"", .unexpectedByte(at: 1)),
            ("nulL", .unexpectedByte(at: 0)), ("[tru", .unexpectedByte(at: 1)),
            ("[fals]", .unexpectedByte(at: 1)), ("[n]", .unexpectedByte(at: 1)),
            ("nil", .unexpectedByte(at: 0)), ("\"\\u00g0", .unexpectedByte(at: 5)),
        ])
    func reasons(_ text: String, _ reason: Reason) {
        #expect(throws: reason) { try JSONValue(parsing: text.utf8) }
    }

    @Test("malformed UTF-8", arguments: [[0xC0, 0x80], [0x80], [0xFF]] as [[UInt8]])
    func malformedUTF8(_ bytes: [UInt8]) {
        #expect(throws: Reason.malformedUTF8(at: 1)) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
    }

    @Test("names are compared as bytes: two spellings of an accent are two names")
    func canonicalEquivalence() throws {
        let value = try JSONValue(parsing: "{\"e\u{301}\":1,\"\u{e9}\":2}".utf8)
        #expect(value["\u{e9}"]?.number == 2)
        #expect(value["e\u{301}"]?.number == 1)
    }

    @Test("sixteen levels are read, seventeen are not")
    func depth() throws {
        let nested = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(try JSONValue(parsing: nested(16)).canonicalBytes == nested(16))
        #expect(throws: Reason.tooDeep(at: 16)) { try JSONValue(parsing: nested(17)) }
    }

    @Test("members keep their order when they are not made canonical")
    func order() throws {
        let text = Array("{\"b\":1,\"a\":[true,null,\"\\u0001\"]}".utf8)
        #expect(try JSONValue(parsing: text).bytes == text)
    }

    @Test("every truncation of a document is refused, and no extension but white space is taken")
    func truncations() throws {
        let text = Array("{\"a\":[1.5e3,\"\\ud83d\\ude00\",true],\"b\":{\"c\":null}}".utf8)
        for count in 0..<text.count {
            #expect(throws: Reason.self) { try JSONValue(parsing: text.prefix(count)) }
        }
        let taken = (UInt8.min...UInt8.max).filter { (try? JSONValue(parsing: text + [$0])) != nil }
        #expect(taken == [0x09, 0x0A, 0x0D, 0x20])
    }

    @Test("random bytes never trap", .proves("No input crashes the program"))
    func randomBytes() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("{}[]\",:\\u0123456789abcdefDtrue nulls.-+eE\u{1}é".utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            guard let value = try? JSONValue(parsing: text) else { continue }
            accepted += 1
            let canonical = value.canonicalBytes
            #expect((try? JSONValue(parsing: canonical))?.canonicalBytes == canonical)
        }
        #expect(accepted > 0)
    }

    @Test("a hundred thousand members are read in one pass")
    func manyMembers() throws {
        let text = "{" + (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        #expect(try JSONValue(parsing: text.utf8).members?.count == 100_000)
    }

    @Test("a name is refused the second time, however many others stand before, between and behind")
    func duplicates() throws {
        for (first, second) in [(0, 1), (3, 15), (3, 16), (15, 16), (3, 30), (16, 17), (17, 39)] {
            var names = (0..<40).map { "\($0)" }
            names[second] = names[first]
            let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
            let place = 1 + names[..<second].reduce(0) { $0 + $1.utf8.count + 5 }
            #expect(throws: Reason.duplicateName(at: place)) { try JSONValue(parsing: text.utf8) }
        }
        // One name of three bytes each: the Ångström sign, and an A with a ring.
        #expect(try JSONValue(parsing: "{\"\u{212B}\":1,\"A\u{30A}\":2}".utf8)["A\u{30A}"]?.number == 2)
    }

    @Test("of all bytes, four are white space (RFC 8259 §2)")
    func whiteSpace() {
        #expect((0...UInt8.max).filter(\.isJSONWhiteSpace) == [0x09, 0x0A, 0x0D, 0x20])
    }
}
