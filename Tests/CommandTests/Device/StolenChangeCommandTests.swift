import Foundation
import TestSupport
import Testing

/// A thief who can write the vault's folder renames the temporary file of a change away, and puts it in place later.
@Suite("A change that fails because its file was taken away")
struct StolenChangeCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try lines(
            """
            mkdir sync; closer-keys device init --vault sync/a.db --user alice --key-file a.key
            closer-keys couple create --vault sync/a.db --couple c --phrase-file pc -o invite
            """)
    }

    @discardableResult
    private func lines(_ script: String) throws -> String {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text
    }

    /// Rewraps the couple until the thief is fast enough, and gives the run that failed.
    private func rewrap(_ settings: String = "") throws -> ClosingProgram.Run {
        let thief = { Thief(in: program.folder.path() + "/sync", taking: program.folder.path() + "/stolen") }
        for _ in 0..<50 {
            try lines("rm -f phrase document; cp sync/a.db before.db")
            let run = try thief().lurking {
                try program.script(
                    "\(settings) closer-keys couple rewrap --vault sync/a.db --key-file a.key --couple c --phrase-file phrase -o document"
                )
            }
            if run.exit != 0 { return run }
        }
        throw Missed()
    }

    private struct Missed: Error {}

    @Test(
        "never takes the vault's place on this machine, and leaves the phrase for another one that takes it")
    func refused() throws {
        let run = try rewrap()
        #expect(run.exit == 74)
        #expect(
            run.errors.contains(
                "sync/a.db was not written (no such file or directory), but somebody may have"),
            "\(run.errors)")
        #expect(try program.files().contains("phrase"))
        #expect(try program.content("sync/a.db") == program.content("before.db"))
        for options in ["", "--key-file a.key"] {
            try lines("cp stolen sync/a.db")
            let stolen = try program.script("closer-keys device show --vault sync/a.db \(options)")
            #expect(
                stolen.exit == 8 && stolen.errors.contains("sync/a.db is older than "), "\(stolen.errors)")
        }
        try lines(
            "cp before.db sync/a.db; closer-keys couple rewrap --vault sync/a.db --couple c --phrase-file next"
        )
        try lines("cp stolen sync/a.db")
        #expect(try program("device show --vault sync/a.db").exit == 8)
    }

    @Test("says that it may still come, where nothing can be remembered, and leaves the phrase for then")
    func unremembered() throws {
        let run = try rewrap("unset HOME;")
        #expect(
            run.exit == 74 && run.errors.contains(", and may still put it there; and keep a former"),
            "\(run.errors)")
        try lines(
            """
            unset HOME; cp stolen sync/a.db
            closer-keys couple show --vault sync/a.db --key-file a.key --couple c --document > document
            closer-keys couple recover --couple c --phrase-file phrase --rehearse document
            """)
    }

    @Test("is refused later, also if its file was cut, and they complete it with the end of the former one")
    func completed() throws {
        try lines("closer-keys couple create --vault sync/a.db --couple last --phrase-file pl -o invite-last")
        let run = try program.watching(
            """
            old = open("sync/a.db", "rb").read()
            most = len(old) - 20
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            for turn in range(100):
                # That of the turn before stays, since its change may come.
                if os.path.exists("phrase"): os.remove("phrase")
                watch, part = Watch("sync"), b""
                change = subprocess.Popen(
                    "closer-keys couple rewrap --vault sync/a.db --couple c --phrase-file phrase".split(),
                    preexec_fn=limit, stderr=subprocess.PIPE)
                watch.until(".tmp")
                try:
                    # Who holds it reads on when its name is gone.
                    with open(glob.glob("sync/.closer-keys.*.tmp")[0], "rb") as held:
                        assert change.wait() == 74, change.stderr.read()
                        part = held.read()
                except (IndexError, FileNotFoundError): change.wait()
                rest = old.find(part[-16:]) + 16
                if len(part) == most and rest > 16: break
            else: raise SystemExit("never")
            assert open("sync/a.db", "rb").read() == old
            open("sync/a.db", "wb").write(part + old[rest:])
            for options in ("", "--key-file a.key"):
                code = run(f"couple list --vault sync/a.db {options}").returncode
                assert code == 8, code
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    // The program says what failed, and ends with that, also if a signal came first.
    @Test(
        "is refused later, also if a signal came meanwhile",
        arguments: [SIGTERM, SIGVTALRM, SIGABRT, SIGSEGV])
    func signalled(_ signal: Int32) throws {
        let (folder, vault) = (program.folder.path(), "sync/a.db --key-file a.key")
        var count = 0
        for _ in 0..<200 where count < 4 {
            try lines("rm -f stolen phrase; cp sync/a.db before.db")
            let thief = Thief(in: folder + "/sync", taking: folder + "/stolen") {
                let text = try? String(contentsOfFile: folder + "/pid", encoding: .utf8)
                if let pid = text.flatMap({ pid_t($0.dropLast()) }) { kill(pid, signal) }
            }
            let run = try thief.lurking {
                try program.script(
                    "(echo $BASHPID > pid; exec closer-keys couple rewrap --vault \(vault) --couple c --phrase-file phrase)"
                )
            }
            // They may have taken what the new file replaced: then the change was made.
            guard run.exit == 74, try program.files().contains("stolen"),
                try program.content("sync/a.db") == program.content("before.db")
            else { continue }
            count += 1
            try lines("cp stolen sync/a.db")
            #expect(try program("device show --vault \(vault)").exit == 8)
            try lines("cp before.db sync/a.db; closer-keys device show --vault \(vault)")
        }
        #expect(count == 4)
    }
}
