import CloserWire
import Foundation
import TestSupport
import Testing

/// Whether a person has the recovery phrase: what is said when they stop, and what the vault remembers.
@Suite("A recovery phrase that is not confirmed")
struct PhraseConfirmationTests {
    private let program: ClosingProgram
    private static let stop = [("press Enter when it is on paper", "\u{3}")]
    private static let enter = [("press Enter when it is on paper", "\n")]

    init() throws {
        program = try ClosingProgram(
            after: """
                closer-keys device init --vault a.db --user alice --key-file a.key
                closer-keys device init --vault b.db --user bob --key-file b.key
                """)
    }

    private func state(_ vault: String = "a") throws -> String {
        try program.lines("closer-keys couple show --vault \(vault).db --couple us --json | jq -r .phrase")
            .joined()
    }

    private static let reply = """
        closer-keys pair invite --vault a.db --couple us --phrase-file p --code-file code -o offer
        closer-keys pair accept --vault b.db --couple us --code-file code --yes offer -o reply

        """
    private static let paired = """
        \(reply)
        closer-keys pair confirm --vault a.db reply -o grant
        closer-keys pair finish --vault b.db --phrase-file q grant

        """
    private static let again =
        "closer-keys: hint: closer-keys couple rewrap --couple us makes another phrase\n"

    @Test(
        "control-c says what was made, and how to get another",
        arguments: [
            ("", "couple create --vault a.db --couple us -o i", "couple us was made"),
            ("", "pair invite --vault a.db --couple us -o o", "couple us was made"),
            (
                "\(reply)closer-keys pair confirm --vault a.db reply -o grant",
                "pair finish --vault b.db grant", "couple us was paired"
            ),
            (paired, "couple rewrap --vault a.db --couple us -o d", "couple us got a new phrase"),
        ])
    func stopped(_ preparation: String, _ command: String, _ deed: String) throws {
        try program.lines(preparation)
        let run = try program.sit(command, typing: Self.stop)
        #expect((run.exit, run.echoes) == (130, true))
        let error = "error: \(deed) before you stopped, and its recovery phrase is not shown again\n"
        #expect(run.errors.hasSuffix("closer-keys: \(error)\(Self.again)"), "\(run.errors)")
        let vault = command.contains("b.db") ? "b" : "a"
        #expect(try state(vault) == "notConfirmed")
        let shown = try program("couple show --vault \(vault).db --couple us").text
        #expect(shown.contains("\nphrase: not confirmed\n"))
    }

