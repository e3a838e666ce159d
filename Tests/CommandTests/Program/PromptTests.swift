import CloserWire
import Foundation
import Testing

@Suite("In front of a person")
struct PromptTests {
    private let scene: CoupleScene
    private var program: ClosingProgram { scene.program }

    init() throws { scene = try CoupleScene() }

    private static let secret = "correct horse"

    private func phrase() throws -> [String] {
        String(decoding: try program.content("p.txt").dropLast(), as: UTF8.self).split(separator: " ").map(
            String.init)
    }

    @Test("a new passphrase is asked for twice, an old one once, and neither is shown")
    func passphrase() throws {
        let made = try program.sit(
            "device init --vault v.db --user alice",
            typing: [
                ("new passphrase for v.db: ", "\(Self.secret)\n"), ("the same again: ", "\(Self.secret)\n"),
            ])
        #expect((made.exit, made.hidden, made.echoes) == (0, [true, true], true), "\(made.errors)")
        #expect(made.screen == "new passphrase for v.db: \nthe same again: \n")
        let shown = try program.sit(
            "device show --vault v.db", typing: [("passphrase for v.db: ", "\(Self.secret)\n")])
        #expect((shown.exit, shown.hidden, shown.echoes) == (0, [true], true), "\(shown.errors)")
        #expect(shown.screen == "passphrase for v.db: \n")
        #expect(String(decoding: shown.output, as: UTF8.self).hasPrefix("userId: alice\n"))
        for sitting in [made, shown] { #expect(!sitting.tells("horse")) }
        let other = try program.sit(
            "device show --vault v.db", typing: [("passphrase for v.db: ", "another horse\n")])
        #expect(other.exit == 3 && other.output.isEmpty && !other.tells("horse"))
    }

    @Test("two that differ make nothing")
    func mismatch() throws {
        let run = try program.sit(
            "device init --vault v.db --user alice",
            typing: [("new passphrase", "\(Self.secret)\n"), ("the same again: ", "correct house\n")])
        #expect((run.exit, run.hidden, run.echoes) == (7, [true, true], true))
        #expect(run.errors.hasPrefix("closer-keys: error: the two were not the same\n"))
        #expect(try !program.files().contains("v.db"))
    }

    @Test("a new phrase is on the terminal, once, and nowhere else; it is the one that opens")
    func newPhrase() throws {
        let run = try program.sit("couple create --vault c.db --couple couple_2")
        #expect(run.exit == 0 && run.hidden.isEmpty)
        let lines = run.screen.split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "recovery phrase, shown this once; write it down:")
        let phrase = String(try #require(lines.last)).trimmingCharacters(in: .whitespaces)
        #expect(phrase.split(separator: " ").count == 10)
        let invite = try JSONValue(parsing: run.output.dropLast())
        #expect(invite["recoveryPhrase"] != nil)
        #expect(!String(decoding: run.output, as: UTF8.self).contains(phrase) && !run.errors.contains(phrase))
        try program.write(Data("\(phrase)\n".utf8), to: "phrase")
        try scene.lines("closer-keys couple show --vault c.db --couple couple_2 --document > d.json")
        let rehearsal = try program(
            "couple recover --rehearse --vault c.db --couple couple_2 --phrase-file phrase d.json")
        #expect(rehearsal.exit == 0, "\(rehearsal.errors)")
        let fresh = try program.sit("phrase new")
        #expect(fresh.exit == 0 && fresh.output.isEmpty && fresh.errors.isEmpty)
        #expect(fresh.screen.split(whereSeparator: \.isWhitespace).count == 8 + 10)
    }

    @Test("an invite is not shown on a terminal, and no couple is made; with -o - it is")
    func inviteOnTerminal() throws {
        let command = "couple create --vault c.db --couple couple_2 --phrase-file x.txt"
        let refused = try program.sit(command, isShown: true)
        #expect(refused.exit == 7)
        #expect(refused.screen.hasPrefix("closer-keys: error: this is secret\ncloser-keys: hint: "))
        #expect(try !program.files().contains("x.txt"))
        #expect(try program("couple list --vault c.db --json").text == "{\"couples\":[]}\n")
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
            ("phrase check", 1),
        ] as [(String, Int32)] {
            let run = try program.sit(command, typing: [("recovery phrase: ", slip + "\n")])
            #expect((run.exit, run.hidden, run.echoes) == (exit, [true], true))
            #expect(
                run.screen
                    == "recovery phrase: \nword 1 is not in the list; did you mean \(words[0])?\n")
            #expect(run.errors.hasSuffix("closer-keys: hint: word 1 is not in the list\n"))
            #expect(run.output.isEmpty && !run.errors.contains(words[0]) && !run.tells(words[0] + "x"))
        }
        let right = try program.sit(
            "phrase check", typing: [("recovery phrase: ", words.joined(separator: "-").uppercased() + "\n")])
        #expect((right.exit, right.screen) == (0, "recovery phrase: \n"))
        #expect(String(decoding: right.output, as: UTF8.self) == "this looks like a recovery phrase\n")
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
        #expect(try !program.files().contains("v.db"))
        let recovery = try program.sit(
            "couple recover --vault c.db --couple couple_1 couple.json",
            typing: [("recovery phrase: ", "\u{3}")])
        #expect((recovery.exit, recovery.echoes) == (130, true))
    }

    /// Commands that would ask, and the option that each must name instead.
    private static let questions = [
        ("device init --vault v.db --user alice", "--passphrase-file"),
        ("device passphrase --vault a.db", "--new-passphrase-file"),
        ("device export --vault a.db -o x", "--export-passphrase-file"),
        ("device import --vault v.db --key-file v.key a.db", "--export-passphrase-file"),
        ("couple create --vault c.db --couple couple_2 -o x", "--phrase-file"),
        ("couple rewrap --vault a.db --couple couple_1 -o x", "--phrase-file"),
        ("couple recover --vault c.db --couple couple_1 couple.json", "--phrase-file"),
        ("couple join --vault c.db --couple couple_1 no-code.json", "--code-file"),
        ("phrase check", "--phrase-file"), ("phrase new", "-o"),
    ]

    @Test("with --no-input nobody is asked, and with nobody there neither", arguments: questions)
    func nobody(_ command: String, _ flag: String) throws {
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
