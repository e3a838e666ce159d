import Foundation
import Testing

/// What a new passphrase must be (closer-keys(1), SECRETS).
@Suite("A new passphrase that is typed")
struct NewPassphraseTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram(
            after: "closer-keys device init --vault a.db --user alice --key-file a.key")
    }

    @Test("is drawn for Enter alone: five words of the list, on the terminal, which are typed once more")
    func drawn() throws {
        let offer = "Enter alone draws a passphrase of 5 words\n"
        let run = try program.sit(
            "device init --vault n.db --user ned",
            typing: [("new passphrase for n.db: ", "\n"), ("the same again: ", "{drawn}\n")])
        #expect((run.exit, run.hidden, run.echoes) == (0, [true, true], true), "\(run.errors)\(run.screen)")
        let shown = "\(offer)new passphrase for n.db: \nthe passphrase, shown this once: "
        try #require(run.screen.hasPrefix(shown), "\(run.screen)")
        let words = run.screen.dropFirst(shown.count).prefix { $0 != "\n" }
        #expect(words.split(separator: " ").count == 5)
        #expect(run.screen == "\(shown)\(words)\nthe same again: \n\(Sitting.erasure(2))")
        #expect(!run.errors.contains(words) && !String(decoding: run.output, as: UTF8.self).contains(words))
        try program.write(Data(words.utf8), to: "pass")
        #expect(try program("couple status --vault n.db --passphrase-file pass").exit == 0)
    }

    @Test("that was drawn and is not typed again makes nothing, and control-c erases it")
    func notTyped() throws {
        let question = ("new passphrase for n.db: ", "\n")
        let run = try program.sit(
            "device init --vault n.db --user ned",
            typing: [question, ("the same again: ", "others\n"), question, ("the same again: ", "\u{3}")])
        #expect((run.exit, run.echoes) == (130, true), "\(run.errors)\(run.screen)")
        #expect(run.screen.contains("the two differ, try again\n"))
        #expect(run.screen.components(separatedBy: Sitting.erasure(1)).count == 3, "\(run.screen)")
        #expect(try !program.files().contains("n.db"))
    }

    @Test("that is too short for an export may be typed three times")
    func typedTwice() throws {
        let run = try program.sit(
            "device export --vault a.db -o export",
            typing: [
                ("new passphrase for the export: ", "hunter2\n"),
                ("new passphrase for the export: ", "hunter2-hunter2\n"),
                ("the same again: ", "hunter2-hunter2\n"),
            ])
        #expect(run.exit == 0 && run.echoes, "\(run.errors)")
        #expect(
            run.screen.contains("the passphrase for the export has fewer than 12 characters, try again\n"))
    }
}