    @Test("control-c in a second pairing or a rekey also says how to get what was not printed")
    func stoppedWithMore() throws {
        try program.lines(
            """
            \(Self.paired)
            closer-keys pair invite --vault b.db --couple us --code-file code2 -o offer2
            closer-keys pair accept --vault a.db --couple us --code-file code2 --yes offer2 -o reply2
            """)
        let confirmed = try program.sit("pair confirm --vault b.db reply2 -o grant2", typing: Self.stop)
        #expect(
            confirmed.errors.hasSuffix(
                """
                closer-keys: error: couple us was paired before you stopped, and its recovery phrase is not shown again
                closer-keys: hint: closer-keys pair confirm prints the grant again, and closer-keys couple rewrap --couple us makes another phrase

                """), "\(confirmed.errors)")
        try program.lines(
            """
            closer-keys pair confirm --vault b.db reply2 -o grant2
            closer-keys pair finish --vault a.db --phrase-file r grant2
            """)
        let rekeyed = try program.sit("couple rekey --vault a.db --couple us -o rekey", typing: Self.stop)
        #expect(rekeyed.exit == 130)
        #expect(
            rekeyed.errors.contains("hint: closer-keys couple rekey prints the rekey again, and "),
            "\(rekeyed.errors)")
        try program.lines("closer-keys couple rekey --vault a.db --couple us -o rekey")
        let accepted = try program.sit(
            "couple rekey --vault b.db --couple us --accept rekey", typing: Self.stop)
        #expect(accepted.errors.hasSuffix(Self.again), "\(accepted.errors)")
    }

    @Test(
        "control-c at a phrase that is kept says how to see it again, which confirms it",
        .proves("A kept recovery phrase is shown on the terminal alone"))
    func stoppedKept() throws {
        try program.lines(
            "closer-keys couple create --vault a.db --couple us --keep-phrase --phrase-file p -o i")
        let run = try program.sit("couple rewrap --vault a.db --couple us -o d", typing: Self.stop)
        #expect(
            run.errors == """
                closer-keys: error: couple us got a new phrase before you stopped
                closer-keys: hint: closer-keys couple phrase --couple us shows the phrase

                """)
        let next = try program.lines("closer-keys doctor --vault a.db --json | jq -r '.findings[].command'")
        #expect(next.contains { $0.hasPrefix("closer-keys couple phrase --couple us") }, "\(next)")
        let shown = try program.sit("couple phrase --vault a.db", typing: Self.enter)
        #expect(shown.exit == 0 && shown.output.isEmpty && shown.words == run.words, "\(shown.errors)")
        #expect(shown.words.count == 10 && shown.screen.hasPrefix("recovery phrase:\n"), "\(shown.screen)")
        #expect(shown.screen.hasSuffix("on paper\n\(Sitting.erasure(9))"), "\(shown.screen)")
        #expect(try state() == "confirmed")
        let refused = try program.sit("couple phrase --vault a.db --no-input", hasTerminal: true)
        #expect(refused.exit == 7 && refused.words.isEmpty, "\(refused.screen)")
    }

    @Test("control-c at the code says that the same command shows it again")
    func stoppedAtCode() throws {
        let run = try program.sit(
            "pair invite --vault a.db --couple us --phrase-file p -o o",
            typing: [("press Enter when you have told it", "\u{3}")])
        #expect((run.exit, run.echoes) == (130, true))
        #expect(
            run.errors == """
                closer-keys: error: the offer to us was made before you stopped
                closer-keys: hint: closer-keys pair invite --couple us shows its code again

                """)
    }

    @Test("it stays so until Enter was pressed, or it was written to a file")
    func confirmed() throws {
        try program.lines("closer-keys couple create --vault a.db --couple us --phrase-file p -o i")
        #expect(try state() == "confirmed")
        _ = try program.sit("couple rewrap --vault a.db --couple us -o d", typing: Self.stop)
        #expect(try state() == "notConfirmed")
        let run = try program.sit("couple rewrap --vault a.db --couple us -o d", typing: Self.enter)
        #expect(run.exit == 0 && run.errors.contains("stopped") == false, "\(run.errors)")
        #expect(try state() == "confirmed")
    }

    @Test("one that another process replaced while it was shown stays unconfirmed, and a warning says so")
    func replaced() throws {
        try program.lines("closer-keys couple create --vault a.db --couple us --phrase-file p -o i")
        let (page, rewrap) = (Self.stop[0].0, "closer-keys couple rewrap --vault a.db --couple us -o")
        let run = try program.sitAtShell([
            ("$ ", "\(rewrap) d1 2> told\n", true), (page, "\u{1A}", false),
            ("Stopped", "\(rewrap) d2\n", true), (page, "\u{3}", false),
            ("before you stopped", "fg\n", true), (page, "\n", false),
            ("$ ", "echo left=$?\n", true), ("left=0", "exit\n", true),
        ])
        #expect(try state() == "notConfirmed", "\(run.screen)")
        let told = String(decoding: try program.content("told"), as: UTF8.self)
        #expect(told.contains("warning: us got a newer recovery phrase while this one was shown"), "\(told)")
    }

    @Test("the steps of a pairing note it, and a finished one does not")
    func noted() throws {
        let note =
            "closer-keys: the recovery phrase of us is not confirmed\ncloser-keys: next: closer-keys couple rewrap --couple us"
        _ = try program.sit("pair invite --vault a.db --couple us -o offer", typing: Self.stop)
        let invited = try program("pair invite --vault a.db --couple us --code-file code -o offer")
        #expect(invited.exit == 0 && invited.errors.contains(note), "\(invited.errors)")
        try program.lines("closer-keys pair accept --vault b.db --couple us --code-file code offer -o reply")
        for _ in 1...2 {
            let confirmed = try program("pair confirm --vault a.db reply -o grant --force")
            #expect(confirmed.exit == 0 && confirmed.errors.contains(note), "\(confirmed.errors)")
        }
        _ = try program.sit("pair finish --vault b.db grant", typing: Self.stop)
        let finished = try program("pair finish --vault b.db grant")
        #expect(finished.exit == 0 && finished.errors.contains(note), "\(finished.errors)")
        try program.lines("closer-keys couple rewrap --vault b.db --couple us --phrase-file q -o d")
        let again = try program("pair finish --vault b.db grant")
        #expect(again.exit == 0 && !again.errors.contains("not confirmed"), "\(again.errors)")
    }

    @Test("a rehearsal confirms it, also of the partner's document, and one of an older phrase does not")
    func rehearsed() throws {
        try program.lines(Self.paired)
        let rehearse = "closer-keys couple rehearse --vault a.db --couple us"
        try program.lines(
            "closer-keys couple show --vault b.db --document | \(rehearse) --phrase-file q > /dev/null")
        #expect(try state() == "rehearsed")
        try program.lines("closer-keys couple show --vault a.db --document > old")
        _ = try program.sit("couple rewrap --vault a.db --couple us -o d", typing: Self.stop)
        let old = try program.script("\(rehearse) --phrase-file p old")
        #expect(old.exit == 0 && old.errors.contains("another one opens this device's own"), "\(old.errors)")
        #expect(try state() == "notConfirmed")
        try program.lines(
            "closer-keys couple recover --vault b.db --couple us --phrase-file q old > /dev/null")
        #expect(try state("b") == "rehearsed")
    }

    @Test("the doctor finds it")
    func found() throws {
        _ = try program.sit("couple create --vault a.db --couple us -o i", typing: Self.stop)
        let findings = try program.lines("closer-keys doctor --vault a.db --json | jq -r '.findings[].id'")
        #expect(findings.suffix(3) == ["noExport", "phraseNotConfirmed", "keyExposed"])
    }
}
