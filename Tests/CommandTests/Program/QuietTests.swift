import Foundation
import TestSupport
import Testing

@Suite("--quiet, for what runs while nobody looks")
struct QuietTests {
    private let scene: CoupleScene

    init() async throws { scene = try await CoupleScene() }

    /// Commands that succeed and say something.
    private static let talkative = [
        "closer-keys couple list --vault m.db --json > /dev/null; closer-keys answer list --vault c.db",
        "couple show a --invite",
        "couple join c invite.json", "release a bob b bob.json",
        "closer-keys couple create --vault a.db --couple x --phrase-file x.txt",
    ]

    @Test(
        "no warning and no note is said, and the result is the same", .proves("`--quiet` drops notes"),
        arguments: talkative)
    func quiet(_ command: String) async throws {
        let loud = try await CoupleScene().run(command)
        #expect(loud.exit == 0 && loud.errors.hasPrefix("closer-keys: "), "\(loud.errors)")
        let quiet = try scene.run("\(command) --quiet")
        #expect((quiet.exit, quiet.errors) == (0, ""))
        // An invite is another each time.
        if !command.contains("create") { #expect(quiet.text == loud.text) }
    }

    @Test("what two people do who pair, answer, lose a phone and recover prints no warning, also without it")
    func healthy() throws {
        let run = try ClosingProgram().script(
            """
            exec > log
            alice() { CLOSER_KEYS_VAULT=alice.db closer-keys "$@"; }
            bob() { CLOSER_KEYS_VAULT=bob.db closer-keys "$@"; }
            alice device init --user alice --key-file alice.key
            bob device init --user bob --key-file bob.key
            alice pair invite --couple us --phrase-file phrase.txt --code-file code.txt -o offer
            bob pair accept --partner alice --code-file code.txt -o reply offer
            alice pair confirm --partner bob -o grant reply
            bob pair finish --phrase-file bobs-phrase.txt grant
            echo hello | alice field seal -o token; bob field open token
            echo '{"answer":"yes"}' | alice answer seal --question q --place daily:2026-11-20 -o from-alice
            echo '{"answer":"no"}' | bob answer seal --question q --place daily:2026-11-20 -o from-bob
            alice answer release -o for-bob from-bob
            bob answer reveal --release for-bob -o revealed from-alice
            alice couple show --document -o couple
            closer-keys device init --vault new.db --user alice --key-file new.key
            closer-keys couple recover --vault new.db --couple us --phrase-file phrase.txt couple
            bob pair invite --couple us --code-file again -o offer2
            closer-keys pair accept --vault new.db --couple us --partner bob --yes --code-file again -o reply2 offer2
            bob pair confirm --partner alice --new-key --phrase-file phrase2 --couple-out couple2 -o grant2 reply2
            closer-keys pair finish --vault new.db --couple us --phrase-file phrase3 grant2
            bob field open token; bob couple rewrap --phrase-file phrase4 -o couple3
            alice couple create --couple them --phrase-file phrase5 -o invite
            bob couple join --couple them invite
            """)
        #expect(run.exit == 0 && !run.errors.contains("warning: "), "\(run.errors)")
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

    @Test(
        "errors are said with their hints, and with the count of the lines that failed",
        .proves("`--quiet` drops notes"))
    func errors() throws {
        let loud = try scene.run("set +e; closer-keys couple show --vault a.db --couple nobody; exit $?")
        let quiet = try scene.run(
            "set +e; closer-keys couple show --vault a.db --couple nobody --quiet; exit $?")
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
        #expect(
            run.errors.contains("closer-keys: warning: the program names the unknown operation 'no.such'"))
        let quiet = try scene.run("set +e; closer-keys vectors run --quiet wrap.json -- \(child); exit $?")
        #expect(quiet.exit == run.exit && run.exit != 64 && !quiet.errors.contains("warning"))
    }
}
