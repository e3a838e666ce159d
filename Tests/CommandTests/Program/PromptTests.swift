import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("In front of a person")
struct PromptTests {
    private let scene: CoupleScene
    private var program: ClosingProgram { scene.program }

    init() async throws { scene = try await CoupleScene() }

    private static let secret = "correct horse"
    /// Stands above the question for a new passphrase.
    private static let offer = "Enter alone draws a passphrase of 5 words\n"

    @Test(
        "a new passphrase is asked for twice, an old one once, and neither is shown",
        .proves("Secrets are typed unseen, and `--no-input` never asks"))
    func passphrase() throws {
        let made = try program.sit(
            "device init --vault v.db --user alice",
            typing: [
                ("new passphrase for v.db: ", "\(Self.secret)\n"), ("the same again: ", "\(Self.secret)\n"),
            ])
        #expect((made.exit, made.hidden, made.echoes) == (0, [true, true], true), "\(made.errors)")
        #expect(made.screen == "\(Self.offer)new passphrase for v.db: \nthe same again: \n")
        let shown = try program.sit(
            "device show --vault v.db", typing: [("passphrase for v.db: ", "\(Self.secret)\n")])
        #expect((shown.exit, shown.hidden, shown.echoes) == (0, [true], true), "\(shown.errors)")
        #expect(shown.screen == "passphrase for v.db: \n")
        #expect(String(decoding: shown.output, as: UTF8.self).hasPrefix("userId: alice\n"))
        for sitting in [made, shown] { #expect(!sitting.tells("horse")) }
    }

    @Test("a wrong passphrase may be typed three times")
    func wrong() throws {
        try lock("v.db")
        let (question, wrong) = ("passphrase for v.db: ", "another horse\n")
        let third = try program.sit(
            "device show --vault v.db",
            typing: [(question, wrong), (question, wrong), (question, "\(Self.secret)\n")])
        #expect((third.exit, third.hidden) == (0, [true, true, true]), "\(third.errors)")
        let again = "it does not open with this passphrase, try again\n"
        #expect(third.screen == "\(question)\n\(again)\(question)\n\(again)\(question)\n")
        let never = try program.sit(
            "device show --vault v.db", typing: Array(repeating: (question, wrong), count: 3))
        #expect(never.exit == 3 && never.output.isEmpty && !never.tells("horse"))
        #expect(never.screen == "\(question)\n\(again)\(question)\n\(again)\(question)\n")
        #expect(
            never.errors.hasPrefix(
                "closer-keys: error: v.db does not open with this passphrase\ncloser-keys: hint: a passphrase cannot be reset"
            ),
            "\(never.errors)")
        // A passphrase from a file is not typed again.
        try program.write(Data(wrong.utf8), to: "wrong")
        let file = try program.sit("device show --vault v.db --passphrase-file wrong")
        #expect((file.exit, file.screen) == (3, ""))
        #expect(file.errors.contains("hint: check the file wrong, which the passphrase came from\n"))
    }

