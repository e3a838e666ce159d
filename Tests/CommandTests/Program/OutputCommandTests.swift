import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("Input, output, terminals")
struct OutputCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try #require(try program("keyset new --type aes256-gcm -o k").exit == 0)
        try #require(try program("keyset new --type ecies-p256 -o e").exit == 0)
    }

    @Test(
        "plaintexts are verbatim: no byte trimmed, none added",
        arguments: ["", "\n", " text \r\n\r\n", "\u{0}\u{1}", "❤"])
    func verbatim(_ text: String) throws {
        let token = try program("field seal --keyset-file k --couple c", input: text)
        #expect(token.text.hasPrefix("enc:v1:") && token.text.hasSuffix("\n"))
        #expect(
            try program("field open --keyset-file k --couple c", input: token.text).output == Data(text.utf8))
    }

    @Test("-o writes the result with mode 0600, and --json describes it without repeating it")
    func outputAndJSON() throws {
        let run = try program("field seal --keyset-file k --couple c -o token --json", input: "text")
        let object = try JSONValue(parsing: run.output.dropLast())
        #expect(object.members?.map(\.name) == ["keyId", "output"])
        #expect(try String(decoding: program.content("token"), as: UTF8.self).hasPrefix("enc:v1:"))
        let mode = try FileManager.default.attributesOfItem(
            atPath: program.folder.appending(path: "token").path())
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "no vault that is known is replaced by an output, whatever leads there and whoever changes it meanwhile",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func outputOverVault() throws {
        let run = try program.watching(
            """
            os.mkdir("v")
            assert run("device init --vault v/a.db --user alice --key-file a.key").returncode == 0
            assert run("device init --vault v/b.db --user bob --key-file b.key").returncode == 0
            os.symlink("v", "backups")
            waiting = asking("device export --vault v/a.db --force -o backups/a.db", "--export-passphrase-fd")
            assert run("device policy --vault v/a.db --require-paired").returncode == 0
            # Also where the machine has forgotten it.
            state = glob.glob(".local/state/closer-keys/*.json")
            for memory in state: os.rename(memory, memory + ".away")
            words, code = answered(*waiting)
            assert code == 7 and "in use by this same command" in words, words
            for memory in state: os.rename(memory + ".away", memory)
            other = run("keyset new --type aes256-gcm --force -o backups/b.db")
            assert other.returncode == 7 and b"that this machine knows" in other.stderr, other
            os.symlink(".", "here")
            for path in "here/b.key", "here/v/b.db.lock", state[0], state[0].replace(".json", ".turn"):
                other = run(f"keyset new --type aes256-gcm --force -o {path}")
                assert other.returncode == 7, other
            # Also where none is there for a moment.
            os.rename("v/b.db", "v/away.db")
            assert run("keyset new --type aes256-gcm --force -o backups/b.db").returncode == 7
            os.rename("v/away.db", "v/b.db")
            for name in "a", "b":
                assert run(f"device show --vault v/{name}.db --key-file {name}.key").returncode == 0
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    private static let mayOnlyAppend =
        geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/chattr")

    @Test(
        "a folder in which no name can be removed gets no second name in silence", .enabled(if: mayOnlyAppend)
    )
    func twoNames() throws {
        let run = try program.script(
            """
            mkdir o; chattr +a o; trap 'chattr -a o' EXIT
            set +e; echo text | closer-keys field seal --keyset-file k --couple c -o o/token; echo $?
            closer-keys device init --vault a.db --user alice --key-file o/key; echo $?
            """)
        #expect(run.text == "73\n73\n", "\(run.errors)")
        #expect(run.errors.contains(".tmp has it, too, and cannot be removed"), "\(run.errors)")
        #expect(try !program.files().contains("a.db"))
    }

    @Test(
        "a working folder that is moved meanwhile is told",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func movedFolder() throws {
        let run = try program.watching(
            """
            os.mkdir("w")
            shutil.copy("k", "w")
            line = "field seal --keyset-file k --couple c"
            command = subprocess.Popen(["closer-keys", *line.split()], cwd="w", stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            until_asleep(command)
            os.rename("w", "x")
            told = command.communicate(b"text")[1].decode()
            assert "/w at first and is " in told and "/x now: a relative name" in told, told
            assert command.returncode == 0
            ended = subprocess.run(["closer-keys", *line.split()], cwd="x", input=b"text", capture_output=True)
            assert not ended.returncode and not ended.stderr, ended
            if os.path.exists("/dev/full"):
                command = subprocess.Popen(["closer-keys", *line.split()], cwd="x", stdin=subprocess.PIPE, stderr=open("/dev/full", "w"))
                until_asleep(command)
                os.rename("x", "y")
                command.communicate(b"text")
                assert command.returncode == 74, command.returncode
                line = "field seal --json --keyset-file k --couple c"
                command = subprocess.Popen(["closer-keys", *line.split()], cwd="y", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open("/dev/full", "w"))
                until_asleep(command)
                os.rename("y", "z")
                objects = command.communicate(b"text")[0].splitlines()
                assert len(objects) == 1 and command.returncode == 74, objects
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test("a folder above that is another one for the shell is told before the result, and with --quiet, too")
    func believedFolder() throws {
        let run = try program.script(
            """
            mkdir -p sync/w sync/a private sync/private; here=$(pwd -P)
            cd sync/w; mv ../w ../a/w; mkdir ../../w
            closer-keys keyset new --type aes256-gcm -o ../../private/k --quiet || exit 1
            test -e ../../private/k || exit 2
            closer-keys vectors run --quiet -- ../../private/none && exit 4
            PWD=$here/sync/a/w closer-keys keyset list ../../private/k --quiet > log 2> told; test ! -s told || exit 3
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(run.errors.contains("warning: ../.. is "), "\(run.errors)")
        #expect(run.errors.contains("/sync/w\n"), "\(run.errors)")
        #expect(run.errors.split(separator: "PWD says that the working folder is").count == 3)
    }

    @Test(
        "where a warning cannot be written, nothing is done in silence",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func unwrittenWarning() throws {
        let run = try program.script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key > log; cp a.db old.db
            closer-keys device policy --vault a.db --require-paired > log; cp a.db new.db; cp old.db a.db
            head -c 32 /dev/urandom > planted; chmod 600 planted
            set +e; for line in "device show --accept-older" "device passphrase --new-key-file planted --accept-older"; do
                closer-keys $line --vault a.db > log 2> /dev/full; echo $?
                closer-keys device show --vault a.db > log 2>&1; echo $?
            done
            cmp a.db old.db; cp new.db a.db; closer-keys device passphrase --vault a.db --new-key-file planted 2> /dev/full
            echo $?; cmp a.db new.db; closer-keys device show --vault a.db > log; echo $?
            """)
        #expect(run.text == "74\n8\n74\n8\n74\n0\n", "\(run.text) \(run.errors)")
    }

    @Test(
        "no result follows a warning that was lost, and what it was to say beforehand is not done",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func lostWarning() throws {
        let run = try CoupleScene().run(
            """
            changes() { closer-keys device show --vault a.db --json | jq .changes; }
            set +e; release b alice a alice.json --json > out 2> /dev/full; echo $?; jq -c "[keys[], .error.message]" out
            before=$(changes); digits=$(couple verify a --partner bob --partner-key "$(cat m.pub)")
            couple verify a --partner bob --partner-key "$(cat m.pub)" --digits "$digits" > out 2> /dev/full
            echo $? $(($(changes) - before)) "$(cat out)"
            """)
        #expect(
            run.text
                == """
                74
                ["error","a warning cannot be written to standard error; and the vault was changed before that"]
                74 0 \n
                """, "\(run.text)\(run.errors)")
    }

    @Test("bytes that are no text become base64 in JSON")
    func binaryJSON() throws {
        try program.write(Data([0xFF, 0x00, 0x80]), to: "bytes")
        let token = try program("field seal --keyset-file k --couple c bytes")
        let opened = try program("field open --keyset-file k --couple c --json", input: token.text)
        #expect(try JSONValue(parsing: opened.output.dropLast())["plaintextBase64"]?.string == "/wCA")
    }

    @Test("JSON has no raw control character for a terminal")
    func printableJSON() throws {
        let token = try program("field seal --keyset-file k --couple c", input: "a\u{9b}2J\u{7f}é")
        let opened = try program("field open --keyset-file k --couple c --json", input: token.text)
        #expect(opened.text.hasPrefix("{\"plaintext\":\"a\\u009b2J\\u007fé\","))
    }

    @Test("what a keybox held is a secret: in a file, not in JSON")
    func keyboxIsSecret() throws {
        let box = try program.script(
            "printf key | closer-keys keybox seal --to-file <(closer-keys keyset public e) --context x")
        let json = try program("keybox open --keyset-file e --context x --json", input: box.text)
        #expect(json.exit == 7)
        let file = try program("keybox open --keyset-file e --context x --json -o key", input: box.text)
        #expect(file.exit == 0)
        #expect(try program.content("key") == Data("key".utf8))
    }

    @Test("keyset forms: JSON and binary are the same keyset")
    func convert() throws {
        #expect(try program("keyset convert k --format json -o k.json").exit == 0)
        #expect(try program("keyset convert k.json --format binary -o k2").exit == 0)
        #expect(try program.content("k") == program.content("k2"))
        let listed = try program("keyset list k.json").text
        #expect(try listed == program("keyset list k").text)
        #expect(try program("keyset add k.json -o k3.json").exit == 0)
        #expect(try program.content("k3.json").first == UInt8(ascii: "{"))
    }

    @Test("a keyset is piped through standard input and output")
    func pipes() throws {
        let run = try program.script(
            """
            closer-keys keyset new --type ecies-p256 --point-format compressed --dem aes256-gcm --salt-hex 0a0b > a
            closer-keys keyset add - < a | closer-keys keyset list -
            closer-keys keyset public a --format binary > pub
            printf key | closer-keys keybox seal --to-file pub --context x --format binary | \
                closer-keys keybox open --keyset-file a --context x
            """)
        #expect(run.exit == 0)
        #expect(run.text.split(separator: "\n").count == 3)
        #expect(run.text.contains("ecies-p256+compressed+aes256-gcm+salt  enabled  tink  primary"))
        #expect(run.text.hasSuffix("\nkey"))
    }

    @Test("a box too short for a token's rules says what to do")
    func shortBox() throws {
        try #require(try program("keyset new --type ecies-p256 --point-format compressed -o c").exit == 0)
        try #require(try program("keyset public c --format binary -o c.pub").exit == 0)
        let run = try program("keybox seal --to-file c.pub --context x", input: "k")
        #expect(run.exit == 5)
        #expect(run.errors.contains("hint: use --format binary"))
    }

    @Test(
        "a terminal gets no key and no binary, unless it is asked for",
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
            on_terminal 'closer-keys keybox seal --to-file e.pub --context x --format binary k'
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

    @Test("exit-codes, version and self-test, as lines and as JSON")
    func program_() throws {
        let codes = try program("exit-codes").text.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(
            codes.map { $0[0] } == [
                "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "64", "66", "73", "74", "130", "143",
            ])
        let json = try JSONValue(parsing: program("exit-codes --json").output.dropLast())
        #expect(json["exitCodes"]?.array?.count == codes.count)
        let version = try program("version").text
        #expect(version.prefixMatch(of: /closer-keys \d+\.\d+\.\d+\nlibsodium 1\./) != nil)
        #expect(version.hasSuffix(", swift-argument-parser 1.8.2\n"))
        let test = try JSONValue(parsing: program("self-test --json").output.dropLast())
        #expect(test["passed"]?.array?.count == 16)
        #expect(test["memoryIsLocked"] != nil)
    }
}
