import Foundation
import Testing

/// Outputs that are no files (closer-keys(1), Output options).
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
        "a pipe, a descriptor and a device take it, also by a link",
        arguments: [
            "mkfifo pipe; cat pipe > got & sleep 0.5; put pipe; wait",
            "mkfifo pipe; put pipe & sleep 0.5; cat pipe > got; wait",
            "mkfifo pipe; ln -s pipe link; cat pipe > got & put link; wait",
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
        "a file behind a descriptor or a link is refused as an existing file is",
        arguments: ["put /dev/stdout > got", "put /dev/fd/5 5> got", "touch got; ln -s got link; put link"])
    func file(_ script: String) throws {
        let run = try run(script)
        #expect(run.exit == 7 && run.errors.contains(" exists\n"), "\(run.errors)")
        #expect(try program.content("got").isEmpty)
    }

    @Test("with --force a link stays a link, and the file at its end is replaced")
    func link() throws {
        let run = try run(
            "echo former > got; chmod 644 got; ln -s got link; put link --force; stat -c %a got")
        #expect(run.exit == 0 && run.text == "600\n", "\(run.errors)")
        #expect(try program.content("got") == program.content("public"))
        let link = program.folder.appending(path: "link").path()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "got")
    }

    @Test("a folder is refused, with --force, too", arguments: ["", "--force"])
    func folder(_ force: String) throws {
        let run = try run("mkdir folder; put folder \(force)")
        #expect(run.exit == 73 && run.errors.contains("cannot create folder: "), "\(run.errors)")
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
}
