import Foundation
import Testing

/// Somebody who can write the folder of a key file takes it away while a vault is locked with it.
@Suite(
    "A new lock's key file that somebody takes away",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/sys/fs/inotify")))
struct StolenKeyTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let made = try program.script(
            """
            umask 077; mkdir out; echo correct horse battery > secret; head -c 32 /dev/urandom > there
            closer-keys device init --vault a.db --user alice --key-file a.key
            """)
        try #require(made.exit == 0, "\(made.errors)")
    }

    private static let thefts = [
        "os.unlink(\"out/key\")", "os.unlink(\"out/key\"); os.mkfifo(\"out/key\")",
        "open(\"out/key\", \"r+b\").write(bytes(32))",
        "os.unlink(\"out/key\"); os.symlink(\"nowhere\", \"out/key\")",
        "os.rename(\"out/key\", \"out/away\"); os.symlink(\"away\", \"out/key\")",
    ]

    @Test(
        "is missed, whether it was there before or was made, and the vault is locked as it was before",
        arguments: [true, false], thefts)
    func undone(_ isThere: Bool, _ theft: String) throws {
        let run = try program.watching(
            """
            if \(isThere ? "True" : "False"): shutil.copy("there", "out/key")
            turn = Turn("a.db")
            change = tell("device passphrase --vault a.db --new-key-file out/key")
            turn.until(change)
            \(theft)
            turn.end()
            print(change.wait(10), run("device show --vault a.db").returncode)
            print(told())
            """)
        #expect(run.text.hasPrefix("73 0\n"), "\(run.text) \(run.errors)")
        #expect(
            run.text.contains(
                "somebody has taken the new key file away: the vault is locked as it was before\n"))
        #expect(!run.text.contains("another try takes it"))
    }

    private static let lockings = [
        ("device passphrase --vault a.db --new-key-file out/key", "the vault is locked as it was before"),
        (
            "device init --vault b.db --user bob --key-file out/key",
            "b.db was made, and without that file nothing opens it"
        ),
    ]

    @Test("is not said to be taken if it only cannot be looked at", arguments: lockings)
    func hidden(_ line: String, _ consequence: String) throws {
        let place = try program.place
        let run = try program.hiding("out", during: line)
        #expect(run.text.hasPrefix("73\n0\n"), "\(run.text) \(run.errors)")
        #expect(
            run.text.contains(
                "the new key file cannot be looked at (cannot read \(place)/out/key: permission denied): \(consequence)\n"
            ), "\(run.text)")
    }

    @Test("neither is the new recovery phrase")
    func hiddenPhrase() throws {
        let place = try program.place
        let run = try program.hiding(
            "out", during: "couple create --vault a.db --couple c --phrase-file out/key -o o")
        #expect(run.text.hasPrefix("74\n0\n"), "\(run.text) \(run.errors)")
        #expect(
            run.text.contains(
                "its recovery phrase may be gone: its file \(place)/out/key cannot be looked at (permission denied)\n"
            ),
            "\(run.text)")
    }

    @Test("if the former lock cannot be put back, the error says where the key file may still be")
    func hiddenAndStuck() throws {
        let place = try program.place
        // As in `stuck`: there is room for the new lock, and not for the former one.
        let run = try program.hiding(
            "out", during: "device passphrase --vault p.db --passphrase-file secret --new-key-file out/key",
            after: """
                assert run("device init --vault p.db --user bob --passphrase-file secret").returncode == 0
                limit = os.stat("p.db").st_size - 20
                """)
        #expect(run.text.hasPrefix("73\n0\n"), "\(run.text) \(run.errors)")
        #expect(run.text.contains("and the vault could not be locked as it was before ("), "\(run.text)")
        #expect(
            run.text.contains(
                "): it is locked with that key file, which may still be at \(place)/out/key\n"),
            "\(run.text)")
    }

    // The thief is as fast as a loop in Python: not in every round.
    @Test(
        "is not lost if the vault's file is away for a moment, too: it is written once more, or nothing was locked with it"
    )
    func away() throws {
        let run = try program.watching(
            """
            for round in range(12):
                shutil.copy("there", "out/key")
                turn = Turn("a.db")
                change = tell("device passphrase --vault a.db --new-key-file out/key")
                turn.until(change)
                os.unlink("out/key")
                former = os.stat("a.db").st_ino
                turn.end()
                while change.poll() is None and os.stat("a.db").st_ino == former: pass
                os.rename("a.db", "a.away")
                change.wait(20)
                if not os.path.exists("a.db"): os.rename("a.away", "a.db")
                keys = [key for key in ("a.key", "out/key") if os.path.exists(key)]
                opens = [run(f"device show --vault a.db --accept-older --key-file {key}").returncode for key in keys]
                print(round, change.returncode, 0 in opens)
                print(told())
                assert run("device passphrase --vault a.db --new-key-file a.key").returncode == 0 or \
                    run("device passphrase --vault a.db --accept-older --key-file out/key --new-key-file a.key").returncode == 0
                if os.path.exists("out/key"): os.unlink("out/key")
            """)
        #expect(run.exit == 0 && !run.text.contains("False"), "\(run.text) \(run.errors)")
    }

    @Test(
        "is missed by a new vault, too, though it was there before",
        arguments: [
            "device init --vault b.db --user bob",
            "device import --vault b.db --export-passphrase-file secret a.export",
        ], thefts)
    func newVault(_ line: String, _ theft: String) throws {
        try #require(
            program("device export --vault a.db --export-passphrase-file secret -o a.export").exit == 0)
        let run = try program.watching(
            """
            shutil.copy("there", "out/key")
            turn = Turn("b.db")
            change = tell("\(line) --key-file out/key")
            turn.until(change)
            \(theft)
            turn.end()
            print(change.wait(20))
            print(told())
            """)
        #expect(run.text.hasPrefix("73\n"), "\(run.text) \(run.errors)")
        #expect(run.text.contains("b.db was made, and nothing opens it: remove it, and begin anew\n"))
    }

    @Test(
        "is written once more if the former lock cannot be put back; if it cannot, either, the error says that nothing opens the vault"
    )
    func stuck() throws {
        // A lock with a passphrase has 38 bytes more than one with a key file: there is room for the one, and not for the other.
        let run = try program.watching(
            """
            assert run("device init --vault p.db --user bob --passphrase-file secret").returncode == 0
            shutil.copy("p.db", "before")
            def steal(act):
                turn = Turn("p.db")
                change = tell(
                    "device passphrase --vault p.db --passphrase-file secret --new-key-file out/key",
                    os.stat("p.db").st_size - 20)
                turn.until(change)
                os.unlink("out/key")
                act()
                turn.end()
                print(change.wait(20), run("device show --vault p.db").returncode)
                print(told())

            steal(lambda: None)
            assert run("device passphrase --vault p.db --new-passphrase-file secret").returncode == 0
            os.unlink("out/key")
            steal(lambda: shutil.copy("there", "out/key"))
            """)
        let taken =
            "somebody has taken the new key file away, and the vault could not be locked as it was before"
        let parts = run.text.components(separatedBy: "closer-keys: error: \(taken) (")
        try #require(parts.count == 3, "\(run.text) \(run.errors)")
        #expect(parts[0].hasPrefix("73 0\n"))
        #expect(
            parts[1].contains(
                "may still put it there): it is locked with that key file, which was written to /"),
            "\(run.text)")
        #expect(parts[1].contains("/out/key once more\n"), "\(run.text)")
        #expect(parts[1].contains("\n73 3\n") && !run.text.contains("another try"), "\(run.text)")
        #expect(
            parts[2].contains(
                "may still put it there): it is locked with that key file, which is nowhere: nothing opens the vault as it is now\n"
            ),
            "\(run.text)")
    }
}

