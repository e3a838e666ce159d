import CloserWire
import Foundation
import Testing

@Suite("The doctor")
struct DoctorTests {
    private let program: ClosingProgram

    /// Alice's vault and its key file, in a folder each, and Bob's.
    init() throws {
        program = try ClosingProgram(
            after: """
                mkdir -m 700 v k
                closer-keys device init --vault v/a.db --user alice --key-file k/a.key
                closer-keys device init --vault b.db --user bob --key-file b.key
                """)
    }

    @discardableResult
    private func lines(_ script: String) throws -> String {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text
    }

    /// What is found in Alice's vault, or of a couple's in Bob's.
    private func findings(_ vault: String = "v/a.db") throws -> String {
        try lines("closer-keys doctor --vault \(vault) --json | jq -r '[.findings[].id] | join(\" \")'")
    }

    @Test("finds nothing in a new vault")
    func healthy() throws {
        let run = try program("doctor --vault v/a.db --strict")
        #expect((run.exit, run.text, run.errors) == (0, "", "closer-keys: nothing to mend\n"))
        #expect(try program("doctor --vault v/a.db --json").text == "{\"findings\":[]}\n")
        #expect(try program("doctor --vault none.db").exit == 66)
    }

    @Test(
        "finds files and folders that are open to others, and its command mends them",
        arguments: [
            ("chmod 777 v", "folderOpen"), ("chmod 777 k", "folderOpen"), ("chmod 644 v/a.db", "vaultOpen"),
            ("chmod 660 k/a.key", "keyOpen"),
        ])
    func open(_ preparation: String, _ finding: String) throws {
        try lines(preparation)
        #expect(try findings() == "\(finding)\n")
        try lines("closer-keys doctor --vault v/a.db --json | jq -r '.findings[].command' | bash")
        #expect(try findings() == "\n")
    }

    @Test("finds a key file beside its vault")
    func beside() throws {
        try lines("mv k/a.key 'v/my key'; closer-keys device show --vault v/a.db --key-file 'v/my key'")
        #expect(try findings() == "keyBesideVault\n")
        let folder = program.folder.resolvingSymlinksInPath().path()
        let moved = try lines(
            "closer-keys doctor --vault v/a.db --json | jq -r '.findings[].command' | sed 's:FOLDER:\(folder)/k:g' | bash > checked; closer-keys doctor --vault v/a.db"
        )
        #expect(moved.isEmpty)
    }

    @Test("is a failure only if --strict asks for it")
    func strict() throws {
        try lines("chmod 777 v")
        let run = try program("doctor --vault v/a.db")
        #expect(run.exit == 0 && run.text.contains("/v: chmod go-w "), "\(run.text)")
        let strict = try program("doctor --vault v/a.db --strict")
        #expect(strict.exit == 1 && strict.text == run.text, "\(strict.errors)")
        #expect(strict.errors.hasSuffix("closer-keys: error: there is something to mend: 1\n"))
        let json = try program("doctor --vault v/a.db --strict --json")
        #expect(json.exit == 1 && json.text.hasPrefix("{\"findings\":[{\"id\":\"folderOpen\","))
    }

    @Test(
        "finds what a couple lacks, and what waits",
        arguments: [
            (
                "closer-keys couple create --vault v/a.db --couple us --phrase-file p -o i",
                "noExport phraseNotRehearsed keyExposed"
            ),
            (
                "closer-keys pair invite --vault v/a.db --couple us --phrase-file p --code-file c -o o",
                "noExport phraseNotRehearsed inviteOpen"
            ),
            (
                """
                closer-keys pair invite --vault b.db --couple us --phrase-file p --code-file c -o o
                closer-keys pair accept --vault v/a.db --couple us --code-file c o -o r
                """, "answerWaiting"
            ),
        ])
    func waiting(_ preparation: String, _ expected: String) throws {
        try lines(preparation)
        #expect(try findings() == "\(expected)\n")
    }

