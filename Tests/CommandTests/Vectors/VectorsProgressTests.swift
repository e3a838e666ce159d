import Foundation
import Testing

@Suite("vectors run: its progress")
struct VectorsProgressTests {
    @Test(
        "progress is shown on a terminal after a second, and erased, and a script gets none",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func progress() async throws {
        let program = try await ClosingProgram(after: Script(named: "Scenes/adapter"))
        let run = try program.script(
            """
            sed 's/    echo/    [ $n != 3 ] || sleep 1.3\\n&/' child.sh > slow.sh
            judged() { script -qec "closer-keys vectors run base64.json $1 > report" /dev/null < /dev/null || true; }
            judged "-- sh slow.sh"; judged "--json -- sh slow.sh" > json; judged "-- sh child.sh" > quick
            grep -l $' of 112 cases\\r' json quick || true
            """)
        #expect(
            run.text.contains("\rcloser-keys: 3 of 112 cases\r"), "\(run.text.debugDescription)\(run.errors)")
        #expect(run.text.contains("  \rcloser-keys: error: 52 of 112 cases failed"))
        #expect(run.text.hasSuffix("failed\r\n"), "\(run.text)")
    }
}