    @Test(
        "a wrong passphrase of an export may be typed three times, and makes nothing",
        arguments: ["device import --vault n.db --key-file n.key a.export", "doctor a.export"])
    func wrongForExport(_ command: String) throws {
        try program.write(Data("\(Self.secret)\n".utf8), to: "secret")
        try scene.lines("closer-keys device export --vault a.db --export-passphrase-file secret -o a.export")
        let (question, wrong) = ("passphrase of the export: ", "another horse\n")
        let again = "it does not open with this passphrase, try again\n"
        let shown = "\(question)\n\(again)\(question)\n\(again)\(question)\n"
        let never = try program.sit(command, typing: Array(repeating: (question, wrong), count: 3))
        #expect((never.exit, never.screen, never.tells("horse")) == (3, shown, false), "\(never.errors)")
        #expect(
            never.errors.contains("error: the export does not open: another passphrase, or a changed byte"))
        #expect(try Set(program.files()).isDisjoint(with: ["n.db", "n.key"]))
        let third = try program.sit(
            command, typing: [(question, wrong), (question, wrong), (question, "\(Self.secret)\n")])
        #expect((third.exit, third.screen, third.echoes) == (0, shown, true), "\(third.errors)")
        #expect(String(decoding: third.output, as: UTF8.self).contains("alice"))
    }

    @Test("standard input that is named twice is refused before a passphrase is asked for")
    func standardInputTwice() throws {
        try lock("v.db")
        let run = try program.sit("couple join --vault v.db --couple couple_1 --code-file -")
        #expect((run.exit, run.screen) == (64, ""), "\(run.errors)")
    }

    @Test(
        "no passphrase is asked for where the result has nowhere to go",
        arguments: [
            "couple create --vault v.db --couple c -o p.txt", "couple create --vault v.db --couple c --json",
            "device export --vault v.db -o p.txt",
        ])
    func early(_ command: String) throws {
        try lock("v.db")
        let run = try program.sit(command)
        #expect(run.exit == 7 && !run.tells("passphrase for"), "\(run.screen)\(run.errors)")
    }

    private func lock(_ vault: String) throws {
        try program.write(Data("\(Self.secret)\n".utf8), to: "secret")
        try #require(
            try program("device init --vault \(vault) --user alice --passphrase-file secret").exit == 0)
    }

    @Test("two that differ may be typed three times, and make nothing")
    func mismatch() throws {
        let pair = [("new passphrase", "\(Self.secret)\n"), ("the same again: ", "correct house\n")]
        let run = try program.sit("device init --vault v.db --user alice", typing: pair + pair + pair)
        #expect((run.exit, run.hidden, run.echoes) == (7, Array(repeating: true, count: 6), true))
        #expect(run.errors.hasPrefix("closer-keys: error: the two differ\n"))
        #expect(try !program.files().contains("v.db"))
        let right = [("new passphrase", "\(Self.secret)\n"), ("the same again: ", "\(Self.secret)\n")]
        let second = try program.sit("device init --vault v.db --user alice", typing: pair + right)
        #expect(second.exit == 0, "\(second.errors)")
        #expect(second.screen.contains("\nthe two differ, try again\nnew passphrase"))
    }

    @Test("an end of the input is no passphrase")
    func nothing() throws {
        let run = try program.sit(
            "device init --vault v.db --user alice", typing: [("new passphrase for v.db: ", "\u{4}")])
        #expect((run.exit, run.echoes) == (7, true))
        #expect(run.errors == "closer-keys: error: no new passphrase for v.db was typed\n")
    }

    @Test("a path in a question steers no terminal")
    func escapes() throws {
        let run = try program.sit(
            "device init --vault e\u{1B}[2Jx.db --user alice", typing: [("new passphrase for ", "\u{3}")])
        #expect(run.screen == "\(Self.offer)new passphrase for e\u{FFFD}[2Jx.db: \n")
    }

    @Test("an invite is not shown on a terminal, and no couple is made; with -o - it is")
    func inviteOnTerminal() throws {
        let command = "couple create --vault c.db --couple couple_2 --phrase-file x.txt"
        let refused = try program.sit(command, isShown: true)
        #expect(refused.exit == 7)
        #expect(
            refused.screen.hasPrefix(
                "closer-keys: error: the result is secret, and standard output is a terminal\ncloser-keys: hint: "
            ))
        #expect(try !program.files().contains("x.txt"))
        #expect(try program("couple status --vault c.db --json").text == "{\"couples\":[]}\n")
        let shown = try program.sit("\(command) -o -", isShown: true)
        #expect(shown.exit == 0 && shown.screen.contains("\"wrappedCoupleKey\":"))
        let again = try program.sit("couple show --vault c.db --couple couple_2 --invite", isShown: true)
        #expect(again.exit == 7 && !again.screen.contains("wrappedCoupleKey"))
    }

    @Test("what is typed while a wrong passphrase is tried is not shown, and is no passphrase")
    func typedAhead() throws {
        try lock("v.db")
        let question = "passphrase for v.db: "
        let run = try program.sit(
            "device show --vault v.db",
            typing: [
                (question, "another horse\n"), ("\r\n", "typed ahead\n"), (question, "\(Self.secret)\n"),
            ], showing: nil)
        #expect((run.exit, run.echoes) == (0, true), "\(run.errors)\(run.screen)")
        #expect(run.hidden.dropFirst() == [true, true] && !run.tells("ahead"), "\(run.screen)")
    }

    @Test("the code of an invite without one is asked for")
    func code() throws {
        try scene.lines("jq -c 'del(.code)' invite.json > x.json")
        let invite = try JSONValue(parsing: program.content("invite.json").dropLast())
        let code = try #require(invite["code"]?.string)
        let run = try program.sit(
            "couple join --vault c.db --couple couple_1 x.json", typing: [("invite code: ", "\(code)\n")])
        #expect((run.exit, run.hidden, run.screen) == (0, [true], "invite code: \n"), "\(run.errors)")
        #expect(!run.tells(code))
    }

    @Test("control-c at a prompt ends with 130, and the terminal shows again what is typed")
    func interrupted() throws {
        let run = try program.sit(
            "device init --vault v.db --user alice", typing: [("new passphrase for v.db: ", "half\u{3}")])
        #expect((run.exit, run.hidden, run.echoes) == (130, [true], true))
        #expect(run.screen == "\(Self.offer)new passphrase for v.db: \n")
        #expect(try !program.files().contains("v.db"))
        let recovery = try program.sit(
            "couple recover --vault c.db --couple couple_1 couple.json",
            typing: [("recovery phrase: ", "\u{3}")])
        #expect((recovery.exit, recovery.echoes) == (130, true))
    }

    /// Commands that would ask, and the option that each must name instead.
    private static let questions = [
        ("device init --vault v.db --user alice", "--key-file or --passphrase-file"),
        ("device passphrase --vault a.db", "--new-key-file or --new-passphrase-file"),
        ("device export --vault a.db -o x", "--export-passphrase-file"),
        ("device import --vault v.db --key-file v.key a.db", "--export-passphrase-file"),
        ("couple create --vault c.db --couple couple_2 -o x", "--phrase-file"),
        ("couple rewrap --vault a.db --couple couple_1 -o x", "--phrase-file"),
        ("couple recover --vault c.db --couple couple_1 couple.json", "--phrase-file"),
        ("couple join --vault c.db --couple couple_1 no-code.json", "--code-file"),
        ("couple rehearse --words-only", "--phrase-file"),
    ]

    @Test(
        "nothing is asked with --no-input, or without a terminal",
        .proves("Secrets are typed unseen, and `--no-input` never asks"), arguments: questions)
    func unasked(_ command: String, _ flag: String) throws {
        try scene.lines("jq -c 'del(.code)' invite.json > no-code.json")
        let before = try program.files()
        for run in [
            try program.sit("\(command) --no-input"), try program.sit(command, hasTerminal: false),
            try program.sit("\(command) --no-input", hasTerminal: false),
        ] {
            #expect(run.exit == 7, "\(run.errors)")
            #expect(run.screen == "" && run.output.isEmpty)
            #expect(run.errors.contains("closer-keys: hint: use \(flag)"), "\(run.errors)")
        }
        #expect(try program.files().filter { !["out", "err", ".plan"].contains($0) } == before)
    }
}
