import Foundation
import Testing

/// What the program says about a text that is not the JSON that it should be: what it is, and where that shows.
@Suite("Faults of JSON")
struct JSONFaultTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    @Test("an answer, a file of vectors and a document are told the same")
    func others() throws {
        let run = try program.script(
            """
            closer-keys device init --vault v.db --user alice --key-file k
            closer-keys couple create --vault v.db --couple c --phrase-file p -o invite.json
            seal() { closer-keys answer seal --vault v.db --question q --place thread:1; }
            printf '{"a":1,"a":2}' | seal || echo '{}]' | seal || printf '[1,1e20]' | seal \
                || printf '[]' | closer-keys vectors verify - || printf '{"hunter2":1,\n"hunter2":2}' | closer-keys check --kind couple
            """)
        for words in [
            "the answer has a name twice in one object, again at byte 8",
            "the answer has more behind its end, at byte 3",
            "the answer has a number outside what canonical JSON allows here, at byte 4",
            "standard input: the file is an array, not an object",
            "the couple document has a name twice in one object, again at line 2, byte 1",
        ] { #expect(run.errors.contains("error: \(words)\n"), "\(run.errors)") }
    }
}
