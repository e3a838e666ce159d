import Foundation
import Testing

/// A vault `v.db` with a passphrase, which `device unlock` can open for a while.
///
/// Every script is a login of its own, whose keyring goes with it.
struct UnlockScene {
    private static let first = Result { try prepare() }
    let program: ClosingProgram

    init() throws { program = try ClosingProgram(copying: Self.first.get()) }

    private static func prepare() throws -> ClosingProgram {
        let program = try ClosingProgram()
        let made = try program.script(
            "printf words > pass; printf others > new; closer-keys device init --vault v.db --user alice --passphrase-file pass"
        )
        try #require(made.exit == 0, "\(made.errors)")
        let id = try program.script("closer-keys device list | cut -d ' ' -f 1").text
        let name = "NAME = b\"closer-keys:\(id.trimmingCharacters(in: .newlines))\"\n"
        try program.write(Data((Self.calls + name).utf8), to: "keys.py")
        return program
    }

    /// Some containers have no keyring. The tests make system calls by their numbers.
    static let isPossible: Bool = {
        #if arch(x86_64) && os(Linux)
        let run = try? UnlockScene().login("\(unlock) --for 5s > /dev/null; closer-keys device lock")
        return run?.text == "locked 1 vault\n"
        #else
        return false
        #endif
    }()

    static let unlock = "closer-keys device unlock --vault v.db --passphrase-file pass"
    /// Prints 0 if a command opens the vault without its passphrase, and 7 if it asks.
    static let ask = "closer-keys couple status --vault v.db --no-input 2> /dev/null; echo $?"

    /// What a script does in one login.
    func login(_ script: String) throws -> ClosingProgram.Run {
        try program.write(Data("\(script)\n".utf8), to: "login.sh")
        return try program.script("python3 -c 'from keys import *; enter_login(); shell(\"sh login.sh\")'")
    }

    /// What it prints.
    func prints(_ script: String) throws -> String { try login(script).text }

    /// Python, with the calls of keyrings(7), and seccomp(2) for what fails as in a container.
    private static let calls = """
        import ctypes, os, struct, subprocess, sys, time
        libc = ctypes.CDLL(None, use_errno=True)
        def call(number, *arguments):
            result = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
            assert result >= 0, os.strerror(ctypes.get_errno())
            return result
        login = lambda: call(250, 0, -3, 0)
        user = -4
        find = lambda name, ring: call(250, 10, ring, b"user", name, 0)
        put = lambda name, text, ring: call(248, b"user", name, text, len(text), ring)
        def read(key):
            text = ctypes.create_string_buffer(32)
            assert call(250, 11, key, text, 32) == 32
            return text.raw
        def enter_login():
            call(250, 1, 0)
            call(250, 8, user, login())
        def deny(number, error):
            steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (6, 0, 0, 0x50000 | error), (6, 0, 0, 0x7FFF0000)]
            code = b"".join(struct.pack("HBBI", *step) for step in steps)
            buffer = ctypes.create_string_buffer(code, len(code))
            program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(buffer)))
            assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0
        def shell(text):
            subprocess.run(text, shell=True)
        def seconds(ring):
            number = "%08x" % find(NAME, ring)
            time = next(line.split()[3] for line in open("/proc/keys") if line.startswith(number))
            return int(time[:-1]) * {"s": 1, "m": 60, "h": 3600}[time[-1]]

        """
}
