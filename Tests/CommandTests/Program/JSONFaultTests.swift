import Foundation
import Testing

/// What the program says about a text that is not the JSON that it should be: what it is, and where that shows.
@Suite("Faults of JSON")
struct JSONFaultTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    @Test(
        "each fault has its own words, and its place, for an answer's document and for a couple's",
        arguments: [
            ("", "is empty"), (" \\n", "is empty"), ("\\357\\273\\277{}", "begins with a byte order mark"),
            ("\\377\\376{\\0}\\0", "is in UTF-16 instead of UTF-8"),
            ("[{}]", "is an array, not an object"), ("\"x\"", "is a text in quotation marks, not an object"),
            ("12", "is a single value, not an object"),
            ("{\"hunter2\":1,\"hunter2\":2}", "has a name twice in one object, again at byte 14"),
            ("{\"a\":1,\\n \"b\":2,\\n \"a\":3}", "has a name twice in one object, again at line 3, byte 2"),
            ("{\"a\":\"\\377\"}", "has a byte that is not UTF-8, at byte 7"),
            ("{\"a\":1", "ends early, at byte 7"),
            ("{\"a\":hunter2}", "has a character that JSON does not have there, at byte 6"),
            ("{'a':1}", "has a character that JSON does not have there, at byte 2"),
            ("{} {}", "has more behind its end, at byte 4"),
            ("{\"a\":\"\\\\ud800\"}", "has half of a surrogate pair, at byte 7"),
            ("{\"a\":9007199254740992}", "has a number outside what canonical JSON allows here, at byte 6"),
            ("{\"a\":1e20}", "has a number outside what canonical JSON allows here, at byte 6"),
        ])
    func faults(_ text: String, _ words: String) throws {
        _ = try program.script("printf '\(text)' > in.json")
        for (command, subject) in [
            ("answer verify --answer in.json in.json", "the answer document"),
            ("check --kind couple in.json", "the couple document"),
            ("check --kind invite in.json", "the invite document"),
        ] {
            let run = try program(command)
            #expect(run.exit == 5)
            #expect(run.errors.hasPrefix("closer-keys: error: \(subject) \(words)\n"), "\(run.errors)")
            #expect(!run.errors.contains("hunter2"))
        }
    }

    @Test("an answer and a file of vectors are told the same")
    func others() throws {
        let run = try program.script(
            """
            closer-keys device init --vault v.db --user alice --key-file k
            closer-keys couple create --vault v.db --couple c --phrase-file p -o invite.json
            seal() { closer-keys answer seal --vault v.db --question q --place thread:1; }
            printf '{"a":1,"a":2}' | seal || echo '{}]' | seal || printf '[1,1e20]' | seal \
                || printf '[]' | closer-keys vectors verify -
            """)
        for words in [
            "the answer has a name twice in one object, again at byte 8",
            "the answer has more behind its end, at byte 3",
            "the answer has a number outside what canonical JSON allows here, at byte 4",
            "standard input: the file is an array, not an object",
        ] { #expect(run.errors.contains("error: \(words)\n"), "\(run.errors)") }
    }
}
