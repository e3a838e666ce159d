import Foundation
import Testing

/// Bob shares a couple with Alice, whose key he took on trust; Mallory knows the couple's name (closer-keys-pair(1), CHECKS).
@Suite("Accepting an invite at the terminal")
struct PairingConsentTests {
    private let program: ClosingProgram

    init() async throws { program = try await ClosingProgram(after: Script(named: "Pair/accept")) }

    @Test("the keys are sent once a person says yes, and nothing is asked again")
    func asked() throws {
        let accept = "pair accept --vault bob.db --couple alice_bob --code-file code offer -o reply"
        let before = try program.content("bob.db")
        let no = try program.sit(accept, typing: [("did you hear the code", "no\n")])
        #expect(no.exit == 7 && no.screen.contains("says that they are mallory"), "\(no.screen)\(no.errors)")
        #expect(try program.content("bob.db") == before)
        let yes = try program.sit(accept, typing: [("did you hear the code", "yes\n")])
        #expect(yes.exit == 0, "\(yes.errors)")
        let again = try program.sit("\(accept)-again")
        #expect(again.exit == 0 && !again.screen.contains("did you hear"), "\(again.screen)\(again.errors)")
        try program.lines("cmp reply reply-again")
    }

    @Test("a partner's new phone: every question comes in one run, and before the code")
    func newPhone() throws {
        let code = try program.lines("pinned > told 2>&1\n\(Self.newPhone)\ncat code2")[0]
        let accepted = try program.sit(
            "pair accept --vault bob.db --couple alice_bob offer2 -o reply2",
            typing: [
                ("do they have a new phone", "yes\n"), ("did you hear the code", "yes\n"),
                ("pairing code: ", "\(code)\n"),
            ], showing: true)
        #expect(accepted.exit == 0, "\(accepted.screen)\(accepted.errors)")
    }

    @Test("a couple that was forgotten, or whose code was mistyped, is asked about with the maker's name")
    func knownByName() throws {
        let code = try program.lines(
            "closer-keys couple forget --vault bob.db --couple alice_bob --yes > told\n\(Self.newPhone)\ncat code2"
        )[0]
        let accept = "pair accept --vault bob.db offer2 -o reply2"
        let no = try program.sit(
            accept, typing: [("they are alice, and alice_bob is known here as forgotten", "no\n")])
        #expect(no.exit == 7, "\(no.screen)\(no.errors)")
        let yes = try program.sit(
            accept, typing: [("go on with it", "yes\n"), ("pairing code: ", "\(code)\n")], showing: true)
        #expect(yes.exit == 0, "\(yes.screen)\(yes.errors)")
        try program.lines(
            "closer-keys pair invite --vault new.db --couple alice_bob --new --code-file code3 -o offer3")
        let again = try program.sit(
            "pair accept --vault bob.db --code-file code3 offer3 -o reply3",
            typing: [("a couple whose pairing is not finished: go on with it", "yes\n")])
        #expect(again.exit == 0, "\(again.screen)\(again.errors)")
    }

    private static let newPhone = """
        closer-keys device init --vault new.db --user alice --key-file new.key > told
        closer-keys couple join --vault new.db --couple alice_bob invite > told
        closer-keys pair invite --vault new.db --couple alice_bob --code-file code2 -o offer2 2> told
        """

    @Test("an imported vault asks whether the code is new, and says since when")
    func imported() throws {
        let today = try program.lines(
            """
            echo correct horse > words
            closer-keys device export --vault bob.db --export-passphrase-file words -o export
            closer-keys device import --vault copy.db --key-file copy.key --export-passphrase-file words export > log
            date -u +%F
            """)
        let asked = try program.sit(
            "pair accept --vault copy.db --couple alice_bob --yes --code-file code offer -o reply",
            typing: [("was this code made after \(today[0])", "yes\n")])
        #expect(asked.exit == 0, "\(asked.errors)")
    }
}
