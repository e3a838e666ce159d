import CloserSystem
import Foundation
import Testing

/// What a program may do with its pipes and its process, whatever the lines say.
@Suite("A foreign process")
struct ChildProcessTests {
    private static func shell(_ script: String) throws -> ChildProcess {
        try ChildProcess(["/bin/sh", "-c", script])
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let large = Array(repeating: UInt8(ascii: "a"), count: 200_000)

    /// Answers the first line on sight of its beginning, and then reads on.
    private static let early = "dd bs=1000 count=1 > /dev/null 2>&1; echo early; read rest; read next"

    @Test("what it had not read when it answered comes before the next line")
    func early() throws {
        let process = try Self.shell("\(Self.early); echo \"${#rest} $next\"; read last; echo \"$last\"")
        #expect(try process.exchange(Self.large, within: .seconds(20)) == Self.bytes("early"))
        #expect(
            try process.exchange(Self.bytes("second"), within: .seconds(20)) == Self.bytes("199000 second"))
        #expect(try process.exchange(Self.bytes("third"), within: .seconds(20)) == Self.bytes("third"))
    }

    @Test("and before the last line")
    func earlyAtTheEnd() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "last-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let process = try Self.shell("\(Self.early); echo \"${#rest} $next\" > \(file)")
        #expect(try process.exchange(Self.large, within: .seconds(20)) == Self.bytes("early"))
        process.end(with: Self.bytes("stop"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "199000 stop\n")
    }

    @Test("one that answers and never reads is out of time with the next line, so that nothing piles up")
    func neverReads() throws {
        let process = try Self.shell("echo one; echo two; sleep 60")
        #expect(try process.exchange(Self.large, within: .seconds(20)) == Self.bytes("one"))
        #expect(throws: ChildProcessError.timedOut(unfinishedByteCount: 0)) {
            try process.exchange(Self.bytes("second"), within: .milliseconds(300))
        }
    }

    @Test("one that has ended is not waited for, whatever it left running on its output")
    func leavesItsOutputOpen() throws {
        let process = try Self.shell("sleep 30 & exit 3")
        let start = ContinuousClock.now
        #expect(throws: ChildProcessError.ended("with exit code 3", unfinishedByteCount: 0)) {
            try process.exchange(Self.bytes("line"), within: .seconds(25))
        }
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("but what it left running may answer")
    func answersFromBehind() throws {
        let process = try Self.shell("exec 3<&0; { read line; echo \"$line\"; } <&3 &")
        #expect(try process.exchange(Self.bytes("line"), within: .seconds(20)) == Self.bytes("line"))
    }

    private let python = "$(command -v /usr/bin/python3 || command -v python3)"

    @Test("one that went over to our process group is killed all the same")
    func leavesItsGroup() throws {
        let leaving = "import os; os.setpgid(0, os.getpgid(os.getppid()))"
        let start = ContinuousClock.now
        do {
            let process = try Self.shell(
                "exec \(python) -c '\(leaving); print(\"left\", flush=True); import time; time.sleep(30)'")
            #expect(try process.exchange([], within: .seconds(20)) == Self.bytes("left"))
        }
        #expect(ContinuousClock.now - start < .seconds(25))
    }

    #if os(Linux)
    /// Another process traces it: whoever killed it cannot take it away until that one ends. So it is with a program that
    /// took rights of its own, which we may not kill at all.
    @Test("one that cannot be taken away is not waited for longer than a second")
    func cannotBeTakenAway() throws {
        let held = """
            import ctypes, os, time
            libc = ctypes.CDLL(None)
            libc.prctl(0x59616d61, ctypes.c_ulong(2**64 - 1), 0, 0, 0)
            if os.fork() == 0:
                os.setsid()
                print(os.getppid() if libc.ptrace(0x4206, os.getppid(), None, None) == 0 else "free", flush=True)
                time.sleep(6)
                os._exit(0)
            time.sleep(60)
            """
        let script = FileManager.default.temporaryDirectory.appending(path: "held-\(UUID()).py")
        defer { try? FileManager.default.removeItem(at: script) }
        try Data(held.utf8).write(to: script)
        let start: ContinuousClock.Instant
        let pid: pid_t
        do {
            let process = try Self.shell(
                "exec \(python) \(script.path())")
            let line = try process.exchange([], within: .seconds(20))
            pid = try #require(pid_t(String(decoding: line, as: UTF8.self)))
            start = .now
        }
        #expect(ContinuousClock.now - start < .seconds(4))
        // Left behind, it would keep the monitor of Swift Testing's exit tests busy for ever.
        while waitpid(pid, nil, WNOHANG) == 0 { usleep(10_000) }
    }
    #endif
}
