import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("A recovery phrase in front of a person")
struct PhraseOnScreenTests {
    private let scene: CoupleScene
    private var program: ClosingProgram { scene.program }

    init() async throws { scene = try await CoupleScene() }

    private static let written = [("press Enter when it is on paper", "\n")]
    private static let create = "couple create --vault c.db --couple couple_2 -o invite_2"

    private func phrase() throws -> [String] {
        String(decoding: try program.content("p.txt").dropLast(), as: UTF8.self).split(separator: " ").map(
            String.init)
    }

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
}
