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
