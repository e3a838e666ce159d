import Foundation
import TestSupport
import Testing

/// A reader that has seen enough: `| head -n 1`.
@Suite("A closed pipe")
struct ClosedPipeTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    /// Writes more than a pipe holds, to a reader that reads nothing.
    private func script(_ command: String) throws -> ClosingProgram.Run {
        try program.script("set +eo pipefail; { sleep 0.3; \(command); } | true; echo ${PIPESTATUS[0]}")
    }

    @Test(
        "ends a run as SIGPIPE ends other tools: 141, and without a word",
        arguments: [
            "self-test", "--help", "--version", "vectors verify --format tap base64.json", "version --json",
            "keyset new --type aes256-gcm -o /dev/stdout",
        ])
    func silent(_ command: String) throws {
        let run = try script("closer-keys \(command)")
        #expect((run.text, run.errors) == ("141\n", ""))
        #expect(try program.files() == [])
    }

    @Test("a vault that was changed before is told of, with 74, and is whole")
    func vaultChanged() throws {
        let run = try script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key --json
            """)
        #expect(run.text == "74\n")
        #expect(run.errors.contains("broken pipe; and the vault was made before that"), "\(run.errors)")
        #expect(try program("device show --vault a.db").exit == 0)
    }

    @Test("in an adapter's it is the adapter's end, which is judged, and not ours")
    func adapter() throws {
        let run = try program.run(
            [
                "vectors", "run", "base64.json", "--", "sh", "-c",
                #"read start; exec <&-; echo '{"seq":0,"features":["base64.decode"]}'; exit 3"#,
            ], input: Data())
        #expect(run.exit == 1)
        #expect(run.text.contains("it ended with exit code 3 instead of answering"))
    }
}
