import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("Exit codes, and what is never done")
struct RefusalCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        for arguments in [
            "keyset new --type aes256-gcm -o k", "keyset new --type aes256-gcm -o other",
            "keyset new --type ecies-p256 -o e",
        ] { try #require(try program(arguments).exit == 0) }
        let token = try program("field seal --keyset-file k --couple c -o token", input: "text")
        try #require(token.exit == 0)
    }

    @Test(
        "each refusal has its exit code and its id",
        .proves("Exit codes and error ids are those of the manual"),
        arguments: [
            ("field open --keyset-file k --couple d token", 3, "authFailed"),
            ("field open --keyset-file other --couple c token", 4, "noKey"),
            ("field open --keyset-file k --couple c k", 5, "malformed"),
            ("field open --keyset-file e --couple c token", 5, "malformed"),
            ("field open --keyset-file token --couple c token", 5, "malformed"),
            ("field open --keyset-file k --couple a|b token", 5, "malformed"),
            ("field open --keyset-file k --couple c missing", 66, "noInput"),
            ("field open --keyset-file missing --couple c token", 66, "noInput"),
            ("field seal --keyset-file k --couple c token -o k", 7, "inputRequired"),
            ("field seal --keyset-file k --couple c token -o k --force", 7, "inputRequired"),
            ("field seal --keyset-file k --couple c e -o no/folder", 73, "cantCreate"),
            ("field", 64, "usage"), ("keyset list", 64, "usage"), ("keyset list k k", 64, "usage"),
            ("field seal --couple c token", 66, "noInput"), ("field seal --keyset-file k token", 64, "usage"),
            ("field seal --keyset-file k --couple c --foo", 64, "usage"),
            ("keyset new --type aes128-gcm", 64, "usage"),
            ("keyset new --type aes256-gcm --salt-hex 00", 64, "usage"),
            ("keyset new --type ecies-p256 --salt-hex 0", 64, "usage"),
            ("keyset promote k --key-id 1", 4, "noKey"), ("keyset public k", 5, "malformed"),
            ("keyset new --type aes256-gcm", 7, "inputRequired"),
            ("keybox seal --to pub:v1:AAAA --context c token", 5, "malformed"),
            ("keybox seal --to-file k --context c token", 5, "malformed"),
            ("keybox open --keyset-file k --context c token", 5, "malformed"),
            ("inspect k.missing", 66, "noInput"), ("inspect enc:v2:AAAA", 5, "malformed"),
            ("nonsense", 64, "usage"),
        ] as [(String, Int32, String)])
    func refusals(_ arguments: String, _ exit: Int32, _ id: String) throws {
        let before = try program.files()
        let run = try program(arguments + " --json", input: "input")
        #expect(run.exit == exit)
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        #expect(error?["code"]?.string == id)
        #expect(error?["exit"]?.number == Double(exit))
        #expect(run.errors.hasPrefix("closer-keys: error: "))
        #expect(error?["message"]?.string.map { run.errors.contains($0) } == true)
        #expect(try program.files() == before)
    }

    @Test("a plaintext of more than 1 MiB is 6, and leaves no file")
    func limit() throws {
        try program.write(Data(count: 1 << 20 | 1), to: "large")
        let run = try program("field seal --keyset-file k --couple c large -o sealed")
        #expect(run.exit == 6)
        #expect(run.errors == "closer-keys: error: large has more than 1048576 bytes\n")
        #expect(try !program.files().contains("sealed"))
        try program.write(Data(count: 1 << 20), to: "fits")
        #expect(try program("field seal --keyset-file k --couple c fits -o sealed").exit == 0)
        #expect(try program("field open --keyset-file k --couple c sealed").output == Data(count: 1 << 20))
    }

    @Test("the primary is not disabled, and a disabled key is not promoted: 8")
    func notYet() throws {
        let list = try JSONValue(parsing: program("keyset list k --json").output.dropLast())
        let primary = Int(list["primaryKeyId"]?.number ?? 0)
        #expect(try program("keyset disable k --key-id \(primary) -o x").exit == 8)
        #expect(try program("keyset add k -o two").exit == 0)
        let keys =
            try JSONValue(parsing: program("keyset list two --json").output.dropLast())["keys"]?.array ?? []
        let added = Int(keys.last?["keyId"]?.number ?? 0)
        #expect(try program("keyset disable two --key-id \(added) -o three").exit == 0)
        #expect(try program("keyset promote three --key-id \(added) -o four").exit == 8)
        #expect(try program.files().contains("four") == false)
    }

    @Test("standard input is read once")
    func standardInputOnce() throws {
        let keyset = try program.content("k")
        let run = try program.run(["field", "seal", "--keyset-file", "-", "--couple", "c"], input: keyset)
        #expect((run.exit, run.errors) == (64, "closer-keys: error: standard input can be read only once\n"))
        let token = try program.run(
            ["field", "seal", "--keyset-file", "-", "--couple", "c", "e"], input: keyset)
        #expect(token.exit == 0)
    }

    @Test("a keyset that others can read is used with a warning")
    func openKeyset() throws {
        let run = try program.script("chmod 644 k; closer-keys field open --keyset-file k --couple c token")
        #expect((run.exit, run.text) == (0, "text"))
        #expect(run.errors == "closer-keys: warning: k can be read by others\n")
    }

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

    @Test("an argument that is not UTF-8 is refused, not repaired: two contexts would become one")
    func malformedArgument() throws {
        let run = try program.script(
            "set +e; closer-keys keybox open --keyset-file e --context $'\\xff' token; exit $?")
        #expect((run.exit, run.errors) == (64, "closer-keys: error: an argument is not UTF-8\n"))
    }

    @Test(
        "usage errors quote no value, whatever is in it",
        arguments: [
            ["field", "open", "hunter2", "hunter2"], ["keyset", "new", "--type", "hunter2"], ["hunter2"],
            ["keyset", "promote", "k", "--key-id", "hunter2"], ["keyset", "new", "--type", "my. hunter2"],
            ["keyset", "new", "--type", "hunter2\nfoo"],
            ["keyset", "promote", "k", "--key-id", "1. hunter2"],
            ["no. hunter2"], ["keyset", "list", "k", "--json=hunter2"],
            ["--generate-completion-script", "hunter2"],
            ["keyset", "new", "--type", "' is invalid for 'hunter2"],
        ])
    func noValues(_ arguments: [String]) throws {
        let run = try program.run(arguments, input: Data())
        #expect(run.exit == 64)
        #expect(!run.errors.contains("hunter2") && !run.text.contains("hunter2"), "\(run.errors)")
    }

    @Test(
        "names of our own are named",
        arguments: [
            ("keyset new --type x", "the value for '--type <type>' is invalid"),
            ("version --foo", "unknown option '--foo'"),
            ("keyset new", "missing expected argument '--type <type>'"),
            ("keybox seal --context x", "give the public key with --to or with --to-file"),
        ])
    func usageNames(_ arguments: String, _ message: String) throws {
        let run = try program(arguments)
        #expect(run.errors.hasPrefix("closer-keys: error: \(message)\n"), "\(run.errors)")
    }

    @Test("errors quote no input", .proves("A secret is written only where it belongs"))
    func noInput() throws {
        let secret = "hunter2-correct-horse"
        for arguments in [
            "field open --keyset-file k --couple c", "keybox open --keyset-file e --context c", "inspect -",
        ] {
            let run = try program(arguments, input: secret)
            #expect(run.exit != 0)
            #expect(!run.errors.contains("hunter2") && !run.text.contains("hunter2"))
        }
    }

    @Test("a closed standard output is an error of its own: 74")
    func closedOutput() throws {
        let run = try program.script(
            "set +e; closer-keys field seal --keyset-file k --couple c e >&-; exit $?")
        #expect(run.exit == 74)
        let full = try program.script("set +e; closer-keys exit-codes > /dev/full; exit $?")
        #expect(full.exit == 74)
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
        "help that cannot be written is an error: 74",
        arguments: ["--help", "--version", "--generate-completion-script bash"])
    func helpNotWritten(_ arguments: String) throws {
        let run = try program.script("set +e; closer-keys \(arguments) > /dev/full; exit $?")
        #expect(run.exit == 74)
    }

    @Test("a file's name steers no terminal")
    func fileNames() throws {
        let run = try program.run(["keyset", "list", "a\u{1b}[31m\nb\u{9b}c"], input: Data())
        #expect(run.exit == 66)
        #expect(run.errors.hasPrefix("closer-keys: error: cannot read a\u{fffd}[31m\u{fffd}b\u{fffd}c: "))
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test("limits of the command line: a long salt, a large keybox, a large token are 6")
    func limits() throws {
        let salt = String(repeating: "00", count: 1025)
        #expect(try program("keyset new --type ecies-p256 --salt-hex \(salt) -o s").exit == 6)
        try program.write(Data(count: 1 << 20 | 1), to: "large")
        try #require(try program("keyset public e -o e.pub").exit == 0)
        #expect(try program("keybox seal --to-file e.pub --context x large -o box").exit == 6)
        try program.write(Data(repeating: 0x41, count: 2 << 20 | 1), to: "token2")
        #expect(try program("field open --keyset-file k --couple c token2").exit == 6)
        #expect(try program("keyset list token2").exit == 6)
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
