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

    private func phrase() throws -> [String] {
        String(decoding: try program.content("p.txt").dropLast(), as: UTF8.self).split(separator: " ").map(
            String.init)
    }

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

    private static let written = [("press Enter when it is on paper", "\n")]
    private static let create = "couple create --vault c.db --couple couple_2 -o invite_2"

    @Test(
        "a new phrase is on the terminal, once, and nowhere else; it is the one that opens",
        .proves("A new recovery phrase is shown once, and erased from the screen"))
    func newPhrase() throws {
        let run = try program.sit("couple create --vault c.db --couple couple_2", typing: Self.written)
        #expect(run.exit == 0 && run.hidden == [true], "\(run.errors)")
        let phrase = run.words.joined(separator: " ")
        #expect(phrase.split(separator: " ").count == 10)
        let invite = try JSONValue(parsing: run.output.dropLast())
        #expect(invite["recoveryPhrase"] != nil)
        #expect(!String(decoding: run.output, as: UTF8.self).contains(phrase) && !run.errors.contains(phrase))
        try program.write(Data("\(phrase)\n".utf8), to: "phrase")
        try scene.lines("closer-keys couple show --vault c.db --couple couple_2 --document > d.json")
        let rehearsal = try program(
            "couple rehearse --vault c.db --couple couple_2 --phrase-file phrase d.json")
        #expect(rehearsal.exit == 0, "\(rehearsal.errors)")
    }

    @Test("a phrase is shown in two numbered columns of 40 characters, until it is on paper")
    func phrasePage() throws {
        let run = try program.sit(Self.create, typing: Self.written)
        #expect(run.exit == 0 && run.output.isEmpty && run.echoes)
        let lines = run.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let words = run.words
        try #require(words.count == 10 && lines.count == 10, "\(run.screen)")
        #expect(lines[0] == "recovery phrase, shown this once:" && lines[1].isEmpty && lines[7].isEmpty)
        for row in 0..<5 {
            let left = "  \(row + 1) \(words[row])".padding(toLength: 20, withPad: " ", startingAt: 0)
            #expect(lines[2 + row] == "\(left)\(row == 4 ? "" : " ") \(row + 6) \(words[row + 5])")
        }
        #expect(lines.dropLast().allSatisfy { $0.count <= 40 })
        #expect(lines[8] == "press Enter when it is on paper" && lines[9] == Sitting.erasure(9))
        let plain = try program.sit(
            Self.create.replacing("_2", with: "_3"), typing: Self.written, kind: "dumb")
        #expect(plain.exit == 0 && !plain.screen.contains("\u{1B}"))
    }

    @Test(
        "control-c erases a phrase that is on the screen, where the terminal can",
        .proves("A new recovery phrase is shown once, and erased from the screen"))
    func phraseInterrupted() throws {
        let interrupt = [("press Enter when it is on paper", "\u{3}")]
        let run = try program.sit(Self.create, typing: interrupt)
        #expect((run.exit, run.hidden, run.echoes) == (130, [true], true), "\(run.errors)")
        #expect(run.words.count == 10)
        #expect(
            run.screen.hasSuffix("press Enter when it is on paper\(Sitting.erasure(8))"), "\(run.screen)")
    }

    @Test("a dumb terminal, which cannot erase, gets only a newline")
    func phraseInterruptedDumb() throws {
        let run = try program.sit(
            Self.create, typing: [("press Enter when it is on paper", "\u{3}")], kind: "dumb")
        #expect((run.exit, run.echoes) == (130, true))
        #expect(run.screen.hasSuffix("on paper\n") && !run.screen.contains("\u{1B}"))
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

    @Test("a slip in a typed phrase: the terminal suggests the word, the errors say only which")
    func suggestion() throws {
        let words = try phrase()
        let slip = ([words[0] + "x"] + words.dropFirst()).joined(separator: " ")
        for (command, exit) in [
            ("couple recover --vault c.db --couple couple_1 couple.json", 3),
            ("couple rehearse --couple couple_1 couple.json", 3), ("couple rehearse --words-only", 1),
        ] as [(String, Int32)] {
            let typed = Array(repeating: ("recovery phrase: ", slip + "\n"), count: exit == 3 ? 2 : 1)
            let run = try program.sit(command, typing: typed)
            #expect((run.exit, run.hidden.count, run.echoes) == (exit, typed.count, true))
            let asked = "recovery phrase: \nword 1 is not in the list; did you mean \(words[0])?\n"
            let again =
                "this recovery phrase has words that are not in the list (type it twice to try it unchanged), try again\n"
            #expect(run.screen == (exit == 3 ? "\(asked)\(again)\(asked)" : asked))
            #expect(run.errors.hasSuffix("word 1 is not in the list\n"))
            #expect(run.output.isEmpty && !run.errors.contains(words[0]) && !run.tells(words[0] + "x"))
        }
        let right = try program.sit(
            "couple rehearse --words-only",
            typing: [("recovery phrase: ", words.joined(separator: "-").uppercased() + "\n")])
        #expect((right.exit, right.screen) == (0, "recovery phrase: \n"))
        #expect(String(decoding: right.output, as: UTF8.self) == "this looks like a recovery phrase\n")
    }

    @Test("a key is removed in place only after a yes", arguments: [("yes", Int32(0)), ("y", 7)])
    func removal(_ answer: String, _ exit: Int32) throws {
        let ids = try program.lines(
            """
            closer-keys keyset new --type aes256-gcm -o k; closer-keys keyset rotate --in-place k
            closer-keys keyset list k | cut -d ' ' -f 1
            """)
        let question = "what only key \(ids[0]) opens is lost: remove it from k? type yes: "
        let run = try program.sit(
            "keyset set removed k --in-place --key-id \(ids[0])", typing: [(question, "\(answer)\n")])
        #expect(run.exit == exit, "\(run.errors)")
        #expect(try program.lines("closer-keys keyset list k").count == (exit == 0 ? 1 : 2))
        let unseen = try program.sit(
            "keyset set removed k --in-place --key-id \(ids[0])", hasTerminal: false)
        #expect(exit == 0 || unseen.exit == 7 && unseen.errors.hasSuffix("hint: use --yes\n"))
    }

    @Test(
        "a phrase of nine words may be typed again before it is tried, and from a file the error counts them")
    func nineWords() throws {
        let words = try phrase()
        let nine = words.dropLast().joined(separator: " ")
        let command = "couple rehearse --couple couple_1 couple.json"
        let run = try program.sit(
            command,
            typing: [
                ("recovery phrase: ", nine + "\n"),
                ("recovery phrase: ", words.joined(separator: " ") + "\n"),
            ])
        #expect((run.exit, run.hidden) == (0, [true, true]), "\(run.errors)\(run.screen)")
        #expect(run.screen.contains("\nthis recovery phrase has 9 words, expected 10 ("))
        try program.write(Data(nine.utf8), to: "nine")
        let file = try program("\(command) --phrase-file nine")
        #expect(file.exit == 3)
        #expect(
            file.errors == """
                closer-keys: error: it does not open, and this recovery phrase has 9 words, expected 10
                closer-keys: hint: closer-keys couple rehearse --words-only looks at the words

                """)
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
