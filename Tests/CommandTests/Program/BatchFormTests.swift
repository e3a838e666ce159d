import Foundation
import TestSupport
import Testing

@Suite("Many records: their progress")
struct BatchFormTests {
    private let program: ClosingProgram
    private static let token = TestData.golden.text("field.token")

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(TestData.golden.hex("coupleKeyset.binaryHex")), to: "k")
    }

    @Test(
        "progress is shown on a terminal after a second, and erased; a script never sees it",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func progress() throws {
        try program.write(Data("\(Self.token)\n".utf8), to: "token")
        let run = try program.script(
            """
            slow() { echo "(cat token token; sleep 1.3; cat token) | closer-keys field open --keyset-file k --couple couple_1 --jsonl"; }
            on_terminal() { script -qec "$1" /dev/null < /dev/null; }
            on_terminal "$(slow) -o a" > shown
            on_terminal "$(slow) -o b --quiet" > quiet
            on_terminal "$(slow) -o c 2> errors" > nothing
            on_terminal "$(slow)" | grep -c 'closer-keys: ' > shared || true
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try program.content("shown") == Data("\rcloser-keys: 3 lines\r                    \r".utf8))
        #expect(try program.content("shared") == Data("0\n".utf8))
        for name in ["quiet", "nothing", "errors"] { #expect(try program.content(name).isEmpty, "\(name)") }
    }
}
