import CloserWire
import Foundation
import Testing

@Suite("Descriptors 0 to 2 that are closed when the program starts")
struct DescriptorTests {
    private let scene: CoupleScene
    private var program: ClosingProgram { scene.program }

    init() async throws { scene = try await CoupleScene() }

    @Test(
        "a closed standard input is an error, and not an empty text",
        arguments: [
            "field seal --vault a.db --couple couple_1", "chat seal --vault a.db --profile fond",
            "field open --vault a.db --couple couple_1 --jsonl",
            "answer seal --vault a.db --couple couple_1 --question q --place daily:2026-11-20",
            "device show --vault a.db --passphrase-file -", "phrase check --phrase-file -", "inspect",
            "check --kind couple",
            "keyset convert -",
        ])
    func input(_ command: String) throws {
        let run = try scene.run("closer-keys \(command) <&-")
        #expect([5, 64, 74].contains(run.exit) && run.exit != 0, "\(run.text)\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test("a closed standard input is told")
    func inputIsTold() throws {
        let run = try scene.run("closer-keys field seal --quiet --vault a.db --couple couple_1 <&-")
        #expect(run.exit == 74 && run.output.isEmpty)
        #expect(run.errors == "closer-keys: error: reading standard input failed: bad file descriptor\n")
    }

    @Test("a closed standard output lets no file have what was meant for it")
    func output() throws {
        let report = try scene.run("closer-keys vectors verify --json-file report.json >&-")
        #expect(report.exit == 74, "\(report.errors)")
        if try program.files().contains("report.json") {
            #expect(throws: Never.self) { try JSONValue(parsing: program.content("report.json").dropLast()) }
        }
        let before = try scene.lines("cksum a.db a.key").count
        let seal = try scene.run("echo x | closer-keys field seal --vault a.db --couple couple_1 >&-")
        #expect(seal.exit == 74 && before == 2)
    }

    @Test("a closed standard error lets no file have a warning")
    func errors() throws {
        let made = try scene.run(
            "closer-keys couple create --vault a.db --couple couple_9 --phrase-file nine.txt -o nine.json 2>&-"
        )
        #expect(made.exit == 0)
        for name in ["nine.txt", "nine.json"] {
            let content = String(decoding: try program.content(name), as: UTF8.self)
            #expect(content.split(separator: "\n").count == 1 && !content.contains("closer-keys:"))
        }
        #expect(try program("device show --vault a.db").exit == 0)
    }

    @Test(
        "a pipe that does not wait by itself is waited for, to read and to write",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func impatient() throws {
        let run = try program.script(
            """
            timeout -s KILL 55 python3 <<'acts'
            import os, subprocess, threading, time
            line = "closer-keys field seal --vault a.db --couple couple_1".split()
            (source, text), (result, token) = os.pipe(), os.pipe()
            for end in (source, token): os.set_blocking(end, False)
            command = subprocess.Popen(line, stdin=source, stdout=token)
            for end in (source, token): os.close(end)
            time.sleep(0.3)
            writer = threading.Thread(target=lambda: (os.write(text, b"x" * 500000), os.close(text)))
            writer.start(); writer.join()
            time.sleep(0.3)
            sealed = open(result, "rb").read()
            assert command.wait() == 0
            opened = subprocess.run(["closer-keys", "field", "open", *line[3:]], input=sealed, capture_output=True)
            assert opened.stdout == b"x" * 500000, opened.stderr
            acts
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test("an export has no warning in it")
    func export() throws {
        try scene.lines(
            """
            echo correct horse > secret
            closer-keys device export --vault a.db --export-passphrase-file secret -o whole 2>&-
            closer-keys device import --vault moved.db --key-file moved.key --export-passphrase-file secret whole
            """)
        #expect(try program.content("whole").starts(with: Data("closer-keys/vault/2\n".utf8)))
    }

    @Test("with all three closed, nothing is harmed")
    func all() throws {
        let run = try scene.run(
            "closer-keys couple create --vault a.db --couple couple_9 --phrase-file nine.txt -o nine.json <&- >&- 2>&-"
        )
        #expect(run.exit == 0)
        #expect(try program("couple list --vault a.db").text.contains("couple_9"))
    }
}
