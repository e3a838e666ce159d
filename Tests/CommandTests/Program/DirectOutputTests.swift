import Foundation
import Testing

/// Outputs that are no files (closer-keys(1), GLOBAL OPTIONS).
@Suite("A pipe, a terminal or a device gets the result as it comes")
struct DirectOutputTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try #require(try program("keyset new --type ecies-p256 -o k").exit == 0)
        try #require(try program("keyset public k -o public").exit == 0)
    }

    /// The script with `put`, which writes a result of a hundred bytes or so to the output that is named.
    private func run(_ script: String) throws -> ClosingProgram.Run {
        try program.script("put() { closer-keys keyset public k -o \"$@\"; }\n\(script)")
    }

    @Test(
        "a pipe of one's own, a descriptor and a device take it",
        arguments: [
            "mkfifo pipe; cat pipe > got & sleep 0.5; put pipe; wait",
            "mkfifo pipe; put pipe & sleep 0.5; cat pipe > got; wait",
            "put /dev/stdout | cat > got", "put /dev/stderr 2>&1 | cat > got",
            "put /dev/fd/5 5> >(cat > got); sleep 0.5",
            "put >(cat > got); sleep 0.5", "put /dev/null; cp public got",
        ])
    func taken(_ script: String) throws {
        let run = try run(script)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try program.content("got") == program.content("public"))
    }

    @Test(
        "a file behind a descriptor is refused as an existing file is",
        arguments: ["put /dev/stdout > got", "put /dev/fd/5 5> got", "touch got; ln -s got link; put link"])
    func file(_ script: String) throws {
        let run = try run(script)
        #expect(run.exit == 7 && run.errors.contains(" exists\n"), "\(run.errors)")
        #expect(try program.content("got").isEmpty)
    }

    @Test("and with --force, too: nobody replaces the system's own name")
    func systemName() throws {
        let run = try run("put /dev/stdout --force > got")
        #expect(run.exit == 73 && run.errors.contains("/dev/stdout: is an open file"), "\(run.errors)")
        #expect(try program.content("got").isEmpty)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/dev/stdout") == "/proc/self/fd/1")
    }

    @Test(
        "a link to what is no file is not followed",
        arguments: ["/dev/stdout", "/dev/null", "own", "/proc/self/fd/1"])
    func link(_ target: String) throws {
        let run = try run(
            "mkfifo own; ln -s \(target) link; put link | cat > got")
        #expect(run.exit == 73 && run.errors.contains("link: is a link to what is no file"), "\(run.errors)")
        #expect(try program.content("got").isEmpty)
    }

    @Test(
        "nor by a name below the system's folders, in which others can make links",
        arguments: [
            "/dev/shm/closer-keys-$$", "/proc/self/cwd", "/dev/../$PWD",
        ])
    func linkBelow(_ folder: String) throws {
        let run = try run(
            """
            folder=\(folder); mkdir -p $folder 2> none || true; ln -s /dev/null $folder/link
            put $folder/link; code=$?; rm -rf /dev/shm/closer-keys-$$; exit $code
            """)
        #expect(run.exit == 73 && run.errors.contains("is a link to what is no file"), "\(run.errors)")
    }

    /// Whether this is root, who can have a block device made of a file.
    private static func canMakeDevices() throws -> Bool {
        guard getuid() == 0 else { return false }
        return try ClosingProgram().script(
            "truncate -s 1M image; device=$(losetup -f --show image); losetup -d $device"
        ).exit == 0
    }

    @Test(
        "a disk is not written, with --force neither", .enabled(if: try canMakeDevices()),
        arguments: ["", "--force"])
    func disk(_ force: String) throws {
        let run = try run(
            """
            truncate -s 1M image; device=$(losetup -f --show image)
            put $device \(force) || echo "exit $?"
            sync; losetup -d $device; tr -d '\\0' < image
            """)
        #expect(run.text == "exit 73\n", "\(run.errors)")
    }

    // Whether somebody reads it already or not: it is not waited for, either.
    @Test(
        "another user's pipe gets no secret, and the vault is not changed", .enabled(if: getuid() == 0),
        arguments: [
            "couple create --couple c --phrase-file theirs -o invite",
            "couple create --couple c --phrase-file phrase -o theirs", "device show -o theirs",
        ], ["", "exec 8<> theirs", "exec 8<> theirs; exec < theirs"])
    func foreignPipe(_ arguments: String, _ read: String) throws {
        let run = try run(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key > /dev/null; cp a.db before
            mkfifo -m 666 theirs; chown 65534 theirs; \(read)
            timeout 10 closer-keys \(arguments) --vault a.db 8<&- || echo "exit $?"
            cmp a.db before
            if [ -e /dev/fd/8 ] && read -t 0.2 line <&8; then echo "they got $line"; fi
            """)
        #expect(run.text == "exit 73\n", "\(run.errors)")
        #expect(run.errors.contains("theirs is another user's pipe or terminal\n"), "\(run.errors)")
        #expect(run.errors.contains("hint: name a new file"), "\(run.errors)")
        #expect(try !program.files().contains { ["phrase", "invite"].contains($0) })
    }

    @Test(
        "another user's pipe that takes the messages gets nothing else by its other names",
        .enabled(if: getuid() == 0))
    func foreignLog() throws {
        let run = try run(
            """
            mkfifo -m 666 log; chown 65534 log; ln log theirs; cat log > got &
            timeout 10 closer-keys keyset public k -o theirs 2>> log || echo "exit $?"; wait
            """)
        #expect(run.text == "exit 73\n", "\(run.errors)")
        #expect(try !program.content("got").contains(program.content("public").prefix(40)))
    }

    @Test("another user's terminal gets nothing", .enabled(if: getuid() == 0))
    func foreignTerminal() throws {
        let run = try run(
            """
            python3 -c '
            import os, pty, subprocess
            ours, theirs = pty.openpty()
            os.fchown(theirs, 65534, -1); os.fchmod(theirs, 0o666)
            name = os.ttyname(theirs)
            print(subprocess.run(["closer-keys", "keyset", "public", "k", "-o", name]).returncode)'
            """)
        #expect(run.text == "73\n", "\(run.errors)")
    }

    @Test("a terminal that is read does not become the terminal of a program that has none")
    func inputTerminal() throws {
        let run = try run(
            """
            timeout 20 python3 -c '
            import os, pty, subprocess, time
            ours, theirs = pty.openpty()
            run = subprocess.Popen(["closer-keys", "inspect", os.ttyname(theirs)], start_new_session=True)
            name = "/proc/%d" % run.pid
            while not any(os.readlink(name + "/fd/" + n).startswith("/dev/pts") for n in os.listdir(name + "/fd") if int(n) > 2): time.sleep(0.01)
            print(open(name + "/stat").read().rsplit(")", 1)[1].split()[4])
            os.write(ours, b"x\\n\\x04")
            run.wait()'
            """)
        #expect(run.text.hasPrefix("0\n"), "\(run.text) \(run.errors)")
    }

    @Test("a pipe of another user's that was given to the program takes it", .enabled(if: getuid() == 0))
    func givenPipe() throws {
        let run = try run(
            """
            mkfifo theirs; chown 65534 theirs; cat theirs > got &
            put /dev/stdout > theirs; wait
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try program.content("got") == program.content("public"))
    }
}
