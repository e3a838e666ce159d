import CloserWire
import Foundation
import Testing

/// Some containers deny it.
private enum LoginKeyring {
    static let isThere: Bool = {
        let run = try? ClosingProgram().script(
            """
            printf words > pass
            closer-keys device init --vault v.db --user alice --passphrase-file pass
            closer-keys device unlock --vault v.db --passphrase-file pass --for 5s
            closer-keys device lock --vault v.db
            """)
        return run?.exit == 0
    }()
}

/// The kernel's keyring is that of whoever runs the tests. Each vault has a name of its own in it.
@Suite("A vault that is unlocked for a while", .enabled(if: LoginKeyring.isThere))
struct UnlockCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try lines(
            "printf words > pass; printf others > new; closer-keys device init --vault v.db --user alice --passphrase-file pass"
        )
    }

    @discardableResult
    private func lines(_ script: String) throws -> String {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text
    }

    @discardableResult
    private func unlock(_ options: String = "--for 5m") throws -> String {
        try lines("closer-keys device unlock --vault v.db --passphrase-file pass \(options)")
    }

    /// Exit codes of commands that are given no passphrase, and cannot ask.
    private func exits(_ commands: String...) throws -> [Int32] {
        try commands.map { try program("\($0) --vault v.db --no-input").exit }
    }

    @Test("commands need no passphrase until it is locked again", arguments: ["", "--for-user"])
    func unlocked(_ options: String) throws {
        #expect(try exits("couple list") == [7])
        let reach = options.isEmpty ? "login" : "user"
        let told = try JSONValue(parsing: Data(unlock("--for 2m \(options) --json").utf8))
        #expect(told["unlocked"]?.string == reach && told["seconds"]?.number == 120)
        #expect(
            try exits("couple list", "device show", "couple create --couple c --phrase-file p -o i") == [
                0, 0, 0,
            ])
        let shown = try JSONValue(parsing: program("device show --vault v.db --no-input --json").output)
        #expect(shown["unlocked"]?.string == reach)
        #expect(try lines("closer-keys device lock --vault v.db") == "locked\n")
        #expect(try exits("couple list") == [7])
        #expect(try lines("closer-keys device lock --vault v.db") == "it was not unlocked\n")
        #expect(try !program("device show --vault v.db --passphrase-file pass").text.contains("unlocked"))
    }

    @Test("the kernel takes the key back when the time is over")
    func expired() throws {
        #expect(try unlock("--for 1s") == "unlocked for 1s, for this login\n")
        Thread.sleep(forTimeInterval: 2.5)
        #expect(try exits("couple list") == [7])
    }

    @Test("to unlock, to export and to change the lock want the passphrase, and a new lock locks")
    func anew() throws {
        try unlock()
        #expect(
            try exits(
                "device unlock", "device export --export-passphrase-file new -o e",
                "device passphrase --new-passphrase-file new")
                == [7, 7, 7])
        #expect(try exits("couple list") == [0])
        try lines(
            "closer-keys device passphrase --vault v.db --passphrase-file pass --new-passphrase-file new")
        #expect(try exits("couple list") == [7])
        #expect(try program("couple list --vault v.db --passphrase-file new").exit == 0)
    }

    @Test("a passphrase that is given is tried, though the vault is unlocked")
    func given() throws {
        try unlock()
        #expect(try program("couple list --vault v.db --passphrase-file new").exit == 3)
    }

    /// Python, with the calls of keyrings(7).
    private static let keyrings = """
        import ctypes, os, subprocess, sys
        libc = ctypes.CDLL(None, use_errno=True)
        def call(number, *arguments):
            result = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
            assert result >= 0, os.strerror(ctypes.get_errno())
            return result
        login = lambda: call(250, 0, -3, 0)
        put = lambda name, text, ring: call(248, b"user", name, text, len(text), ring)
        """

    private func python(_ text: String) throws -> ClosingProgram.Run {
        try program.write(Data("\(Self.keyrings)\n\(text)\n".utf8), to: "keys.py")
        return try program.script("python3 keys.py")
    }

    private func id() throws -> String {
        try lines("closer-keys device list | grep -F /v.db | cut -d ' ' -f 1").trimmingCharacters(
            in: .newlines)
    }

    // Whoever writes the keyring can also write a whole vault under a key of theirs: nothing but what is remembered tells.
    @Test(
        "what somebody else put into the keyring opens nothing, shows nothing, and hinders nothing",
        arguments: [31, 32, 33])
    func planted(_ count: Int) throws {
        let name = try "closer-keys:\(id())"
        let plant = "put(b\"\(name)\", b\"x\" * \(count), login())"
        for isUnlocked in [false, true] {
            if isUnlocked { try unlock() }
            #expect(try python(plant).exit == 0)
            #expect(try exits("couple list", "device show") == [7, 7])
            let shown = try program("device show --vault v.db --passphrase-file pass")
            #expect(shown.exit == 0 && !shown.text.contains("unlocked"), "\(shown.text)")
        }
        try unlock()
        #expect(try exits("couple list") == [0])
    }

    @Test("a kept key is of one vault, and of no use without the other half")
    func halves() throws {
        try lines("closer-keys device init --vault w.db --user bob --passphrase-file pass")
        try unlock()
        #expect(try program("couple list --vault w.db --no-input").exit == 7)
        try lines(
            "cd .local/state/closer-keys; mv *.unlocked kept; for f in *.json; do cp kept ${f%.json}.unlocked; done"
        )
        #expect(try exits("couple list") == [0])
        #expect(try program("couple list --vault w.db --no-input").exit == 7)
        let name = try "closer-keys:\(id())"
        let other = try lines("closer-keys device list | grep -F /w.db | cut -d ' ' -f 1").trimmingCharacters(
            in: .newlines)
        let copied = try python(
            """
            key = ctypes.create_string_buffer(32)
            call(250, 11, call(250, 10, login(), b"user", b"\(name)", 0), key, 32)
            put(b"closer-keys:\(other)", key.raw, login())
            """)
        #expect(copied.exit == 0, "\(copied.errors)")
        #expect(try program("couple list --vault w.db --no-input").exit == 7)
        try lines("rm .local/state/closer-keys/*.unlocked")
        #expect(try exits("couple list") == [7])
    }

    @Test("it is locked for all logins, whatever lies in the vault's place", arguments: ["", "--for-user"])
    func lockedElsewhere(_ options: String) throws {
        try unlock("--for 5m \(options)")
        let elsewhere = try python(
            """
            call(250, 1, 0)
            subprocess.run("closer-keys couple list --vault v.db --no-input; echo $?; rm v.db; closer-keys device lock --vault v.db", shell=True)
            """)
        #expect(elsewhere.text == (options.isEmpty ? "7\nlocked\n" : "0\nlocked\n"), "\(elsewhere.errors)")
    }

    @Test("a lock that a copy has is no way round it")
    func lockedCopy() throws {
        try unlock()
        try lines(
            "cp v.db before; closer-keys device init --vault w.db --user bob --passphrase-file pass; mv w.db v.db"
        )
        #expect(try exits("couple list") == [8])
        #expect(try lines("closer-keys device lock --vault v.db") == "locked\n")
        try lines("mv before v.db")
        #expect(try exits("couple list") == [7])
    }

    @Test("what fails unlocks nothing", arguments: ["> /dev/full", "-o none/there"])
    func failing(_ output: String) throws {
        let run = try program.script(
            "closer-keys device unlock --vault v.db --passphrase-file pass \(output)")
        #expect(run.exit == 74 || run.exit == 73, "\(run.exit)")
        #expect(try exits("couple list") == [7])
    }

    @Test(
        "a login whose keyring was taken back, and a machine that remembers nothing, unlock nothing and say so"
    )
    func unavailable() throws {
        let revoked = try python(
            """
            call(250, 1, 0); call(250, 3, login())
            subprocess.run("closer-keys device unlock --vault v.db --passphrase-file pass; echo $?", shell=True)
            """)
        #expect(revoked.text == "74\n" && revoked.errors.contains("revoked"), "\(revoked.errors)")
        let homeless = try program.script(
            "unset HOME; closer-keys device unlock --vault v.db --passphrase-file pass")
        #expect(homeless.exit == 74 && homeless.errors.contains("no home folder"), "\(homeless.errors)")
        #expect(try exits("couple list") == [7])
    }

    @Test("to forget a vault locks it")
    func forgotten() throws {
        try unlock()
        try lines("closer-keys device forget \(id())")
        #expect(try exits("couple list") == [7])
    }

    @Test("an older file is refused, though the vault is unlocked")
    func older() throws {
        try lines("cp v.db old.db")
        try unlock()
        #expect(try exits("couple create --couple c --phrase-file p -o i") == [0])
        try lines("cp old.db v.db")
        #expect(try exits("couple list") == [8])
    }

    @Test(
        "a time is a number with its unit, a day at the most",
        arguments: ["0s", "15", "25h", "1441m", "86401s", "-1m", "+1m", "1d", ""])
    func times(_ time: String) throws {
        #expect(
            try program.run(["device", "unlock", "--vault", "v.db", "--for=\(time)"], input: Data()).exit
                == 64)
    }

    @Test("a vault with a key file needs none of it")
    func keyFile() throws {
        try lines("closer-keys device init --vault k.db --user bob --key-file k.key")
        let run = try program("device unlock --vault k.db")
        #expect(run.exit == 64 && run.errors.contains("is locked with a key file"))
    }

    @Test("where the system keeps no keys, the command says so and changes nothing")
    func noKeyring() throws {
        // A filter that lets add_key(2) fail as containers do: seccomp(2), with its four instructions.
        let run = try program.script(
            """
            cat > denied.py <<'END'
            import ctypes, os, struct, sys
            libc = ctypes.CDLL(None, use_errno=True)
            steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 248), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
            code = b"".join(struct.pack("HBBI", *step) for step in steps)
            buffer = ctypes.create_string_buffer(code, len(code))
            program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(buffer)))
            assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0
            os.execvp(sys.argv[1], sys.argv[1:])
            END
            python3 denied.py closer-keys device unlock --vault v.db --passphrase-file pass
            """)
        #expect(run.exit == 74 && run.errors.contains("operation not permitted"), "\(run.errors)")
        #expect(try exits("couple list") == [7])
    }
}
