import CloserWire
import Foundation
import TestSupport
import Testing

/// Bob shares a couple with Alice, whose key he took on trust; Mallory knows the couple's name (closer-keys-pair(1), CHECKS).
@Suite("Accepting an invite needs consent")
struct PairingConsentTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try lines(
            """
            for who in alice bob mallory; do
              closer-keys device init --vault $who.db --user $who --key-file $who.key
            done
            closer-keys couple create --vault alice.db --couple alice_bob --phrase-file p.txt -o invite
            closer-keys couple join --vault bob.db --couple alice_bob invite
            closer-keys pair invite --vault mallory.db --couple alice_bob --phrase-file m.txt --code-file code -o offer
            """)
    }

    private static let accept = "closer-keys pair accept --vault bob.db --no-input --code-file code offer"

    @discardableResult
    private func lines(_ script: String) throws -> String {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text
    }

    /// Bob releases an answer to Alice: from then on her key is pinned.
    private func pinAlice() throws {
        try lines(
            """
            echo '{"answer":"yes"}' > answer
            for who in alice bob; do
              closer-keys answer seal --vault $who.db --couple alice_bob --question q --place daily:2026-11-20 answer -o from-$who
            done
            closer-keys answer release --vault bob.db --couple alice_bob --question q --place daily:2026-11-20 --partner alice \
              --partner-key "$(closer-keys device show --vault alice.db --json | jq -r .publicKey)" from-alice -o released
            """)
    }

    /// The exit code, the error's name and its hint. No file is written, and no byte of Bob's vault changes.
    private func refusal(_ script: String) throws -> (status: String, hint: String) {
        let (before, files) = (try program.content("bob.db"), try program.files())
        let run = try program.script("set +e\n\(script) --json")
        let error = try #require(try JSONValue(parsing: run.output.dropLast())["error"])
        #expect(try program.content("bob.db") == before && program.files() == files)
        return ("\(run.exit) \(error["code"]?.string ?? "none")", error["hint"]?.string ?? "")
    }

    @Test(
        "a stranger who knows the name of a couple gets nothing of it, and the vault stays as it is",
        .proves("Pairing: keys leave a device only on purpose, and for the right couple"))
    func stranger() throws {
        let unnamed = try refusal("\(Self.accept) --yes --partner mallory -o reply")
        #expect(unnamed.status == "7 inputRequired")
        #expect(unnamed.hint == "name the couple: closer-keys pair accept --couple alice_bob")
        let unasked = try refusal("\(Self.accept) --couple alice_bob --partner mallory -o reply")
        #expect(unasked.status == "7 inputRequired" && unasked.hint.contains("--yes"))
        try pinAlice()
        let named = try refusal(
            "\(Self.accept) --couple alice_bob --yes --new-key --partner mallory -o reply")
        #expect(named.status == "8 otherPartner" && named.hint.contains("--replace-partner"))
    }

    @Test("a partner on trust is replaced on purpose, by accept and by confirm")
    func replaced() throws {
        try pinAlice()
        try lines(
            """
            \(Self.accept) --couple alice_bob --yes --replace-partner -o reply
            closer-keys pair accept --vault bob.db --couple alice_bob --cancel
            closer-keys pair invite --vault bob.db --couple alice_bob --code-file other -o other.json
            closer-keys device init --vault nina.db --user nina --key-file nina.key
            closer-keys pair accept --vault nina.db --code-file other other.json -o answer.json
            """)
        let confirm = "closer-keys pair confirm --vault bob.db --phrase-file q.txt answer.json"
        #expect(try refusal(confirm).status == "8 otherPartner")
        try lines("\(confirm) --replace-partner -o grant")
        let shown = try lines(
            "closer-keys couple show --vault bob.db --couple alice_bob --json | jq -r '.partners[].userId'")
        #expect(shown == "nina\n")
    }

    @Test("at the terminal the keys are sent once a person says yes, and nothing is asked again")
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
        try lines("cmp reply reply-again")
    }

    @Test(
        "an imported vault asks whether the code is new, and says since when",
        .proves(
            "Pairing: an older copy of a vault accepts no code until a person confirms that the code is new"))
    func imported() throws {
        try program.write(Data("correct horse\n".utf8), to: "words")
        try lines(
            """
            closer-keys device export --vault bob.db --export-passphrase-file words -o export
            closer-keys device import --vault copy.db --key-file copy.key --export-passphrase-file words export
            """)
        let accept = "pair accept --vault copy.db --couple alice_bob --yes --code-file code"
        let run = try program.script("set +e; date -u +%F; closer-keys \(accept) --no-input offer")
        let today = run.text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(run.exit == 8 && run.errors.contains("imported or put back on \(today) "), "\(run.errors)")
        #expect(run.errors.contains("hint: ") && run.errors.contains("--new-code"), "\(run.errors)")
        let asked = try program.sit(
            "\(accept) offer -o reply", typing: [("was this code made after \(today)", "yes\n")])
        #expect(asked.exit == 0, "\(asked.errors)")
        // While one waits, another is asked about; once one is finished, none is.
        let other = try program.script(
            """
            set +e
            closer-keys pair invite --vault mallory.db --new --couple alice_bob --code-file code2 -o offer2
            closer-keys pair accept --vault copy.db --couple alice_bob --yes --no-input --code-file code2 offer2
            """)
        #expect(other.exit == 8, "\(other.errors)")
        try lines(
            """
            closer-keys pair accept --vault copy.db --couple alice_bob --yes --new-code --code-file code2 offer2 -o reply2
            closer-keys pair confirm --vault mallory.db --phrase-file n.txt reply2 -o grant2
            closer-keys pair finish --vault copy.db --phrase-file o.txt grant2
            closer-keys pair invite --vault mallory.db --couple alice_bob --code-file code3 -o offer3
            closer-keys pair accept --vault copy.db --couple alice_bob --yes --no-input --code-file code3 offer3 -o reply3
            """)
    }

    @Test("confirm and finish find the couple by the code, and a document of no pairing here is told")
    func found() throws {
        try lines(
            """
            closer-keys couple create --vault alice.db --couple another --phrase-file x.txt -o y
            closer-keys pair invite --vault alice.db --couple alice_bob --code-file right -o right.json
            closer-keys pair accept --vault bob.db --couple alice_bob --yes --code-file right right.json -o reply
            """)
        #expect(try refusal("closer-keys pair confirm --vault mallory.db reply").status == "4 noKey")
        try lines("closer-keys pair confirm --vault alice.db --phrase-file f.txt reply -o grant")
        #expect(
            try refusal("closer-keys pair finish --vault mallory.db --phrase-file z grant").status
                == "4 noKey")
        #expect(
            try refusal("closer-keys pair finish --vault alice.db --phrase-file z grant").status == "4 noKey")
        try lines("closer-keys pair finish --vault bob.db --phrase-file g.txt grant; cmp f.txt g.txt")
        #expect(
            try lines("closer-keys couple show --vault bob.db --couple alice_bob --json | jq -r .state")
                == "paired\n")
    }
}
