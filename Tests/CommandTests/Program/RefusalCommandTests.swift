import TestSupport
import Testing

@Suite("What the system does to the program")
struct RefusalCommandTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram(after: "closer-keys keyset new --type aes256-gcm -o k") }

    private static let canHideProc =
        (try? ClosingProgram().script("unshare -m true").exit) == 0

    @Test("where the system hides /proc the arguments count all the same", .enabled(if: canHideProc))
    func hiddenProc() throws {
        let run = try program.script(
            """
            echo '{}' > bad.json; set +e
            unshare -m sh -c 'mount -t tmpfs none /proc; exec closer-keys check --kind device bad.json'; echo $?
            """)
        #expect(run.text.hasSuffix("\n1\n") && !run.text.contains("OVERVIEW"), "\(run.text) \(run.errors)")
    }

    @Test(
        "a signal ends the wait for input with 128 + signal, one that reports a fault, too, if somebody sends it",
        arguments: [
            ("INT", 130), ("TERM", 143), ("VTALRM", 154), ("IO", 157), ("RTMIN", 162), ("ABRT", 134),
            ("SEGV", 139),
        ])
    func interrupted(_ signal: String, _ exit: Int) throws {
        let run = try program.script(
            """
            mkfifo pipe; exec 9<>pipe
            set -m +e
            closer-keys field seal --keyset-file k --couple c pipe -o out 2>told & pid=$!
            sleep 0.5; kill -\(signal) $pid; wait $pid; echo $?; cat told
            """)
        #expect(run.text == "\(exit)\n")
    }

    @Test(
        "no core dump while it waits for input", .proves("A process that waits for input leaves no core dump")
    )
    func undumpable() throws {
        let run = try program.script(
            """
            mkfifo pipe; exec 9<>pipe
            closer-keys field seal --keyset-file k --couple c pipe 2>/dev/null & pid=$!
            sleep 0.5; awk '/core file/ { print $5, $6 }' /proc/$pid/limits; kill $pid
            """)
        #expect(run.text == "0 0\n")
    }
}
