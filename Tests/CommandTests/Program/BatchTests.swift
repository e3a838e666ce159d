import CloserWire
import Foundation
import TestSupport
import Testing

private let golden = TestData.golden
private let token = golden.text("field.token")
private let plaintext = golden.text("field.plaintext")

/// What `--jsonl` promises (closer-keys(1)), shown with `field seal` and `field open`.
@Suite("Many records: a line in, a line out")
struct BatchTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(golden.hex("coupleKeyset.binaryHex")), to: "k")
    }

    private func field(_ arguments: String, _ input: String) throws -> ClosingProgram.Run {
        try program("field \(arguments) --keyset-file k --couple couple_1 --jsonl", input: input)
    }

    @Test("results come in order and in place, and what is not ours stays as it is written")
    func verbatim() throws {
        let run = try field(
            "open",
            #"""
            {"id":12345678901234567890,"token":"\#(token)","nested":{"a":[1, 2.50,null],"b":"\u0041\/"},"n":-0.0}
             { "z" : 1e999 , "ä" : true, "token" : "\#(token)" }
            {"t\u006fken":"\u0065\#(token.dropFirst())","plain":{"token":"x"}}

            """#)
        #expect((run.exit, run.errors) == (0, ""))
        let expected = #"""
            {"id":12345678901234567890,"plaintext":"\#(plaintext)","nested":{"a":[1, 2.50,null],"b":"\u0041\/"},"n":-0.0}
            {"z":1e999,"ä":true,"plaintext":"\#(plaintext)"}
            {"plaintext":"\#(plaintext)","plain":{"token":"x"}}

            """#
        #expect(run.text == expected)
    }

    @Test("a line may be a token alone, and end as it likes")
    func bareLines() throws {
        let opened = "{\"plaintext\":\"\(plaintext)\"}\n"
        for input in ["\(token)\n", token, "\(token)\r\n", " \(token)\t\n", "{\"token\":\"\(token)\"}\r\n"] {
            #expect(try field("open", input).text == opened)
        }
        #expect(try field("open", "\(token)\n\(token)\r\n\(token)").text == opened + opened + opened)
    }

    @Test("what was sealed opens again, as text if it is UTF-8, else in base64")
    func roundTrip() throws {
        let lines = [
            #"{"id":1,"plaintext":"é\n\u0000"}"#, #"{"plaintext":"","id":2}"#,
            #"{"id":3,"plaintextBase64":"//79"}"#, #"{"plaintextBase64":"w6k=","id":4}"#,
        ]
        let sealed = try field("seal", lines.joined(separator: "\n"))
        #expect((sealed.exit, sealed.errors) == (0, ""))
        let shapes = sealed.text.replacing(#/enc:v1:[A-Za-z0-9+/]+=*/#, with: "…")
        #expect(
            shapes == """
                {"id":1,"token":"…"}
                {"token":"…","id":2}
                {"id":3,"token":"…"}
                {"token":"…","id":4}

                """)
        let opened = try field("open", sealed.text)
        #expect(
            opened.text.split(separator: "\n").map(String.init) == [
                #"{"id":1,"plaintext":"é\n\u0000"}"#, #"{"plaintext":"","id":2}"#,
                #"{"id":3,"plaintextBase64":"//79"}"#, #"{"plaintext":"é","id":4}"#,
            ])
    }

    @Test(
        "a line that fails says why, with its number in front and without what was to be read or written",
        arguments: [
            ("seal", #"{"id":1,"plaintext":"x","token":"y"}"#, "malformed", 5, #""id":1"#),
            ("seal", #"{"plaintext":"x","id":1,"plaintextBase64":"eA=="}"#, "malformed", 5, #""id":1"#),
            ("seal", #"{"plaintextBase64":"//79=","id":1.0}"#, "malformed", 5, #""id":1.0"#),
            ("seal", #"{"id":1,"plaintext":7}"#, "malformed", 5, #""id":1"#),
            ("seal", #"{"id":1,"line":7,"error":"mine"}"#, "malformed", 5, #""id":1"#),
            ("seal", "{}", "malformed", 5, ""), ("seal", "hunter2", "malformed", 5, ""),
            ("seal", "", "malformed", 5, ""), ("seal", "[1]", "malformed", 5, ""),
            ("seal", #"{"plaintext":"x"} {}"#, "malformed", 5, ""),
            ("seal", #"{"plaintext":"x","a":1,"a":2}"#, "malformed", 5, ""),
            ("seal", #"{"plaintext":"x","a":{"b":1,"b":2}}"#, "malformed", 5, ""),
            ("seal", #"{"plaintext":"\ud800"}"#, "malformed", 5, ""),
            ("seal", #"{"plaintext":"x","a":\#(deep)}"#, "malformed", 5, ""),
            ("open", "", "malformed", 5, ""), ("open", "hunter2", "malformed", 5, ""),
            ("open", #"{"token":"\#(token)","plaintextBase64":"","id":1}"#, "malformed", 5, #""id":1"#),
            ("open", #"{"plaintext":"hunter2","id":1}"#, "malformed", 5, #""id":1"#),
            ("open", #"{"line":7,"error":{},"plaintext":"hunter2","id":1}"#, "malformed", 5, #""id":1"#),
            ("seal", #"{"line":7,"error":{},"token":"hunter2","id":1}"#, "malformed", 5, #""id":1"#),
            ("open", #"{"id":1,"token":"enc:v2:AAAA"}"#, "malformed", 5, #""id":1"#),
            ("open", #"{"id":1,"token":"\#(changed)"}"#, "authFailed", 3, #""id":1"#),
            ("open", #"{"id":1,"token":"\#(otherKey)"}"#, "noKey", 4, #""id":1"#),
        ] as [(String, String, String, Int, String)])
    func refusal(_ verb: String, _ line: String, _ code: String, _ exit: Int, _ others: String) throws {
        let good = verb == "seal" ? "{\"plaintext\":\"x\"}" : token
        let run = try field(verb, "\(good)\n\(line)\n\(good)\n")
        #expect((run.exit, run.errors) == (9, "closer-keys: error: 1 of 3 lines failed\n"))
        let lines = run.text.split(separator: "\n")
        try #require(lines.count == 3)
        let result = verb == "seal" ? "{\"token\":\"enc:v1:" : "{\"plaintext\":\"\(plaintext)\"}"
        #expect(lines[0].hasPrefix(result) && lines[2].hasPrefix(result))
        #expect(lines[1].hasPrefix(#"{"line":2,"error":{"code":"\#(code)","exit":\#(exit),"message":""#))
        #expect(lines[1].hasSuffix(others.isEmpty ? "}}" : "},\(others)}"))
        #expect(try JSONValue(parsing: Array(lines[1].utf8)).members != nil)
        #expect(!run.text.contains("hunter2"))
    }

    @Test("what was not opened is not sealed, whatever the line brings along")
    func forgery() throws {
        let forged = #""plaintext":"hunter2""#
        let lines = [
            "{\(forged)}", "{\"token\":\"\(Self.changed)\",\(forged)}", "{\"line\":1,\"error\":{},\(forged)}",
            "{\"error\":{},\(forged),\"line\":1,\"token\":\"\(token)\"}",
            #"{"plaintextBase64":"eA==","token":7}"#,
        ]
        let opened = try field("open", lines.joined(separator: "\n"))
        let sealed = try field("seal", opened.text)
        #expect((opened.exit, sealed.exit) == (9, 9))
        #expect(
            sealed.text == opened.text && !opened.text.contains("plaintext\":")
                && !sealed.text.contains("enc:v1:"))
        #expect(sealed.errors == "closer-keys: error: 5 of 5 lines failed\n")
    }

    @Test("a line has 2 MiB and not a byte more, a field 1 MiB; the next line is whole again")
    func limits() throws {
        let frame = #"{"plaintext":"x","a":""}"#.utf8.count
        let full = String(repeating: "a", count: 2 << 20 - frame)
        let large = String(repeating: "a", count: 1 << 20)
        let run = try field(
            "seal",
            """
            {"plaintext":"x","a":"\(full)"}
            {"plaintext":"x","a":"\(full)a"}
            {"plaintext":"\(large)"}
            {"plaintext":"\(large)a"}
            {"plaintext":"x"}
            \(full)\(full)
            """)
        #expect((run.exit, run.errors) == (9, "closer-keys: error: 3 of 6 lines failed\n"))
        let codes = try run.text.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8))["error"]?["code"]?.string
        }
        #expect(codes == [nil, "limit", nil, "limit", nil, "limit"])
    }

    @Test("nothing in gives nothing out; what goes wrong as a whole is no line's error")
    func whole() throws {
        let empty = try field("seal", "")
        #expect((empty.exit, empty.text, empty.errors) == (0, "", ""))
        #expect(try field("seal --json", "").exit == 64)
        let missing = try field("open missing", "")
        #expect((missing.exit, missing.text) == (66, ""))
        let keyless = try program("field open --keyset-file none --couple couple_1 --jsonl", input: token)
        #expect((keyless.exit, keyless.text) == (66, ""))
        #expect(try field("open --require-rekeyed", token).exit == 64)
    }

    @Test("an output file is there with the last line, also if a line failed, and replaces nothing unasked")
    func outputFile() throws {
        let run = try field("open -o out", "\(token)\nx\n")
        #expect((run.exit, run.text) == (9, ""))
        let lines = String(decoding: try program.content("out"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "{\"plaintext\":\"\(plaintext)\"}")
        let before = try program.content("out")
        #expect(try field("open -o out", token).exit == 7)
        #expect(try program.content("out") == before)
        #expect(try field("open out -o out --force", "").exit == 7)
        #expect(try field("open -o out --force", "").exit == 0)
        #expect(try program.content("out").isEmpty)
        #expect(try program.files() == ["k", "out"])
    }

    private static let deep = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
    /// Another last byte of the tag.
    private static let changed = "\(token.dropLast(5))AAAA\(token.suffix(1))"
    /// Another key id.
    private static let otherKey = "enc:v1:AQAA\(token.dropFirst(11))"
}
