import Foundation
import Testing

/// Somebody else writes into the temporary file of a result, of a phrase, of a key or of a vault, before it is in its place.
@Suite(
    "A file into which somebody else writes before it is there",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/sys/fs/inotify")))
struct SpoiledFileTests {
    private static let acts = ["empty", "write over"]
    private static let isTold =
        #"code == 74 and f"writing out/f{number} failed: somebody else wrote into the new file" in told()"#
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let made = try program.script(
            """
            umask 077; mkdir sync out; echo correct horse battery > secret; head -c 3000000 /dev/urandom > file
            closer-keys device init --vault sync/a.db --user alice --key-file a.key
            closer-keys keyset new --type aes256-gcm-hkdf-1mb -o k
            closer-keys couple create --vault sync/a.db --couple c --phrase-file first -o invite
            seq -f '{"id":%.0f,"plaintext":"note"}' 20000 > lines; echo '{"answer":"yes"}' > answer
            """)
        try #require(made.exit == 0, "\(made.errors)")
    }

    /// Runs a command again and again, until somebody was early enough three times. On a busy machine nobody may be: then it proves
    /// nothing, and SpoiledFileTests of CloserFiles and ObstacleTests do, without a race. Python says what must be true then of `code` and
    /// `told()`.
    private func spoiling(
        _ line: String, in folder: String = "out", _ act: String, expecting condition: String
    ) throws {
        let run = try program.watching(
            """
            count = 0
            end = time.monotonic() + 10
            for number in range(1000):
                if time.monotonic() > end: break
                before = open("sync/a.db", "rb").read()
                with Spoiler("\(folder)", "\(act)") as spoiler:
                    code = tell("\(line)".replace("NUMBER", str(number))).wait(20)
                if not spoiler.was_early: continue
                is_as_before = open("sync/a.db", "rb").read() == before
                names = os.listdir("out") + os.listdir("sync")
                assert not any(name == f"f{number}" or name.endswith(".tmp") for name in names), names
                assert is_as_before, (code, told())
                assert run("device show --vault sync/a.db").returncode == 0
                assert \(condition), (code, told())
                count += 1
                if count == 3: break
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "a result, an export, a phrase and a key do not appear, and the vault is not changed",
        arguments: [
            "couple rewrap --vault sync/a.db --couple c --phrase-file out/fNUMBER",
            "device export --vault sync/a.db --export-passphrase-file secret -o out/fNUMBER",
            "device passphrase --vault sync/a.db --new-key-file out/fNUMBER",
            "couple show --vault sync/a.db --couple c --document -o out/fNUMBER",
        ], acts)
    func output(_ line: String, _ act: String) throws {
        try spoiling(line, act, expecting: Self.isTold)
    }

    @Test(
        "what is written in parts does not appear if it was emptied in between, or at its end",
        arguments: [
            "field seal --vault sync/a.db --couple c --jsonl lines -o out/fNUMBER",
            "file seal --keyset-file k file -o out/fNUMBER",
        ])
    func stream(_ line: String) throws {
        try spoiling(line, "empty", expecting: Self.isTold)
    }

    @Test("a change of a vault is not made, and its result not given", arguments: acts)
    func vault(_ act: String) throws {
        try spoiling(
            "answer seal --vault sync/a.db --couple c --question qNUMBER --place daily:2026-11-20 answer -o out/fNUMBER",
            in: "sync", act,
            expecting: """
                code == 74 and re.search("sync/a.db (cannot be|was not) written.*somebody else wrote into the new file", told())
                """)
    }

    @Test("a phrase whose folder is moved away is told, and nothing is changed")
    func moved() throws {
        let run = try program.watching(
            """
            os.mkdir("out/sub")
            before = open("sync/a.db", "rb").read()
            watch = Watch("out/sub")
            change = tell("couple rewrap --vault sync/a.db --couple c --phrase-file out/sub/phrase -o document")
            watch.until(".tmp")
            os.rename("out/sub", "out/moved")
            os.mkdir("out/sub")
            assert change.wait(20) == 73 and "its folder was moved or exchanged" in told(), told()
            assert open("sync/a.db", "rb").read() == before
            assert not os.listdir("out/sub") + os.listdir("out/moved")
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test("a vault that is emptied right after it has changed is noticed by that change")
    func late() throws {
        let run = try program.watching(
            """
            for number in range(20):
                shutil.copy("sync/a.db", "before")
                number_before = os.stat("sync/a.db").st_ino
                change = tell(f"answer seal --vault sync/a.db --couple c --question q{number} --place daily:2026-11-20 answer")
                while change.poll() is None:
                    if os.stat("sync/a.db").st_ino != number_before:
                        os.truncate("sync/a.db", 0)
                        break
                code = change.wait(20)
                if code == 8 and "the change was written, but somebody exchanged sync/a.db meanwhile" in told(): break
                if code == 74 and open("sync/a.db", "rb").read() == open("before", "rb").read(): break
                assert code == 0, (code, told())
                # They came after the end.
                os.replace("before", "sync/a.db")
                shutil.rmtree(".local")
                run("device show --vault sync/a.db --key-file a.key")
            else: raise SystemExit("never")
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }
}
