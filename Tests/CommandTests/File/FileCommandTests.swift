import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("Files: sealed and opened as streams")
struct FileCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try #require(try program("keyset new --type aes256-gcm-hkdf-1mb -o k").exit == 0)
        // A file of three segments; the second and the third have 1 MiB less 16.
        try program.write(Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8) }), to: "file")
        try #require(try program("file seal --keyset-file k file -o sealed").exit == 0)
    }

    @Test(
        "files and pipes, both ways, around the borders of segments",
        arguments: [0, 1, 65_536, 1_048_519, 1_048_520, 1_048_521, 2_097_080, 2_097_081, 3_000_000])
    func roundTrip(_ count: Int) throws {
        let run = try program.script(
            """
            head -c \(count) <(cat file file) > in
            closer-keys file seal --keyset-file k < in > a
            cat in | closer-keys file seal --keyset-file k - | cat > b
            closer-keys file seal --keyset-file k in -o c
            for sealed in a b c; do
                closer-keys file open --keyset-file k $sealed | cmp - in
                cat $sealed | closer-keys file open --keyset-file k | cmp - in
                closer-keys file open --keyset-file k $sealed -o out --force
                cmp out in
            done
            wc -c < a; wc -c < b; wc -c < c
            """)
        #expect(run.exit == 0, "\(run.errors)")
        let segments = 1 + max(0, (count - 1_048_520 + 1_048_559) / 1_048_560)
        #expect(run.text == String(repeating: "\(40 + count + 16 * segments)\n", count: 3))
        #expect(run.errors == "")
    }

    @Test("--json tells the key and both sizes; the file has mode 0600")
    func json() throws {
        let sealed = try program("file seal --keyset-file k file -o s2 --json")
        let keyID = try program("keyset list k").text.prefix { $0 != " " }
        #expect(
            sealed.text == "{\"keyId\":\(keyID),\"bytesIn\":2500000,\"bytesOut\":2500088,\"output\":\"s2\"}\n"
        )
        let opened = try program("file open --keyset-file k s2 -o o2 --json")
        #expect(
            opened.text == "{\"keyId\":\(keyID),\"bytesIn\":2500088,\"bytesOut\":2500000,\"output\":\"o2\"}\n"
        )
        let mode = try FileManager.default.attributesOfItem(
            atPath: program.folder.appending(path: "o2").path())
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test("the file is tied to its associated data, whatever is in it", arguments: ["a b", "-x", "❤"])
    func associatedData(_ text: String) throws {
        let option = ["--associated-data=\(text)"]
        let sealed = try program.run(["file", "seal", "--keyset-file", "k"] + option, input: Data("hi".utf8))
        let opened = try program.run(
            ["file", "open", "--keyset-file", "k"] + option, input: sealed.output)
        #expect((opened.exit, opened.text) == (0, "hi"))
        let other = try program.run(
            ["file", "open", "--keyset-file", "k", "--associated-data", "other"], input: sealed.output)
        #expect(other.exit == 3)
    }

    @Test(
        "each refusal has its exit code and its id",
        arguments: Effort.some(
            of: [
                ("file open --keyset-file other sealed", 3, "authFailed"),
                ("file open --keyset-file k --associated-data x sealed", 3, "authFailed"),
                ("file open --keyset-file k k", 5, "malformed"),
                ("file open --keyset-file k file", 5, "malformed"),
                ("file open --keyset-file k short", 5, "malformed"),
                ("file open --keyset-file k empty", 5, "malformed"),
                ("file open --keyset-file a sealed", 5, "malformed"),
                ("file seal --keyset-file a file", 5, "malformed"),
                ("file seal --keyset-file file file", 6, "limit"),
                ("field seal --keyset-file k --couple c short", 5, "malformed"),
                ("keyset public k", 5, "malformed"),
                ("file seal --keyset-file k file -o sealed", 7, "inputRequired"),
                ("file seal --keyset-file k file -o file --force", 7, "inputRequired"),
                ("file seal --keyset-file k file -o k --force", 7, "inputRequired"),
                ("file seal --keyset-file k file", 7, "inputRequired"),
                ("file open --keyset-file k sealed -o -", 7, "inputRequired"),
                ("file seal --keyset-file k --couple c file", 64, "usage"),
                ("file open --keyset-file k --vault v sealed", 64, "usage"),
                ("file seal --keyset-file k --require-rekeyed file", 64, "usage"), ("file", 64, "usage"),
                ("keyset new --type aes256-gcm-hkdf-1mb --prefix tink", 64, "usage"),
                ("keyset new --type aes256-gcm-hkdf-1mb --dem aes256-gcm", 64, "usage"),
                ("keyset add k --prefix crunchy", 64, "usage"),
                ("file seal --keyset-file k missing", 66, "noInput"),
                ("file open --keyset-file missing sealed", 66, "noInput"),
                ("file seal --keyset-file k file -o no/folder", 73, "cantCreate"),
            ] as [(String, Int32, String)], everyOther: 2))
    func refusals(_ arguments: String, _ exit: Int32, _ id: String) throws {
        for name in ["other", "a"] {
            let type = name == "a" ? "aes256-gcm" : "aes256-gcm-hkdf-1mb"
            try #require(try program("keyset new --type \(type) -o \(name)").exit == 0)
        }
        try program.write(try program.content("sealed").prefix(55), to: "short")
        try program.write(Data(), to: "empty")
        let before = try program.files()
        // The content cannot go where JSON goes, so it goes nowhere.
        let wantsFile = arguments.hasPrefix("file open") && exit < 7
        let run = try program("\(arguments) --json\(wantsFile ? " -o out" : "")")
        #expect(run.exit == exit, "\(run.errors)")
        let error = try JSONValue(parsing: run.output.dropLast()).at("error")
        #expect((error.text("code"), error.at("exit").number) == (id, Double(exit)))
        #expect(try program.files() == before)
    }

    @Test("associated data above 32 KiB is 6")
    func longAssociatedData() throws {
        for (count, exit) in [(32_768, 0), (32_769, 6)] as [(Int, Int32)] {
            let text = String(repeating: "a", count: count)
            let run = try program("file seal --keyset-file k --associated-data \(text) file -o long --force")
            #expect(run.exit == exit)
        }
    }

    @Test(
        "-o: a fault in the last segment leaves no file; what was there stays",
        .proves("A file that was cut or changed is refused"))
    func wholeOrNot() throws {
        let sealed = try program.content("sealed")
        for faulty in [
            Data([UInt8](sealed).flipping(bit: sealed.count * 8 - 1)), sealed.prefix(1 << 20), sealed + [0],
        ] {
            try program.write(faulty, to: "faulty")
            let new = try program("file open --keyset-file k faulty -o out")
            #expect(new.exit == 3)
            #expect(!new.errors.contains("part of the file"))
            #expect(try program.files() == ["faulty", "file", "k", "sealed"])
            let old = try program("file open --keyset-file k faulty -o file --force")
            #expect(old.exit == 3)
            #expect(try program.content("file").count == 2_500_000)
        }
    }

    @Test("to a pipe: the segments before the fault come, and that they are only a part is said")
    func part() throws {
        let sealed = try program.content("sealed")
        try program.write(Data([UInt8](sealed).flipping(bit: 8 * 2_400_000)), to: "faulty")
        let run = try program("file open --keyset-file k faulty")
        #expect(run.exit == 3)
        #expect(run.output == (try program.content("file")).prefix(2 * (1 << 20) - 72))
        #expect(run.errors.contains("what was written is only a part of the file\n"))
        #expect(run.errors.contains("hint: throw that part away; with -o"))
        let device = try program("file open --keyset-file k faulty -o /dev/null")
        #expect(device.errors.contains("what was written is only a part of the file\n"))
        // A fault in the first segment: nothing was written.
        try program.write(Data([UInt8](sealed).flipping(bit: 8 * 50)), to: "faulty")
        let none = try program("file open --keyset-file k faulty")
        #expect((none.exit, none.output.count) == (3, 0))
        #expect(!none.errors.contains("part of the file"))
    }

    @Test("the shell's >> to the input does not feed it with itself")
    func appended() throws {
        // The time limit ends the run if the file should feed itself after all.
        let run = try program.script(
            "set +e; ulimit -f 16384; closer-keys file seal --keyset-file k file >> file; exit $?")
        #expect(run.exit == 7)
        #expect(try program.content("file").count == 2_500_000)
    }

    @Test("standard input is the keyset or the file, not both")
    func standardInputTwice() throws {
        let run = try program.script(
            """
            closer-keys file open --keyset-file - sealed < k | cmp - file
            set +e; closer-keys file open --keyset-file - - < k; exit $?
            """)
        #expect(run.exit == 64)
    }

    @Test("a full disk is 74, and leaves no part of a file")
    func fullDisk() throws {
        let before = try program.files()
        let full = try program.script(
            "set +e; closer-keys file seal --keyset-file k file > /dev/full; exit $?")
        #expect(full.exit == 74)
        let limited = try program.script(
            "set +e; ulimit -f 1200; closer-keys file seal --keyset-file k file -o out; exit $?")
        #expect(limited.exit == 74)
        #expect(try program.files() == before)
    }

    @Test("a signal leaves no part of a file", arguments: [("INT", 130), ("TERM", 143)])
    func interrupted(_ signal: String, _ exit: Int) throws {
        let run = try program.script(
            """
            mkfifo pipe; exec 9<>pipe
            set -m +e
            closer-keys file seal --keyset-file k pipe -o out 2>/dev/null & pid=$!
            cat file >&9; sleep 0.5; ls -A | grep -c tmp
            kill -\(signal) $pid; wait $pid; echo $?; ls -A | grep -c tmp
            """)
        #expect(run.text == "1\n\(exit)\n0\n")
        #expect(!(try program.files()).contains("out"))
    }

    @Test("a keyset that others can read is used, with a warning")
    func warning() throws {
        let run = try program.script(
            "chmod 644 k; closer-keys file open --keyset-file k sealed | cmp - file")
        #expect(run.errors == "closer-keys: warning: k can be read by others\n")
    }

    @Test("rotation: the new key seals, the old one opens until it is disabled")
    func rotation() throws {
        let run = try program.script(
            """
            OLD=$(closer-keys keyset list k | cut -d ' ' -f 1)
            closer-keys keyset add k -o k2
            NEW=$(closer-keys keyset list k2 | tail -n 1 | cut -d ' ' -f 1)
            closer-keys keyset promote k2 --key-id $NEW -o k3
            closer-keys keyset convert k3 --format json -o k3.json
            closer-keys file open --keyset-file k3.json sealed -o out --json | grep -c $OLD
            closer-keys file seal --keyset-file k3 file -o sealed3 --json | grep -c $NEW
            closer-keys keyset disable k3 --key-id $OLD -o k4
            closer-keys file open --keyset-file k4 sealed3 | cmp - file
            closer-keys file open --keyset-file k4 sealed -o no 2> /dev/null || echo $?
            closer-keys keyset list k4 | cut -d ' ' -f 3-
            """)
        #expect(
            run.text == """
                1
                1
                3
                aes256-gcm-hkdf-1mb  disabled  raw
                aes256-gcm-hkdf-1mb  enabled  raw  primary

                """)
    }
}
