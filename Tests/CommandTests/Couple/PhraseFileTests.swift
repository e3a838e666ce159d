import CloserWire
import Foundation
import Testing

/// No change is without its phrase: somebody else can write the folder that the phrase is to go to.
@Suite(
    "The file of a new phrase", .enabled(if: FileManager.default.fileExists(atPath: "/proc/sys/fs/inotify")))
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

    /// Runs a command, and does something as soon as it has made its temporary file in `out`.
    private func run(_ arguments: String, meanwhile act: String) throws -> ClosingProgram.Run {
        try program.watching(
            """
            watch = Watch("out")
            change = start("\(arguments)")
            watch.until(".tmp")
            name = "out/" + os.listdir("out")[0]
            \(act)
            print("exit", change.wait(), flush=True)
            """)
    }

    @Test(
        "somebody makes it first, or takes the new one away: the vault is not changed, and keeps its phrase",
        arguments: ["couple rewrap --couple c", "couple create --couple d"],
        ["open(\"out/phrase\", \"w\").close()", "os.rename(name, \"stolen\")"])
    func plantedMeanwhile(_ arguments: String, _ act: String) throws {
        let run = try run("\(arguments) --vault a.db --phrase-file out/phrase -o result", meanwhile: act)
        let exit = act.contains("rename") ? 73 : 7
        #expect(run.text == "exit \(exit)\n", "\(run.errors)")
        #expect(exit == 73 || run.errors.contains("hint: name another file: a phrase"), "\(run.errors)")
        #expect(try program.content("a.db") == program.content("before.db"))
        #expect(
            try program("couple recover --rehearse --vault a.db --couple c --phrase-file first document").exit
                == 0)
        #expect(try !program.files().contains("result"))
    }

    @Test(
        "the result does not replace it, though somebody makes the two names one while the vault is changed")
    func met() throws {
        let run = try program.watching(
            """
            os.mkdir("d")
            open("d/x", "w").write("former result")
            turn = Turn("a.db")
            change = start("couple rewrap --vault a.db --couple c --phrase-file out/x -o d/x --force")
            turn.until(change)
            os.rename("out", "o0")
            os.rename("d", "out")
            os.rename("o0/x", "out/x")
            os.symlink("out", "d")
            turn.end()
            print("exit", change.wait(), flush=True)
            """)
        #expect(
            run.text == "exit 73\n" && run.errors.contains("the vault was changed before that"),
            "\(run.errors)")
        #expect(try program.script("wc -w < out/x").text == "10\n")
    }

    @Test("a change that fails leaves none")
    func failedChange() throws {
        let failed = try program.script(
            """
            rm -f a.db.lock; mkdir a.db.lock
            closer-keys couple rewrap --vault a.db --couple c --phrase-file out/phrase || echo exit $?; ls out
            """)
        #expect(failed.text == "exit 74\n", "\(failed.errors)")
    }

    @Test("on the terminal it is shown, though a signal came while the vault was changed")
    func interrupted() throws {
        let run = try program.watching(
            """
            for turn in range(20):
                watch = Watch(".")
                child, terminal = pty.fork()
                if child == 0: os.execvp("closer-keys", "closer-keys couple rewrap --vault a.db --couple c".split())
                watch.until(".tmp")
                before = open("a.db", "rb").read()
                os.kill(child, signal.SIGINT)
                was_early = open("a.db", "rb").read() == before
                shown = b""
                try:
                    while b"on paper" not in shown: shown += os.read(terminal, 4096)
                    os.write(terminal, bytes([10]))
                    while True: shown += os.read(terminal, 4096)
                except OSError: pass
                os.waitpid(child, 0); os.close(terminal)
                if was_early and open("a.db", "rb").read() != before: print(b"shown this once" in shown)
            """)
        #expect(
            run.exit == 0 && !run.text.contains("False") && run.text.contains("True"),
            "\(run.text) \(run.errors)")
    }
}
