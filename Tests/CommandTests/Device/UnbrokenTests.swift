import Foundation
import Testing

/// A signal may come, and somebody else may act, at any moment of a change (closer-keys(1), EXIT STATUS).
@Suite(
    "What no signal breaks off", .enabled(if: FileManager.default.fileExists(atPath: "/proc/sys/fs/inotify")))
struct UnbrokenTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let made = try program.script(
            """
            mkdir out; echo correct horse battery > secret
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys couple create --vault a.db --couple c --phrase-file first -o invite
            closer-keys device export --vault a.db --export-passphrase-file secret -o a.export
            """)
        try #require(made.exit == 0, "\(made.errors)")
    }

    @Test(
        "a new vault is remembered, though a signal came between the two",
        arguments: [
            "device init --vault b.db --user bob --key-file b.key",
            "device import --vault b.db --key-file b.key --export-passphrase-file secret a.export",
        ])
    func newVault(_ line: String) throws {
        // Whoever holds what is remembered of one vault makes whoever remembers another one wait.
        let run = try program.script(
            """
            exec 8<>$(ls .local/state/closer-keys/*.json); flock 8
            set +e
            closer-keys \(line) 8>&- & change=$!
            until [ -s b.db ]; do sleep 0.02; done
            sleep 0.5; kill -TERM $change; sleep 0.2; flock -u 8
            wait $change; echo $?
            closer-keys device show --vault b.db | grep -c keyFile
            """)
        #expect(run.text == "143\n2\n", "\(run.errors)")
        let isImport = line.hasPrefix("device import")
        #expect(run.errors.contains("invites that were open where this was exported") == isImport)
    }

    @Test("a new key file is remembered, though a signal came before it was")
    func newKeyFile() throws {
        let run = try program.watching(
            """
            count = 0
            for turn in range(30):
                watch = Watch(".")
                change = start(f"device passphrase --vault a.db --new-key-file out/{turn}")
                watch.until(".tmp")
                with open(glob.glob(".local/state/closer-keys/*.json")[0], "r+") as memory:
                    fcntl.flock(memory, fcntl.LOCK_EX)
                    time.sleep(0.05)
                    change.send_signal(signal.SIGTERM)
                    time.sleep(0.05)
                code = change.wait()
                assert code in (0, 143), code
                assert run("device show --vault a.db").returncode == 0, turn
                count += code == 143
                if count == 5: break
            assert count, count
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "whoever puts another file into the place of a new key file, the vault is not locked with that, and opens"
    )
    func exchangedKeyFile() throws {
        let run = try program.watching(
            """
            shutil.copy("a.key", "evil"); open("evil", "wb").write(bytes(32))
            shutil.copy("a.db", "before")
            lines = set()
            for turn in range(30):
                shutil.copy("before", "a.db")
                shutil.rmtree(".local")
                assert run("device show --vault a.db --key-file a.key").returncode == 0
                shutil.copy("evil", "out/.evil")
                # As soon as it is there, or once it was looked at, and the vault is about to be locked with it.
                watch, name = (Watch("out"), "key\\0") if turn % 2 else (Watch("."), ".tmp")
                change = subprocess.Popen(
                    "exec closer-keys device passphrase --vault a.db --new-key-file out/key 2> told", shell=True)
                watch.until(name)
                os.rename("out/.evil", "out/key")
                code = change.wait()
                assert run("device show --vault a.db --key-file evil").returncode != 0, "the thief's key opens it"
                # Whoever comes after the end comes after the last look.
                if code == 73:
                    assert run("device show --vault a.db").returncode == 0, "nothing opens it"
                    lines.add(open("told").read().splitlines()[0])
                else: assert code == 0, code
                os.unlink("out/key")
            assert any("the vault is locked as it was before" in line for line in lines), lines
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "a change whose phrase cannot be shown says that it was made, and what to do, also if a signal tells that the terminal is gone",
        arguments: ["SIG_IGN", "SIG_DFL"])
    func goneTerminal(_ hangup: String) throws {
        let run = try program.watching(
            """
            for turn in range(30):
                watch = Watch(".")
                child, terminal = pty.fork()
                if child == 0:
                    signal.signal(signal.SIGHUP, signal.\(hangup))
                    os.dup2(os.open("told", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
                    os.execvp("closer-keys", "closer-keys couple rewrap --vault a.db --couple c".split())
                before = open("a.db", "rb").read()
                watch.until(".tmp")
                os.close(terminal)
                code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                if code == 74 and open("a.db", "rb").read() != before: break
            else: raise SystemExit("never")
            print(open("told").read())
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(
            run.text.contains("the change was made, but its recovery phrase could not be shown"),
            "\(run.text)")
        #expect(run.text.contains("hint: make a new one: closer-keys couple rewrap"))
    }

    @Test(
        "a phrase's file that is taken away before the change is made is missed, also one that is emptied or written over",
        arguments: [
            "os.unlink(phrase)", "os.truncate(phrase, 0)", "open(phrase, \"r+\").write(\"other\")",
            "os.unlink(phrase); shutil.copy(\"first\", phrase)",
        ])
    func takenPhrase(_ theft: String) throws {
        let run = try program.watching(
            """
            phrase = "out/phrase"
            turn = Turn("a.db")
            change = tell("couple rewrap --vault a.db --couple c --phrase-file out/phrase")
            turn.until(change)
            \(theft)
            turn.end()
            print(change.wait(20))
            print(told())
            """)
        #expect(run.text.hasPrefix("74\n"), "\(run.text) \(run.errors)")
        #expect(run.text.contains("the change was made, but its recovery phrase is gone"), "\(run.text)")
    }

    @Test("a change that diverged, and whose phrase's file was taken away, tells of both")
    func takenPhraseOfDiverged() throws {
        let run = try program.watching(
            """
            for number in range(20):
                turn = Turn("a.db")
                change = tell("couple rewrap --vault a.db --couple c --phrase-file out/phrase")
                turn.until(change)
                os.unlink("out/phrase")
                watch = Watch(".")
                before = os.stat("a.db").st_ino
                # The program waits for what is remembered, once its change is in the file.
                with open(glob.glob(".local/state/closer-keys/*.json")[0], "r+") as memory:
                    turn.end()
                    watch.until(".tmp")
                    fcntl.flock(memory, fcntl.LOCK_EX)
                    while os.stat("a.db").st_ino == before: time.sleep(0.001)
                    shutil.copy("a.db", "copy")
                    os.rename("copy", "a.db")
                code = change.wait(20)
                assert code in (8, 74), (code, told())
                if code == 8: break
            else: raise SystemExit("never")
            print(told())
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(
            run.text.contains("the change was written, but somebody exchanged a.db meanwhile"), "\(run.text)")
        #expect(
            run.text.contains("; and the recovery phrase of this change is gone: somebody"), "\(run.text)")
    }

    @Test("what has not begun to be written is broken off, though a passphrase is being worked on")
    func early() throws {
        let run = try program.watching(
            """
            shutil.copy("a.db", "before")
            change = start("device passphrase --vault a.db --new-passphrase-file secret")
            time.sleep(0.15)
            change.send_signal(signal.SIGTERM)
            assert change.wait() == 143
            assert open("a.db", "rb").read() == open("before", "rb").read()
            with open("a.db.lock", "r+") as turn:
                fcntl.flock(turn, fcntl.LOCK_EX)
                change = start("device passphrase --vault a.db --new-key-file n.key")
                time.sleep(0.5)
                change.send_signal(signal.SIGTERM)
                assert change.wait() == 143
            assert open("a.db", "rb").read() == open("before", "rb").read()
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }
}
