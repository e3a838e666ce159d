import Foundation
import Testing

/// What a new passphrase must be (closer-keys(1), SECRETS). One that protects something already opens it, whatever it is.
@Suite("A new passphrase")
struct NewPassphraseTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let run = try program.script("closer-keys device init --vault a.db --user alice --key-file a.key")
        try #require(run.exit == 0, "\(run.errors)")
    }

    private func write(_ bytes: [UInt8]) throws {
        try program.write(Data(bytes), to: "pass")
        try #require(try program.script("chmod 600 pass").exit == 0)
    }

    private static let commands = [
        "init --vault n.db --user ned --passphrase-file pass",
        "passphrase --vault a.db --new-passphrase-file pass",
        "export --vault a.db --export-passphrase-file pass -o export",
    ]

    @Test(
        "with a byte order mark or a NUL is refused, and nothing is made or changed", arguments: commands,
        [
            ([0xEF, 0xBB, 0xBF] + Array("correct horse".utf8), "begins with a byte order mark"),
            ([0xFF, 0xFE] + Array("correct horse".utf8), "begins with a byte order mark"),
            (Array("correct\0horse".utf8), "holds a NUL"),
        ] as [([UInt8], String)])
    func unreadable(_ command: String, _ fault: (bytes: [UInt8], words: String)) throws {
        try write(fault.bytes)
        let before = (try program.files(), try program.content("a.db"))
        let run = try program("device \(command)")
        #expect(run.exit == 5 && run.errors.contains(fault.words), "\(run.errors)")
        #expect(run.errors.contains("closer-keys: hint: "))
        #expect(try program.files() == before.0 && program.content("a.db") == before.1)
    }

    @Test(
        "of fewer than twelve characters protects no export", arguments: ["hunter2-hun", "ünïcödé-hun", "x"])
    func shortForExport(_ passphrase: String) throws {
        try write(Array(passphrase.utf8))
        let run = try program("device export --vault a.db --export-passphrase-file pass -o export")
        #expect(
            run.exit == 5
                && run.errors == """
                    closer-keys: error: the passphrase for the export has fewer than 12 characters
                    closer-keys: hint: leave it out and press Enter at the prompt: that draws one of five words

                    """,
            "\(run.errors)")
        #expect(try !program.files().contains("export"))
        try write(Array("\(passphrase)hunter2-hun".utf8))
        #expect(try program("device export --vault a.db --export-passphrase-file pass -o export").exit == 0)
    }

    @Test("of fewer than twelve characters protects a vault, with a warning, and opens it without one")
    func shortForVault() throws {
        try write(Array("hunter2".utf8))
        for command in Self.commands.dropLast() {
            let run = try program("device \(command)")
            #expect(run.exit == 0 && run.errors.contains("warning: the passphrase for "), "\(run.errors)")
            #expect(run.errors.contains("fewer than 12 characters") && !run.errors.contains("hunter2"))
        }
        for vault in ["a.db", "n.db"] {
            let run = try program("couple list --vault \(vault) --passphrase-file pass")
            #expect(run.exit == 0 && run.errors.hasPrefix("closer-keys: no couples yet: "), "\(run.errors)")
        }
        try write(Array("hunter2-hunt".utf8))
        let long = try program("device init --vault m.db --user mo --passphrase-file pass")
        #expect(long.exit == 0 && !long.errors.contains("fewer"), "\(long.errors)")
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
        #expect(try program("couple list --vault n.db --passphrase-file pass").exit == 0)
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

    @Test("is taken byte for byte, and where an accent does not open, the hint says why")
    func accents() throws {
        try program.write(Data("ein h\u{FC}bsches Wort".utf8), to: "composed")
        try program.write(Data("ein hu\u{308}bsches Wort".utf8), to: "decomposed")
        try program.write(Data("ein schlechtes Wort".utf8), to: "plain")
        let made = try program.script(
            """
            closer-keys device init --vault n.db --user ned --passphrase-file composed
            closer-keys device export --vault a.db --export-passphrase-file composed -o export
            """)
        #expect(made.exit == 0, "\(made.errors)")
        for command in [
            "couple list --vault n.db --passphrase-file", "device check export --export-passphrase-file",
        ] {
            #expect(try program("\(command) composed").exit == 0)
            let run = try program("\(command) decomposed")
            #expect(
                run.exit == 3 && run.errors.contains("hint: ") && run.errors.contains("accent"),
                "\(run.errors)")
            let plain = try program("\(command) plain")
            #expect(plain.exit == 3 && !plain.errors.contains("accent"), "\(plain.errors)")
        }
    }
}