extension ClosingProgram {
    fileprivate var place: String {
        get throws { try script("pwd -P").text.trimmingCharacters(in: .newlines) }
    }

    /// Runs a command as a user for whom mode bits count, and lets nobody enter the folder once the change is about to be made. Prints the exit
    /// code, that of `device show` on the vault afterwards, and what was told. `preparation` runs first, and may set
    /// `limit`, the most bytes that the command may write into a file.
    fileprivate func hiding(
        _ folder: String, during line: String, after preparation: String = ""
    ) throws -> Run {
        try watching(
            """
            limit = resource.RLIM_INFINITY
            \(preparation)
            os.mkdir("bound")
            with open("bound/closer-keys", "w") as file:
                file.write('#!/bin/sh\\nexec \(ObstructedVaultTests.bound) ' + shutil.which("closer-keys") + ' "$@"\\n')
            os.chmod("bound/closer-keys", 0o700)
            os.environ["PATH"] = os.path.abspath("bound") + ":" + os.environ["PATH"]
            vault = "\(line)".split("--vault ")[1].split()[0]
            turn = Turn(vault)
            change = tell("\(line)", limit)
            turn.until(change)
            os.chmod("\(folder)", 0)
            turn.end()
            try: print(change.wait(20))
            finally: os.chmod("\(folder)", 0o700)
            print(run("device show --vault " + vault).returncode)
            print(told())
            """)
    }
}