    @Test("finds a phrase that nobody confirmed")
    func unconfirmed() throws {
        _ = try program.sit(
            "couple create --vault v/a.db --couple us -o i",
            typing: [("press Enter when it is on paper", "\u{3}")])
        #expect(try findings() == "noExport phraseNotConfirmed keyExposed\n")
    }

    private static let paired = """
        closer-keys pair invite --vault v/a.db --couple us --phrase-file p --code-file c -o o
        closer-keys pair accept --vault b.db --couple us --code-file c o -o r
        closer-keys pair confirm --vault v/a.db r -o g
        closer-keys pair finish --vault b.db --phrase-file q g
        echo a long passphrase > pass

        """
    private static let kept = """
        closer-keys device export --vault v/a.db --export-passphrase-file pass -o backup
        closer-keys couple show --vault v/a.db --document > d
        closer-keys couple recover --rehearse --couple us --vault v/a.db --phrase-file p d

        """

    @Test("finds nothing once the couple is paired, the vault exported and the phrase rehearsed")
    func kept() throws {
        try lines(Self.paired)
        #expect(try findings() == "noExport phraseNotRehearsed\n")
        try lines(Self.kept)
        #expect(try findings() == "\n")
        // Each command writes what this machine remembers: the day of the export stays in it.
        try lines(
            "closer-keys field seal --vault v/a.db < p > t; mv v/a.db v/b.db; closer-keys couple list --vault v/b.db"
        )
        #expect(try findings("v/b.db") == "\n")
    }

    @Test("finds an export of more than a month ago")
    func old() throws {
        try lines(Self.paired + Self.kept)
        for (days, expected) in [(30, ""), (31, "oldExport")] {
            try lines(
                """
                for known in .local/state/closer-keys/*.json; do
                    jq -c "if .exportedAt then .exportedAt = $(date +%s) - \(days) * 86400 - 60 else . end" $known > changed
                    cat changed > $known
                done
                """)
            #expect(try findings() == "\(expected)\n")
        }
    }

    @Test("finds an older key that others may hold, and its command mends that")
    func exposed() throws {
        try lines(
            """
            \(Self.paired)
            closer-keys pair invite --vault b.db --couple us --code-file c2 -o o2
            closer-keys pair accept --vault v/a.db --couple us --code-file c2 --yes o2 -o r2
            closer-keys pair confirm --vault b.db --phrase-file p2 r2 -o g2
            closer-keys pair finish --vault v/a.db --phrase-file q2 g2
            """)
        #expect(try findings() == "noExport phraseNotRehearsed keyExposed\n")
        try lines(
            "closer-keys doctor --vault v/a.db --json | jq -r '.findings[] | select(.id == \"keyExposed\").command' | sed 's/$/ --yes/' | bash"
        )
        #expect(try findings() == "noExport phraseNotRehearsed\n")
    }

    @Test("finds answers that are owed, on either side")
    func answers() throws {
        try lines(
            """
            \(Self.paired)
            seal() { echo '{"answer":"yes"}' | closer-keys answer seal --vault $1 --question q --place daily:2026-11-20; }
            seal v/a.db > from-a
            seal b.db > from-b
            closer-keys answer release --vault v/a.db --question q from-b > for-b
            closer-keys answer reveal --vault b.db --question q from-a --release for-b
            """)
        #expect(try findings().hasSuffix(" answerAwaited\n"))
        #expect(try findings("b.db").hasSuffix(" answerOwed\n"))
        let told = try lines("closer-keys doctor --vault b.db | tail -n 1")
        let command = "closer-keys answer release --couple us --question q --place daily:2026-11-20 ANSWER"
        #expect(told.hasSuffix(": \(command) --vault b.db\n"), "\(told)")
        try lines(
            """
            closer-keys answer release --vault b.db --question q from-a > for-a
            next=$(closer-keys doctor --vault v/a.db --json | jq -r '.findings[] | select(.id == "answerAwaited").command')
            eval "$(sed 's/RELEASE ANSWER/for-a from-b/' <<< "$next")" > seen
            """)
        #expect(try !findings().contains("answer"))
    }
}
