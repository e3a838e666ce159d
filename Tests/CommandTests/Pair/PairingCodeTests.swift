import Foundation
import Testing

@Suite("A pairing code that is typed")
struct PairingCodeTests {
    private let program: ClosingProgram
    private let code: String
    private static let accept = "pair accept --vault b.db --couple us offer -o reply"
    private static let other = "closer-keys: error: this code belongs to another offer\n"

    init() throws {
        program = try ClosingProgram(
            after: """
                closer-keys device init --vault a.db --user alice --key-file a.key
                closer-keys device init --vault b.db --user bob --key-file b.key
                closer-keys pair invite --vault a.db --couple us --phrase-file p --code-file code -o offer
                """)
        code = String(decoding: try program.content("code").dropLast(), as: UTF8.self)
    }

    /// The code with another first half.
    private var wrong: String { (code.hasPrefix("Z") ? "Y" : "Z") + code.dropFirst() }

    @Test("is shown while it is typed, and its line is erased")
    func echoed() throws {
        let run = try program.sit(
            Self.accept, typing: [("pairing code: ", "\(code.lowercased())\n")], showing: true)
        #expect((run.exit, run.hidden, run.echoes) == (0, [false], true), "\(run.errors)")
        #expect(run.screen == "pairing code: \(code.lowercased())\n\(Sitting.erasure(1))")
    }

    @Test("is not shown where it cannot be erased")
    func dumb() throws {
        let run = try program.sit(Self.accept, typing: [("pairing code: ", "\(code)\n")], kind: "dumb")
        #expect((run.exit, run.hidden, run.screen) == (0, [true], "pairing code: \n"), "\(run.errors)")
    }

    @Test("is gone after control-c")
    func stopped() throws {
        let run = try program.sit(
            Self.accept, typing: [("pairing code: ", "\(code)\u{3}")], showing: true)
        #expect((run.exit, run.echoes) == (130, true))
        #expect(run.screen.hasSuffix(Sitting.erasure(0)), "\(run.screen)")
    }

    @Test(
        "of another offer is said so at once and asked for again; from a file it is an error, and nothing is stored"
    )
    func otherOffer() throws {
        let before = try program.content("b.db")
        let run = try program.sit(
            Self.accept,
            typing: [
                ("pairing code: ", "\(wrong)\n"),
                ("this code belongs to another offer, try again", "\(code)\n"),
            ], showing: true)
        #expect((run.exit, run.hidden) == (0, [false, false]), "\(run.errors)\(run.screen)")
        try program.write(before, to: "b.db")
        try program.write(Data(wrong.utf8), to: "wrong")
        _ = try program.script("rm -r .local")
        let file = try program("\(Self.accept)2 --key-file b.key --code-file wrong")
        #expect(file.exit == 3 && file.errors.hasPrefix(Self.other), "\(file.errors)")
        #expect(try program.content("b.db") == before)
    }

    @Test("on the terminal the phrase is shown, and then the code")
    func shown() throws {
        let sitting = try program.sit(
            "pair invite --vault a.db --couple other -o offer.json",
            typing: [("on paper", "\n"), ("told it", "\n")])
        #expect(sitting.exit == 0, "\(sitting.errors)")
        let code = sitting.screen.firstMatch(
            of: /pairing code, for your partner alone:\n\n    ([0-9A-Z]{6})-[0-9A-Z]{6}\n/)
        let lookup = try #require(code).1
        #expect(try program.lines("jq -r .lookup offer.json") == [String(lookup)])
    }
}
