import Foundation
import TestSupport
import Testing

@Suite("What goes to a terminal")
struct OutputCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram(
            after:
                "closer-keys keyset new --type aes256-gcm -o k; closer-keys keyset new --type ecies-p256 -o e"
        )
    }

    @Test(
        "a terminal gets no key and no binary, unless it is asked for",
        .proves("A secret is written only where it belongs"),
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func terminal() throws {
        try program.write(Data([0x1B, 0x5B, 0x32, 0x4A]), to: "escape")
        let run = try program.script(
            """
            set +e
            closer-keys field seal --keyset-file k --couple c escape -o token
            closer-keys keyset public e -o e.pub
            on_terminal() { script -qec "$1; echo exit \\$?" /dev/null < /dev/null; }
            on_terminal 'closer-keys keyset new --type aes256-gcm'
            on_terminal 'closer-keys keyset convert k --format json'
            on_terminal 'closer-keys field open --keyset-file k --couple c token'
            on_terminal 'closer-keys keybox seal --to e.pub --context x --format binary k'
            on_terminal 'closer-keys keyset new --type aes256-gcm -o /dev/tty'
            printf 'a\\xc2\\x9b2J' | closer-keys field seal --keyset-file k --couple c -o c1
            on_terminal 'closer-keys field open --keyset-file k --couple c c1'
            on_terminal 'closer-keys field seal --keyset-file k --couple c escape'
            on_terminal 'closer-keys field open --keyset-file k --couple c token -o -' | tr -d '\\033'
            """)
        let exits = run.text.split(whereSeparator: \.isNewline).compactMap { line in
            line.range(of: "exit ").map { line[$0.upperBound...] }
        }
        #expect(exits == ["7", "7", "7", "7", "7", "7", "0", "0"], "\(run.text)")
        #expect(run.text.contains("hint: name a file with -o"))
    }

    @Test("what a keybox held goes to no terminal, as a file neither")
    func keybox() throws {
        let run = try program.script(
            """
            closer-keys keyset public e -o k.pub
            echo '{"plaintext":"hunter2"}' | closer-keys keybox seal --to k.pub --context x --jsonl > boxes
            for output in "" "-o /dev/tty"; do
                script -qec "closer-keys keybox open --keyset-file e --context x --jsonl boxes $output; echo exit \\$?" /dev/null
            done
            """)
        #expect(
            run.text.components(separatedBy: "exit 7").count == 3 && !run.text.contains("hunter2"),
            "\(run.text)")
    }
}
