import CloserWire
import Testing

/// What a batch reads line by line (closer-keys-scripting(7), MANY RECORDS).
@Suite("Objects on one line")
struct JSONLineTests {
    private static func isRead(_ text: String) -> Bool { isRead(Array(text.utf8)) }

    private static func isRead(_ bytes: [UInt8]) -> Bool {
        var line = JSONLine()
        do { try line.read(0..<bytes.count, of: bytes) } catch { return false }
        return true
    }

    private static func replaced(_ text: String, _ names: [String], inFront: Bool = false) throws -> String {
        var line = JSONLine()
        var members = JSONMembers()
        var output: [UInt8] = []
        let bytes = Array("..\(text)..".utf8)
        try line.read(2..<bytes.count - 2, of: bytes)
        members.append([.init("new", .number(1)), .init("text", .string("\u{7F}\u{2028}"))])
        line.append(to: &output, replacing: names.map(JSONLine.Name.init), with: members, inFront: inFront)
        return String(decoding: output, as: UTF8.self)
    }

    @Test(
        "what is no object in strict JSON is refused, as JSONValue refuses it",
        arguments: [
            "", "{", "{}x", "{\"a\":1,}", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1 \"b\":2}", "[1]", "1",
            "{\"a\":01}",
            "{\"a\":\"\u{1}\"}", "{\"a\u{1}\":1}", "{\"a\":\"\\q\"}", "{\"a\":\"\\u12\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":\"\\\"}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"a\":{\"b\":1,\"b\":2}}",
            "{\"a\":nul}",
            "{\"a\":\(String(repeating: "[", count: 16))\(String(repeating: "]", count: 16))}",
            "{\(many(40)),\"3\":0}", "{\(many(17)),\"16\":0}",
        ])
    func refused(_ text: String) {
        #expect(!Self.isRead(text))
        #expect((try? JSONValue(parsing: text.utf8))?.members == nil)
    }

    private static func many(_ count: Int) -> String {
        (0..<count).map { "\"\($0)\":0" }.joined(separator: ",")
    }

    @Test(
        "what is one is taken, and its numbers may be of any size",
        arguments: [
            "{}", " { } ", "{\"a\":1e999}", "{\"a\":[1,2,{\"b\":null}],\"ä\":\"é\u{1F600}\"}", "{\"\":\"\"}",
            "{\(many(40))}",
            "{\"a\":\(String(repeating: "[", count: 15))\(String(repeating: "]", count: 15))}",
        ])
    func taken(_ text: String) { #expect(Self.isRead(text)) }

    @Test("bytes that are no UTF-8 are refused wherever they stand", arguments: ["a", "b", "c"])
    func malformedUTF8(_ place: Character) {
        let text = Array("{\"a\":\"b\",\"d\":[\"c\"]}".utf8)
        #expect(Self.isRead(text))
        for wrong in [[0xC3, place.asciiValue ?? 0], [0x80]] {
            #expect(!Self.isRead(text.flatMap { $0 == place.asciiValue ? wrong : [$0] }))
        }
    }

    @Test("new members take the place of the first that goes; what stays is as it was written")
    func places() throws {
        let new = #""new":1,"text":"\u007f\u2028""#
        let text = #"{ "a" : 1.0 ,"b":"x","\u0063": [ 2 ],"é":3}"#
        let rest = #""a":1.0,"c":[ 2 ],"é":3"#
        #expect(try Self.replaced(text, ["b"]) == #"{"a":1.0,\#(new),"c":[ 2 ],"é":3}"#)
        #expect(try Self.replaced(text, ["b"], inFront: true) == "{\(new),\(rest)}")
        #expect(try Self.replaced(text, ["none"]) == #"{\#(new),"a":1.0,"b":"x","c":[ 2 ],"é":3}"#)
        #expect(try Self.replaced(text, ["c", "a", "b"]) == #"{\#(new),"é":3}"#)
        #expect(try Self.replaced("{}", ["a"]) == "{\(new)}")
        #expect(try Self.replaced(#"{"\u0063":[ 2 ]}"#, ["a"]) == #"{\#(new),"c":[ 2 ]}"#)
    }

    @Test("a text of a stranger's is written as JSON has it; what is no UTF-8 is not")
    func strangers() {
        var members = JSONMembers()
        var output: [UInt8] = []
        for text in ["plain ~", "\"", "\\", "\u{7F}\né"] {
            let bytes = Array(text.utf8)
            let isTaken = members.append(.init("t"), text: bytes.span)
            #expect(isTaken)
        }
        let cut: [UInt8] = [0x61, 0xC3]
        let isTaken = members.append(.init("t"), text: cut.span)
        members.append(to: &output)
        #expect(!isTaken)
        #expect(
            String(decoding: output, as: UTF8.self) == #""t":"plain ~","t":"\"","t":"\\","t":"\u007f\né""#)
    }

    @Test("of a line nothing is left when the next one is read")
    func next() throws {
        let bytes = Array(#"{"a":1}{"b":2}"#.utf8)
        var line = JSONLine()
        try line.read(0..<7, of: bytes)
        try line.read(7..<14, of: bytes)
        let (hasFirst, hasSecond) = (line.has(.init("a")), line.has(.init("b")))
        #expect(!hasFirst && hasSecond)
    }

    @Test("texts, values and names are found by their characters, whatever escapes they have")
    func found() throws {
        let bytes = Array(#"{"t\u006fken":"\u00e9","plain":"x","n": 12 }"#.utf8)
        var line = JSONLine()
        try line.read(0..<bytes.count, of: bytes)
        let token = line.text(.init("token"))
        let text = try #require(token)
        let (characters, range) = (line.characters(text), line.range(text))
        #expect(characters == Array("é".utf8) && range == nil)
        let plain = line.text(.init("plain")).flatMap { line.range($0) }
        #expect(plain.map { Array(bytes[$0]) } == Array("x".utf8))
        let value = line.value(.init("n"))
        #expect(value.map { Array(bytes[$0]) } == Array("12".utf8))
        let (number, none) = (line.text(.init("n")) == nil, line.has(.init("toke")))
        #expect(number && !none)
        line.forget()
        let isThere = line.has(.init("token"))
        #expect(!isThere)
    }
}
