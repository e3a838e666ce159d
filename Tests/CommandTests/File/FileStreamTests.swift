import Foundation
import TestSupport
import Testing

/// What can be observed while a stream runs: its memory, and what a terminal shows.
@Suite("Files while they are sealed and opened")
struct FileStreamTests {
    private let program: ClosingProgram

    init() async throws { program = try await ClosingProgram(after: Script(named: "File/seal")) }

    @Test(
        "memory is the same for 16 and for 256 MiB",
        .proves("Files and batches of any length take constant memory"),
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func memory() throws {
        let run = try program.script(
            """
            mkfifo pipe
            peak() {
                closer-keys file $1 --keyset-file k pipe -o out --force & pid=$!
                exec 9> pipe; cat $2 >&9
                awk '/VmHWM/ { print $2 }' /proc/$pid/status
                exec 9>&-; wait $pid
            }
            for count in 16 256; do
                head -c ${count}M /dev/zero > zeros
                peak seal zeros
                mv out sealed
                peak open sealed
                cmp out zeros
            done
            """)
        #expect(run.exit == 0, "\(run.errors)")
        let peaks = run.text.split(separator: "\n").compactMap { Int($0) }
        try #require(peaks.count == 4)
        #expect(abs(peaks[2] - peaks[0]) <= 4096, "seal: \(peaks) KiB")
        #expect(abs(peaks[3] - peaks[1]) <= 4096, "open: \(peaks) KiB")
    }

    @Test(
        "a terminal gets text, whole characters of it, and neither ciphertext nor binary",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func terminal() throws {
        let run = try program.script(
            """
            for i in {1..100}; do echo 'aé日❤️'; done > text; head -c -3 text > cut; printf '\\033[2J' > escape
            for name in text cut escape; do closer-keys file seal --keyset-file small $name -o $name.sealed; done
            shown() { script -qec "closer-keys file ${1/ / --keyset-file small }; echo exit \\$?" /dev/null < /dev/null | tr -d '\\r'; }
            for line in 'seal text' 'seal text -o /dev/tty' 'open escape.sealed' 'open escape.sealed -o /dev/tty' \
                'open cut.sealed' 'open escape.sealed -o -'; do
                shown "$line" | grep -ao 'exit .$\\|hint: name a file with -o'
            done
            shown 'open text.sealed' | diff - <(cat text; echo exit 0)
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(run.text == String(repeating: "hint: name a file with -o\nexit 7\n", count: 5) + "exit 0\n")
    }

    @Test(
        "progress is shown on a terminal after a second, and erased, and a script gets none",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func progress() throws {
        let run = try program.script(
            """
            head -c 3M /dev/zero > zeros
            slow() { echo "(head -c 2M zeros; sleep 1.3; head -c 1M zeros; sleep 0.2) | closer-keys file seal --keyset-file k"; }
            script -qec "$(slow) -o a" /dev/null < /dev/null > shown
            script -qec "$(slow) -o b --json" /dev/null < /dev/null > json
            script -qec "$(slow) -o c 2> errors" /dev/null < /dev/null > nothing
            script -qec "$(slow) -o -" /dev/null < /dev/null | grep -ac 'closer-keys: ' > shared || true
            script -qec "closer-keys file seal --keyset-file k zeros -o d" /dev/null < /dev/null > quick
            """)
        #expect(run.exit == 0, "\(run.errors)")
        let shown = String(decoding: try program.content("shown"), as: UTF8.self)
        #expect(shown.hasPrefix("\rcloser-keys: "), "\(shown.debugDescription)")
        #expect(shown.contains("\rcloser-keys: 3 MiB"))
        #expect(shown.hasSuffix("\r                  \r"))
        #expect(try program.content("json").starts(with: Data("{\"keyId\":".utf8)))
        #expect(try program.content("shared") == Data("0\n".utf8))
        for name in ["nothing", "errors", "quick"] { #expect(try program.content(name).isEmpty, "\(name)") }
    }
}
