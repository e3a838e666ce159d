import CloserWire
import Foundation
import Testing

/// A run with `--accept-older` may be ended at any moment, and whoever can write the vault's folder has every file that ever lay there.
@Suite("A run that accepts an older vault, and is ended early")
struct EndedAcceptanceTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    private func lines(_ script: String) throws {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "does nothing in it if another command saw another state meanwhile",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func seenMeanwhile() throws {
        try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key > /dev/null; cp a.db old.db
            closer-keys couple create --vault a.db --couple c --phrase-file p -o i 2> /dev/null; cp a.db newest.db; cp old.db a.db
            """)
        let run = try program.watching(
            """
            reading, writing = full_pipe()
            command = subprocess.Popen("closer-keys device policy --vault a.db --require-paired --accept-older".split(), stderr=writing)
            os.close(writing)
            until_asleep(command)
            shutil.copy("newest.db", "a.db")
            # As on a machine whose memory takes no lock: otherwise the other command waits.
            os.unlink(glob.glob(".local/state/closer-keys/*.turn")[0])
            assert run("couple create --vault a.db --couple d --phrase-file q -o j").returncode == 0
            shutil.copy("old.db", "a.db")
            while os.read(reading, 65536): pass
            assert command.wait() == 8, command.returncode
            assert open("a.db", "rb").read() == open("old.db", "rb").read()
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "is one turn: no other command of this machine sees or changes the vault meanwhile",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func oneTurn() throws {
        try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key > /dev/null; cp a.db old.db
            closer-keys couple create --vault a.db --couple c --phrase-file p -o i 2> /dev/null; cp old.db a.db
            """)
        let run = try program.watching(
            """
            reading, writing = full_pipe()
            command = subprocess.Popen("closer-keys device policy --vault a.db --require-paired --accept-older".split(), stderr=writing)
            os.close(writing)
            until_asleep(command)
            others = [start("device show --vault a.db"), start("couple create --vault a.db --couple d --phrase-file q -o j")]
            os.unlink("a.db.lock")
            time.sleep(0.5)
            assert [other.poll() for other in others] == [None, None]
            while os.read(reading, 65536): pass
            assert command.wait() == 0, command.returncode
            # What the run accepted is the vault to both, with its policy.
            codes = [other.wait() for other in others]
            assert codes == [0, 8], codes
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    // Nobody reads standard error, and there is no room in it: the run waits where it tells.
    @Test(
        "has told what it accepts before it remembers it",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func toldFirst() throws {
        try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key > /dev/null; cp a.db old.db
            closer-keys device policy --vault a.db --require-paired > /dev/null; cp old.db a.db
            """)
        let run = try program.watching(
            """
            memory = glob.glob(".local/state/closer-keys/*.json")[0]
            remembered = open(memory).read()
            reading, writing = full_pipe()
            command = subprocess.Popen("closer-keys device policy --vault a.db --accept-older".split(), stderr=writing)
            until_asleep(command)
            assert command.poll() is None
            assert open(memory).read() == remembered
            command.kill()
            command.wait()
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try program("device policy --vault a.db").exit == 8)
    }

    // Killed when the new file has its name, and before the folder is on the disk.
    @Test("leaves nothing that is taken for newer by the next run", .timeLimit(.minutes(3)))
    func closedInvite() throws {
        try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key > /dev/null
            closer-keys couple invite --vault a.db --couple c --phrase-file p --code-file code > /dev/null
            cp a.db fork.db
            closer-keys device policy --vault a.db --require-paired > /dev/null; cp a.db newest.db
            export XDG_STATE_HOME=$PWD/elsewhere
            closer-keys couple create --vault fork.db --key-file a.key --couple d --phrase-file pd -o invite
            """)
        let run = try program.watching(
            """
            memory = glob.glob(".local/state/closer-keys/*.json")[0]
            remembered, fork, hits = open(memory).read(), open("fork.db", "rb").read(), 0
            for _ in range(200):
                open(memory, "w").write(remembered)
                shutil.copy("fork.db", "a.db")
                number = c.inotify_init()
                # IN_MOVED_TO is 0x80.
                assert c.inotify_add_watch(number, b".", 0x80) >= 0
                command = subprocess.Popen(["closer-keys", *"device policy --vault a.db --accept-older".split()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                os.read(number, 4096)
                command.kill()
                command.wait()
                os.close(number)
                if open("a.db", "rb").read() == fork or '"changes":3' not in open(memory).read().replace(" ", ""): continue
                hits += 1
                assert run("device policy --vault a.db").returncode == 8
                shutil.copy("newest.db", "a.db")
                assert run("device policy --vault a.db").returncode == 0
                if hits == 3: break
            assert hits == 3, hits
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }
}
