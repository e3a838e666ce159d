import Foundation
import Testing

@Suite("A link at a terminal")
struct DeviceLinkCommandTests {
    private let program: ClosingProgram
    private static let question =
        "a thief who gets the code and the document of a link becomes you: make one? type yes: "
    private static let join = "device join --vault a.db --key-file n.key link"

    init() throws {
        program = try ClosingProgram(
            after: """
                closer-keys device init --vault a.db --user alice --key-file a.key
                closer-keys device link --vault a.db --yes --code-file code -o link
                """)
    }

    @Test("is asked for, and shows a code that is erased again", arguments: ["", " --qr"])
    func shown(_ option: String) throws {
        let sitting = try program.sit(
            "device link --vault a.db -o other\(option)",
            typing: [(Self.question, "yes\n"), ("press Enter when you have typed it there", "\n")],
            showing: nil)
        #expect(sitting.exit == 0, "\(sitting.errors)")
        let code = try #require(
            sitting.screen.firstMatch(
                of: /alone:\n\n[^A-Z]*    ((?:[0-9A-Z]{4}-){6}[0-9A-Z]{4})\n/)
        ).1
        #expect(sitting.screen.contains("█") == !option.isEmpty)
        #expect(
            sitting.screen.hasSuffix(Sitting.erasure(option.isEmpty ? 5 : 25)),
            "\(sitting.screen.split(separator: "\u{1B}[A").count)")
        try program.write(Data("\(code)\n".utf8), to: "shown")
        let run = try program("device join --vault a.db --key-file n.key --code-file shown other")
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test("is not made without a yes")
    func refused() throws {
        let sitting = try program.sit(
            "device link --vault a.db --code-file x -o other", typing: [(Self.question, "y\n")])
        #expect(sitting.exit == 7 && sitting.errors.contains("no link was made"), "\(sitting.errors)")
        #expect(try !program.files().contains("x") && !program.files().contains("other"))
    }

    @Test("a mistyped code is asked for again")
    func typed() throws {
        let code = String(decoding: try program.content("code").dropLast(), as: UTF8.self)
        let wrong = (code.hasPrefix("0") ? "1" : "0") + code.dropFirst()
        let run = try program.sit(
            Self.join,
            typing: [
                ("code of the link: ", "\(wrong)\n"),
                ("another code, or the document was changed, try again", "1234\n"),
                ("twenty-eight letters and digits, try again", "\(code.lowercased())\n"),
            ], showing: true)
        #expect((run.exit, run.hidden) == (0, [false, false, false]), "\(run.errors)\(run.screen)")
        #expect(try program.content("n.key") == program.content("a.key"))
    }
}
