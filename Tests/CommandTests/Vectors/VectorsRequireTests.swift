import Foundation
import Testing

@Suite("vectors run: its progress")
struct VectorsRequireTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.writeAdapterScript(features: #""base64.decode","kdfParams.check","field.seal""#)
    }

    @Test(
        "progress is shown on a terminal after a second, and erased; a script never sees it",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func progress() throws {
        let slow = """
            read start; echo '{"seq":0,"features":["base64.decode"]}'
            n=1
            while read line; do
                case $line in *'"stop"'*) exit 0 ;; esac
                [ $n != 3 ] || sleep 1.3
                echo "{\\"seq\\":$n,\\"error\\":\\"malformed\\"}"
                n=$((n + 1))
            done
            """
        try program.write(Data(slow.utf8), to: "slow.sh")
        let run = try program.script(
            """
            judged() { script -qec "closer-keys vectors run base64.json $1 -- sh $2" /dev/null < /dev/null || true; }
            judged "> report" slow.sh > shown
            judged "--json > report" slow.sh > json
            judged "> report" "child.sh '\\"error\\":\\"malformed\\"'" > quick
            """)
        #expect(run.exit == 0, "\(run.errors)")
        func text(_ name: String) throws -> String {
            String(decoding: try program.content(name), as: UTF8.self)
        }
        let shown = try text("shown")
        #expect(shown.contains("\rcloser-keys: 3 of 112 cases\r"), "\(shown.debugDescription)")
        #expect(shown.contains("  \rcloser-keys: error: 52 of 112 cases failed"))
        for name in ["json", "quick"] { #expect(try !text(name).contains(" of 112 cases\r"), "\(name)") }
    }
}
