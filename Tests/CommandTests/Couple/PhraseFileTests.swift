import Foundation
import Testing

/// A new phrase is stored before the vault is changed, or shown after it (closer-keys-couple(1)).
@Suite("The file of a new phrase")
struct PhraseFileTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        for arguments in [
            "device init --vault a.db --user alice --key-file a.key",
            "couple create --vault a.db --couple c --phrase-file first -o invite",
            "couple show --vault a.db --couple c --document -o document",
        ] { try #require(try program(arguments).exit == 0) }
        _ = try program.script("mkdir out; cp a.db before.db")
    }

    @Test(
        "it is there before the vault is changed, for its owner alone",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func first() throws {
        let run = try program.holdingLocks(
            """
            os.umask(0)
            lock = HeldLock("a.db")
            change = start("couple rewrap --vault a.db --couple c --phrase-file out/phrase")
            lock.until_wanted(change.pid)
            assert len(open("out/phrase").read().split()) == 10
            assert os.stat("out/phrase").st_mode & 0o777 == 0o600
            assert open("a.db", "rb").read() == open("before.db", "rb").read()
            lock.release()
            assert change.wait(20) == 0
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    // The terminal goes while the change waits for the vault's lock.
    @Test(
        "a change whose phrase cannot be shown says that it was made, and what to do",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func goneTerminal() throws {
        let run = try program.holdingLocks(
            """
            lock = HeldLock("a.db")
            child, terminal = pty.fork()
            if child == 0:
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
                os.dup2(os.open("told", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
                os.execvp("closer-keys", "closer-keys couple rewrap --vault a.db --couple c".split())
            lock.until_wanted(child)
            os.close(terminal)
            lock.release()
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), open("told").read())
            """)
        #expect(run.text.hasPrefix("74 "), "\(run.text) \(run.errors)")
        #expect(
            run.text.contains("the change was made, but its recovery phrase could not be shown"),
            "\(run.text)")
        #expect(run.text.contains("hint: make a new one: closer-keys couple rewrap"))
        #expect(try program.content("a.db") != program.content("before.db"))
    }
}
