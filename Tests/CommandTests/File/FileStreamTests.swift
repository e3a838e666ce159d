import CloserWire
import Foundation
import TestSupport
import Testing

/// What can be observed while a stream runs: its memory, terminals, pipes that wait.
@Suite("Files while they are sealed and opened")
struct FileStreamTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try #require(try program("keyset new --type aes256-gcm-hkdf-1mb -o k").exit == 0)
        // Made by Tink, with segments of 64 bytes.
        let small = TestData.streams["streams"]?.array?.first { $0.at("segment").number == 64 }
        try program.write(Data(try #require(small).hex("keyset")), to: "small")
    }

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

    @Test("a segment leaves a slow pipe as soon as it is known to be one")
    func slowPipe() throws {
        let run = try program.script(
            """
            mkfifo pipe
            closer-keys file seal --keyset-file small pipe > sealed & pid=$!
            exec 9> pipe; head -c 57 /dev/zero >&9; sleep 0.5; wc -c < sealed
            exec 9>&-; wait $pid; wc -c < sealed
            closer-keys file open --keyset-file small pipe > opened & pid=$!
            exec 9> pipe; head -c 129 sealed >&9; sleep 0.5; wc -c < opened
            tail -c +130 sealed >&9; exec 9>&-; wait $pid; wc -c < opened
            """)
        // First one segment of 64 bytes and the byte behind it have come, then two segments.
        #expect(run.text == "128\n145\n56\n57\n")
    }

    @Test(
        "a terminal gets text, whole characters of it, and neither ciphertext nor binary",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func terminal() throws {
        let text = String(repeating: "aé日❤️\n", count: 100)
        try program.write(Data(text.utf8), to: "text")
        try program.write(Data(text.utf8.dropLast(3)), to: "cut")
        try program.write(Data([0x1B, 0x5B, 0x32, 0x4A]), to: "escape")
        let run = try program.script(
            """
            set +e
            for name in text cut escape; do closer-keys file seal --keyset-file small $name -o $name.sealed; done
            on_terminal() { script -qec "$1; echo exit \\$?" /dev/null < /dev/null; }
            on_terminal 'closer-keys file seal --keyset-file small text'
            on_terminal 'closer-keys file seal --keyset-file small text -o /dev/tty'
            on_terminal 'closer-keys file open --keyset-file small escape.sealed'
            on_terminal 'closer-keys file open --keyset-file small escape.sealed -o /dev/tty'
            on_terminal 'closer-keys file open --keyset-file small cut.sealed' | tail -n 3
            on_terminal 'closer-keys file open --keyset-file small escape.sealed -o -' | tr -d '\\033'
            on_terminal 'closer-keys file open --keyset-file small text.sealed' > shown
            """)
        let exits = run.text.split(whereSeparator: \.isNewline).compactMap { line in
            line.range(of: "exit ").map { line[$0.upperBound...] }
        }
        #expect(exits == ["7", "7", "7", "7", "7", "0"], "\(run.text)")
        #expect(run.text.contains("hint: name a file with -o"))
        let shown = String(decoding: try program.content("shown"), as: UTF8.self).replacing(
            "\r\n", with: "\n")
        #expect(shown == text + "exit 0\n")
    }

    @Test(
        "progress is shown on a terminal after a second, and erased; a script never sees it",
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
