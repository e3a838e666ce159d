import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("In front of a shell that stops and continues its jobs")
struct JobControlTests {
    private let program: ClosingProgram
    private static let secret = "correct horse"
    private static let question = "passphrase for v.db: "

    init() throws {
        program = try ClosingProgram()
        try program.write(Data("\(Self.secret)\n".utf8), to: "secret")
        try #require(
            try program("device init --vault v.db --user alice --passphrase-file secret").exit == 0)
    }

    @Test(
        "after control-z and fg the question is asked again, and hidden again",
        .proves("Secrets are typed unseen, and `--no-input` never asks"))
    func stopped() throws {
        let run = try program.sitAtShell([
            ("$ ", "closer-keys device show --vault v.db --json > shown\n", true),
            (Self.question, "half\u{1A}", false), ("Stopped", "fg\n", true),
            (Self.question, "an\u{1A}", false), ("Stopped", "fg\n", true),
            (Self.question, "\(Self.secret)\n", false), ("$ ", "echo left=$?\n", true),
            ("left=0", "exit\n", true),
        ])
        #expect(run.hidden == [false, true, false, true, false, true, false, false], "\(run.screen)")
        #expect(!run.tells("horse") && !run.tells("half") && run.echoes)
        #expect(try JSONValue(parsing: program.content("shown").dropLast())["userId"] == "alice")
    }

    @Test("control-z erases a page, and after fg it is shown again, and erased in the end")
    func stoppedPage() throws {
        let question = "press Enter when it is on paper"
        let run = try program.sitAtShell([
            (
                "$ ",
                "closer-keys couple create --vault v.db --passphrase-file secret --couple us -o invite\n",
                true
            ),
            (question, "\u{1A}", false), ("Stopped", "fg\n", true), (question, "\n", false),
            ("$ ", "echo left=$?\n", true), ("left=0", "exit\n", true),
        ])
        #expect(run.hidden == [false, true, false, true, false, false], "\(run.screen)")
        let pages = run.screen.components(separatedBy: "recovery phrase, shown this once:")
        try #require(pages.count == 3, "\(run.screen)")
        #expect(pages[1].contains("\(question)\(Sitting.erasure(8))"), "\(run.screen)")
        #expect(pages[2].contains("\(question)\n\(Sitting.erasure(9))"), "\(run.screen)")
    }

    // A shell that is told fg while the job stops itself takes the stop for one in the foreground.
    @Test(
        "a job in the background asks once it is in the foreground",
        .proves("Secrets are typed unseen, and `--no-input` never asks"))
    func background() throws {
        let run = try program.sitAtShell([
            ("$ ", "closer-keys device show --vault v.db > shown &\n", true),
            ("[1]", "until jobs -s | grep -q .; do sleep 0.1; done\n", true), ("Stopped", "fg\n", true),
            (Self.question, "\(Self.secret)\n", false), ("$ ", "echo left=$?\n", true),
            ("left=0", "exit\n", true),
        ])
        #expect(run.hidden == [false, false, false, true, false, false], "\(run.screen)")
        #expect(!run.tells("horse") && run.echoes)
    }

    // The signal comes when the terminal hides what is typed, which stty sees, and the test has seen it, too.
    @Test(
        "a signal at a question ends it, and the terminal shows again what is typed",
        arguments: Effort.some(
            of: [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGABRT, SIGSEGV],
            everyOther: 3))
    func ended(_ signal: Int32) throws {
        let run = try program.sitAtShell([
            (
                "$ ",
                "(for i in $(seq 400); do stty -a < /dev/tty | grep -q ' -echo ' && break; sleep 0.05; done; sleep 0.5; kill -\(signal) $(cat pid)) &\n",
                true
            ),
            ("$ ", "bash -c 'echo $$ > pid; exec closer-keys device show --vault v.db'\n", true),
            (Self.question, "", false), ("$ ", "echo left=$?\n", true),
            ("left=\(128 + signal)", "exit\n", true),
        ])
        #expect(run.hidden == [false, false, true, false, false], "\(run.screen)")
        #expect(run.echoes)
    }

    @Test("what is typed too long is refused, and nothing of it is left to the shell")
    func tooLong() throws {
        let long = String(repeating: "x", count: 1025)
        let run = try program.sitAtShell([
            ("$ ", "closer-keys device show --vault v.db\n", true),
            (Self.question, "\(long)touch ran\ntouch too\n", false),
            ("has more than 1024 bytes", "", true), ("$ ", "echo left=$?\n", true),
            ("left=6", "exit\n", true),
        ])
        #expect(run.hidden == [false, true, false, false, false], "\(run.screen)")
        #expect(!run.tells("touch") && !run.tells("xx"))
        #expect(try Set(program.files()).isDisjoint(with: ["ran", "too"]))
        let longest = String(repeating: "y", count: 1024)
        let fits = try program.sit(
            "device init --vault w.db --user bob",
            typing: [("new passphrase", "\(longest)\n"), ("the same again", "\(longest)\n")])
        #expect(fits.exit == 0, "\(fits.errors)")
    }
}
