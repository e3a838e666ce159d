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

    @Test("what somebody else put into the keyring opens nothing, and hinders nothing")
    func planted() throws {
        let id = try lines("closer-keys device list | cut -d ' ' -f 1").trimmingCharacters(in: .newlines)
        for bytes in [31, 32, 33] {
            try lines(
                """
                python3 - <<'END'
                import ctypes
                call = ctypes.CDLL(None, use_errno=True).syscall
                login = ctypes.c_long(call(250, 0, ctypes.c_long(-3), 0))
                assert call(248, b"user", b"closer-keys:\(id)", b"x" * \(bytes), ctypes.c_size_t(\(bytes)), login) > 0
                END
                """)
            #expect(try exits("couple list") == [7])
            let shown = try program("device show --vault v.db --passphrase-file pass")
            #expect(
                shown.exit == 0 && shown.text.contains("unlocked: login\n") == (bytes == 32), "\(shown.text)")
        }
        // A key is of one vault, whatever lies there.
        try lines("closer-keys device init --vault w.db --user bob --passphrase-file pass")
        try unlock()
        #expect(try program("couple list --vault w.db --no-input").exit == 7)
        try lines("cp v.db before; mv w.db v.db")
        #expect(try exits("couple list") == [8])
        #expect(try lines("closer-keys device lock --vault v.db") == "locked\n")
        try lines("mv before v.db")
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
