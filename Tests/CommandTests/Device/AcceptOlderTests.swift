import CloserWire
import Foundation
import TestSupport
import Testing

/// A person says that an older file is the vault (closer-keys-device(1), `device accept-older`).
@Suite("device accept-older")
struct AcceptOlderTests {
    private let program: ClosingProgram
    private let folder: String

    /// `old.db` was `a.db` before its couple was made; `newest.db` is `a.db` after four changes.
    init() throws {
        program = try ClosingProgram()
        folder = String(try program.script("pwd -P").text.dropLast())
        try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            cp a.db old.db
            closer-keys couple create --vault a.db --couple c --phrase-file pc -o invite-c
            closer-keys device policy --vault a.db --require-paired
            cp a.db newest.db
            """)
    }

    @discardableResult
    private func lines(_ script: String) throws -> [String] {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    private func changes(_ vault: String) throws -> Double? {
        let shown = try program("device show --vault \(vault) --json")
        return try JSONValue(parsing: shown.output.dropLast())["changes"]?.number
    }

    @Test(
        "makes the file the newest: it opens, its changes are one more than were seen, and the newer one is refused",
        .proves("V2: an older copy of the vault is refused on a machine that has seen a newer one")
    )
    func restamped() throws {
        try lines("cp old.db a.db")
        #expect(try program("couple list --vault a.db").exit == 8)
        let run = try program("device accept-older --vault a.db")
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try changes("a.db") == 5)
        #expect(try program("couple list --vault a.db").errors.hasPrefix("closer-keys: no couples yet: "))
        for file in ["newest.db", "old.db"] {
            try lines("cp a.db kept.db; cp \(file) a.db")
            #expect(try program("couple list --vault a.db").exit == 8, "\(file)")
            try lines("mv kept.db a.db")
        }
        try lines("closer-keys couple create --vault a.db --couple e --phrase-file pe -o invite-e")
        #expect(try changes("a.db") == 7)
    }

    @Test("gives its result as one object with --json")
    func json() throws {
        try lines("cp old.db a.db")
        let run = try program("device accept-older --vault a.db --json")
        #expect(run.exit == 0, "\(run.errors)")
        let result = try JSONValue(parsing: run.output.dropLast())
        #expect(result["accepted"] == true && result["changes"]?.number == 5)
    }

    @Test(
        "closes the invites that are open in it, and says so",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func invites() throws {
        try lines(
            """
            closer-keys device init --vault b.db --user bob --key-file b.key
            closer-keys pair invite --vault a.db --couple d --phrase-file pd --code-file code -o offer
            cp a.db open.db
            closer-keys pair accept --vault b.db --code-file code offer -o reply
            closer-keys pair invite --vault a.db --couple d --cancel; cp open.db a.db
            """)
        let run = try program("device accept-older --vault a.db")
        #expect(
            run.exit == 0 && run.errors.contains("type only codes that are made after now"), "\(run.errors)")
        let confirm = try program("pair confirm --vault a.db --couple d reply --json")
        #expect(confirm.exit == 8, "\(confirm.errors)")
        #expect(try JSONValue(parsing: confirm.output.dropLast())["error"]?["code"]?.string == "inviteClosed")
    }

    @Test("refuses while the remembered path holds the vault, names that path, and --yes insists")
    func living() throws {
        let run = try program("device accept-older --vault old.db")
        #expect(run.exit == 7 && run.errors.contains("\(folder)/a.db"), "\(run.errors)")
        #expect(run.errors.contains("--yes"), "\(run.errors)")
        #expect(try lines("closer-keys device list").first?.hasSuffix("  4  \(folder)/a.db") == true)
        #expect(try program("couple list --vault a.db").text.hasPrefix("c\t"))
        #expect(try program("couple list --vault old.db").exit == 8)
        #expect(try program("device accept-older --vault old.db --yes").exit == 0)
        #expect(try program("couple list --vault old.db").exit == 0)
        #expect(try program("couple list --vault a.db").exit == 8)
        #expect(try changes("old.db") == 5)
    }

    @Test("takes a copy for the vault where the remembered path is empty")
    func copy() throws {
        try lines(
            "rm a.db; closer-keys device accept-older --vault old.db; closer-keys couple list --vault old.db")
        #expect(try lines("closer-keys device list").first?.hasSuffix("  5  \(folder)/old.db") == true)
    }

    @Test("moves a remembered path to another vault that lies there now")
    func another() throws {
        try lines("closer-keys device init --vault b.db --user bob --key-file b.key; mv b.db a.db")
        #expect(try program("device show --vault a.db").exit == 8)
        let run = try program("device accept-older --vault a.db")
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try program("device show --vault a.db").text.hasPrefix("userId: bob\n"))
        try lines("cp newest.db a.db")
        #expect(try program("device show --vault a.db").exit == 8)
    }

    @Test("says that there is nothing to accept, and changes nothing")
    func nothing() throws {
        let run = try program("device accept-older --vault a.db")
        #expect(
            run.exit == 0 && run.text == "a.db is the newest vault that this machine knows\n", "\(run.errors)"
        )
        #expect(try program.content("a.db") == program.content("newest.db"))
    }

    @Test("in a folder that cannot be written is 74, and says to copy the file first")
    func readOnly() throws {
        let run = try program.script(
            """
            mkdir medium; mv a.db away.db; cp old.db medium/a.db; trap 'chmod 700 medium' EXIT; chmod 500 medium
            \(ObstructedVaultTests.bound) closer-keys device accept-older --vault medium/a.db || exit $?
            """)
        #expect(run.exit == 74 && run.errors.contains("hint: copy "), "\(run.errors)")
        #expect(
            try lines("cmp old.db medium/a.db; mv away.db a.db; closer-keys couple list --vault a.db").first?
                .hasPrefix("c\t") == true)
    }

    @Test(
        "a new vault, made or imported, takes a remembered path whose file is gone",
        arguments: ["init", "import"])
    func taken(_ verb: String) throws {
        try program.write(Data("three words more".utf8), to: "pass")
        try lines("closer-keys device export --vault a.db --export-passphrase-file pass -o export; rm a.db")
        let options = verb == "init" ? "--user ann" : "--export-passphrase-file pass export"
        let run = try program("device \(verb) --vault a.db --key-file n.key \(options)")
        #expect(
            run.exit == 0 && run.errors.contains("a.db takes the place of another vault"), "\(run.errors)")
        #expect(try program("couple list --vault a.db").exit == 0)
        #expect(try lines("closer-keys device list | grep -c /a.db") == ["1"])
    }
}
