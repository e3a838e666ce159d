import CloserWire
import Foundation
import TestSupport
import Testing

/// An older file, or another vault, lies where this machine knows a vault (docs/vault.md, V2).
@Suite("Another file in the vault's place")
struct RollbackCommandTests {
    private static let older =
        "8 vaultRolledBack: a.db is older than the newest version that was seen of this vault"
    private static let another = "8 vaultReplaced: a.db is another vault than the one that was seen there"
    private static let states = ".local/state/closer-keys"
    private let program: ClosingProgram

    /// `old.db` was `a.db` before its couple was made, and `fork.db` is `old.db` with another couple; `b.db` is Bob's.
    init() throws {
        program = try ClosingProgram()
        try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            cp a.db old.db
            (export XDG_STATE_HOME=$PWD/elsewhere
            cp a.db fork.db
            closer-keys couple create --vault fork.db --key-file a.key --couple d --phrase-file pd -o invite-d)
            closer-keys couple create --vault a.db --couple c --phrase-file pc -o invite-c
            cp a.db newest.db
            closer-keys device init --vault b.db --user bob --key-file b.key
            """)
    }

    @discardableResult
    private func lines(_ script: String) throws -> [String] {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// Runs `couple list` of `a.db`, and tells how it ended: the couples, or the error.
    private func list(_ options: String = "", with settings: String = "") throws -> String {
        let run = try program.script("\(settings) closer-keys couple list --vault a.db --json \(options)")
        let result = try JSONValue(parsing: run.output.dropLast())
        if let error = result["error"] {
            #expect(
                error["hint"]?.string?.contains("closer-keys device accept-older") == true, "\(run.errors)")
            return "\(run.exit) \(error["code"]?.string ?? "-"): \(error["message"]?.string ?? "-")"
        }
        return (result["couples"]?.array ?? []).compactMap { $0["coupleId"]?.string }.joined(separator: " ")
    }

    @Test(
        "an older file, or one of the same age, is refused by readers and writers, and stays as it is",
        .proves("V2: an older copy of the vault is refused on a machine that has seen a newer one"),
        arguments: ["old.db", "fork.db"])
    func older(_ file: String) throws {
        try lines("cp \(file) a.db")
        #expect(try list().hasPrefix(Self.older))
        #expect(try list("--key-file a.key").hasPrefix(Self.older))
        let run = try program("couple create --vault a.db --couple e --phrase-file pe -o invite-e")
        #expect(run.exit == 8 && run.output.isEmpty, "\(run.errors)")
        #expect(try program.content("a.db") == program.content(file))
        #expect(try !program.files().contains("pe"))
        try lines("cp newest.db a.db")
        #expect(try list() == "c")
    }

    @Test("an older file is refused at another path, too, and with a passphrase")
    func elsewhere() throws {
        #expect(try program("couple list --vault old.db").exit == 8)
        try program.write(Data("three words more".utf8), to: "pass")
        let run = try program.script(
            """
            closer-keys device init --vault p.db --user pat --passphrase-file pass; cp p.db early.db
            closer-keys device policy --vault p.db --passphrase-file pass --require-paired
            cp early.db p.db; closer-keys couple list --vault p.db --passphrase-file pass || exit $?
            """)
        #expect(run.exit == 8 && run.errors.contains("p.db is older than "), "\(run.errors)")
    }

    @Test(
        "a newer file that another machine wrote is taken, remembered by a reader, and not given up for an older one"
    )
    func reader() throws {
        try lines(
            """
            XDG_STATE_HOME=$PWD/elsewhere2 closer-keys couple create --vault a.db --key-file a.key --couple e --phrase-file pe -o invite-e
            """)
        #expect(try list() == "c e")
        try lines("cp newest.db a.db")
        #expect(try list().hasPrefix(Self.older))
    }

    @Test(
        "another vault at a remembered path is refused, whatever opens it",
        arguments: ["cp b.db a.db", "cp unknown.db a.db", "mkdir in; cp b.db in; mv in/b.db a.db"])
    func replaced(_ plant: String) throws {
        try lines(
            "XDG_STATE_HOME=$PWD/elsewhere closer-keys device init --vault unknown.db --user mallory --key-file m.key"
        )
        try lines(plant)
        #expect(try list() == Self.another)
        for key in ["a", "b", "m"] { #expect(try list("--key-file \(key).key") == Self.another, "\(key)") }
        #expect(try list(with: "CLOSER_KEYS_KEY_FILE=b.key") == Self.another)
        try lines("rm a.db; cp newest.db a.db")
        #expect(try list() == "c")
    }

    @Test("a link to a vault stays a link, and the file at its end is the vault")
    func link() throws {
        try lines(
            """
            mkdir real; mv a.db real; ln -s real/a.db a.db
            closer-keys couple create --vault a.db --couple e --phrase-file pe -o invite-e
            """)
        #expect(try list() == "c e")
        #expect(try lines("readlink a.db; ls real") == ["real/a.db", "a.db", "a.db.lock"])
        try lines("cp old.db real/a.db")
        #expect(try list().hasPrefix(Self.older))
    }

    @Test("a vault that is gone from a remembered path is 66, and is said to be gone")
    func gone() throws {
        let run = try program.script("mv a.db away.db; closer-keys couple list --vault a.db || exit $?")
        let known = "this machine knows a vault there"
        #expect(run.exit == 66 && run.errors.contains("there is no vault at a.db\n"), "\(run.errors)")
        #expect(run.errors.contains(known), "\(run.errors)")
        #expect(try !program("couple list --vault none.db").errors.contains(known))
    }

    @Test(
        "where the state folder cannot be written, a command warns once and goes on",
        arguments: ["", "--couple c"])
    func forgetful(_ options: String) throws {
        let command =
            options.isEmpty
            ? "couple list --vault a.db" : "couple rewrap --vault a.db \(options) --phrase-file new"
        for settings in ["rm -r .local/state; touch .local/state;", "unset HOME XDG_STATE_HOME;"] {
            let run = try program.script("rm -f new; \(settings) closer-keys \(command) --key-file a.key")
            #expect(run.exit == 0, "\(run.errors)")
            let warnings =
                run.errors.components(separatedBy: "closer-keys: warning: this machine cannot remember").count
                - 1
            #expect(warnings == 1, "\(run.errors)")
        }
    }

    @Test("a state folder that can be read and not written still refuses an older file")
    func readOnly() throws {
        let run = try program.script(
            """
            cp old.db a.db; trap 'chmod -R u+w .local' EXIT; chmod -R a-w .local/state
            \(ObstructedVaultTests.bound) closer-keys couple list --vault a.db || exit $?
            """)
        #expect(run.exit == 8, "\(run.errors)")
    }

    @Test(
        "a memory that cannot be read is an error, and no reason to trust what is there",
        arguments: [
            "printf '' >", "echo '{\"changes\":' >", "echo x >", "echo '{}' >", "ln -sf none",
            "rm -f $file; mkdir",
        ])
    func unreadable(_ plant: String) throws {
        try lines(
            """
            id=$(closer-keys device list | grep -F /a.db | cut -d ' ' -f 1); file=\(Self.states)/$id.json
            \(plant) $file; cp old.db a.db
            """)
        for options in ["", "--key-file a.key"] {
            let run = try program("couple list --vault a.db \(options)")
            #expect(run.exit == 74 && run.errors.contains(".json"), "\(run.errors)")
        }
    }

    @Test("a vault whose memory was removed is unknown, and its key file must be named")
    func forgotten() throws {
        try lines("rm $(grep -l /a.db \(Self.states)/*.json); cp old.db a.db")
        #expect(try program("couple list --vault a.db").exit == 7)
        #expect(try list("--key-file a.key") == "")
    }

    @Test("a file that is no vault, in the place of a known one, is said to be none")
    func noVault() throws {
        let run = try program.script("echo text > a.db; closer-keys couple list --vault a.db || exit $?")
        #expect(
            run.exit == 5 && run.errors.contains("a.db is not a vault")
                && run.errors.contains("this machine knows a vault there"), "\(run.errors)")
    }
}
