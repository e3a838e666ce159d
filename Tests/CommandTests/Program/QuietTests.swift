import Foundation
import Testing

@Suite("--quiet, for what runs while nobody looks")
struct QuietTests {
    private let scene: CoupleScene

    init() throws { scene = try CoupleScene() }

    /// Commands that succeed and say something.
    private static let talkative = [
        "closer-keys couple list --vault m.db --json > /dev/null; closer-keys answer list --vault c.db",
        "couple show a --invite",
        "couple join c invite.json", "release a bob b bob.json",
        "closer-keys couple create --vault a.db --couple x --phrase-file x.txt",
    ]

    @Test("no warning and no note is said, and the result is the same", arguments: talkative)
    func quiet(_ command: String) throws {
        let loud = try CoupleScene().run(command)
        #expect(loud.exit == 0 && loud.errors.hasPrefix("closer-keys: "), "\(loud.errors)")
        let quiet = try scene.run("\(command) --quiet")
        #expect((quiet.exit, quiet.errors) == (0, ""))
        // An invite is another each time.
        if !command.contains("create") { #expect(quiet.text == loud.text) }
    }

    @Test(
        "what opens a secret to others is said all the same",
        arguments: [
            ("chmod 644 a.key", "a.key can be read by others"),
            ("chmod 622 a.key", "a.key can be changed by others"),
            ("chmod 606 a.db", "a.db can be changed by others"),
            ("chmod 777 .", "other users can write into the folder "),
        ])
    func openToOthers(_ change: String, _ warning: String) throws {
        let run = try scene.run("\(change); closer-keys device show --vault a.db --quiet; chmod 755 .")
        #expect(run.exit == 0, "\(run.errors)")
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("closer-keys: warning: ") && $0.contains(warning) } == 1)
        #expect(lines.count == 1 || change.contains("622"), "\(run.errors)")
    }

    @Test("errors are said with their hints, and with the count of the lines that failed")
    func errors() throws {
        let loud = try scene.run("set +e; couple show a --couple nobody; exit $?")
        let quiet = try scene.run("set +e; couple show a --couple nobody --quiet; exit $?")
        #expect(quiet.exit == 4 && quiet.errors == loud.errors && quiet.errors.contains("hint: "))
        let lines = try scene.run(
            "set +e; echo x | closer-keys field open --vault a.db --couple couple_1 --jsonl --quiet; exit $?")
        #expect((lines.exit, lines.errors) == (9, "closer-keys: error: 1 of 1 lines failed\n"))
        let usage = try scene.run("set +e; couple show a --quiet --nonsense; exit $?")
        #expect(usage.exit == 64 && usage.errors.hasPrefix("closer-keys: error: "))
    }

    @Test("behind -- it belongs to the other program")
    func foreign() throws {
        let child = #"sh -c 'read x; echo "{\"seq\":0,\"features\":[\"no.such\"]}"; cat > /dev/null' --quiet"#
        let run = try scene.run("set +e; closer-keys vectors run wrap.json -- \(child); exit $?")
        #expect(run.errors.contains("closer-keys: warning: the program has 'no.such', which is no operation"))
        let quiet = try scene.run("set +e; closer-keys vectors run --quiet wrap.json -- \(child); exit $?")
        #expect(quiet.exit == run.exit && run.exit != 64 && !quiet.errors.contains("warning"))
    }
}
