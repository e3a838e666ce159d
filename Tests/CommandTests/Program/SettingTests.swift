import CloserWire
import Foundation
import Testing

/// Variables and paths that are no text: another vault than the one that is meant is never used instead.
@Suite("What the environment sets")
struct SettingTests {
    private static let first = Result {
        try ClosingProgram(
            after: """
                umask 077; echo 'three words more' > pass
                closer-keys device init --user alice --key-file a.key
                closer-keys device init --vault p.db --user bob --passphrase-file pass
                closer-keys couple create --couple c --phrase-file phrase -o invite
                """)
    }
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram(copying: Self.first.get()) }

    @Test(
        "a variable that is not UTF-8 is an error that names it",
        arguments: [
            ("CLOSER_KEYS_VAULT", "couple forget --couple c --yes"), ("CLOSER_KEYS_VAULT", "device show"),
            ("CLOSER_KEYS_VAULT", "device init --user x --key-file x.key"),
            ("CLOSER_KEYS_KEY_FILE", "device show"), ("CLOSER_KEYS_COUPLE", "couple show"),
            ("CLOSER_KEYS_COUPLE", "answer list"),
            ("CLOSER_KEYS_PASSPHRASE_FILE", "device show --vault p.db"),
            ("XDG_DATA_HOME", "couple forget --couple c --yes"),
            ("XDG_DATA_HOME", "device init --user x --key-file x.key"),
            ("XDG_STATE_HOME", "device show --key-file a.key"), ("XDG_STATE_HOME", "device list"),
            ("XDG_STATE_HOME", "device init --vault x.db --user x --key-file x.key"),
            ("HOME", "device show"), ("HOME", "device list"),
            ("HOME", "device init --user x --key-file x.key"),
        ])
    func bytes(_ name: String, _ arguments: String) throws {
        let before = try program.files()
        let run = try program.script("export \(name)=/media/usb$'\\xff'/x; closer-keys \(arguments)")
        #expect(run.exit == 64 && run.errors.contains("error: \(name) is not UTF-8\n"), "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(try program.files() == before)
        #expect(try program("couple list").text.hasPrefix("c\t"))
    }

    @Test("a home folder that is not there is not made")
    func noHome() throws {
        let home = program.folder.appending(path: "none").path()
        let made = try program.script("HOME=\(home) closer-keys device init --user x --key-file x.key")
        #expect(made.exit == 64 && made.errors.contains("there is no home folder"), "\(made.errors)")
        let used = try program.script(
            "HOME=\(home) closer-keys device show --vault p.db --passphrase-file pass")
        #expect(used.exit == 0 && used.errors.contains("there is no home folder"), "\(used.errors)")
        #expect(try !program.files().contains("none"))
    }

    @Test("a vault works in a folder whose path is not UTF-8, with a warning that it cannot be remembered")
    func folder() throws {
        let run = try program.script(
            """
            mkdir $'d\\xff'; ln -s $'d\\xff' link; cd $'d\\xff'; umask 077; cp ../pass .
            closer-keys device init --vault v.db --user u --passphrase-file pass --json | jq -r .userId
            closer-keys device policy --vault v.db --passphrase-file pass --require-paired
            closer-keys device policy --vault ../link/v.db --passphrase-file pass --no-require-paired
            closer-keys device init --vault w.db --user w --key-file w.key --json | jq -r .userId
            closer-keys couple create --vault w.db --key-file w.key --couple c --phrase-file p -o invite
            closer-keys device export --vault v.db --passphrase-file pass --export-passphrase-file pass -o e
            closer-keys device import --vault x.db --passphrase-file pass --export-passphrase-file pass e
            closer-keys keyset new --type aes256-gcm -o k; closer-keys keyset new --type aes256-gcm -o k --force
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(
            run.text == "u\nrequirePaired: true\nrequirePaired: false\nw\nimported the vault of u\n",
            "\(run.text)")
        let warning = "this machine cannot remember where the vault is: rename its folder in UTF-8\n"
        #expect(run.errors.contains(warning), "\(run.errors)")
    }

    @Test("a link into such a folder cannot be followed, and the error says why")
    func linkIntoFolder() throws {
        let run = try program.script(
            """
            mkdir $'d\\xff'; cp p.db $'d\\xff'; ln -s $'d\\xff'/p.db link.db
            closer-keys device policy --vault link.db --passphrase-file pass --require-paired || echo $?
            test -L link.db && cmp p.db link.db
            """)
        #expect((run.exit, run.text) == (0, "74\n"), "\(run.errors)")
        #expect(run.errors.contains("its folder's path is not UTF-8"), "\(run.errors)")
    }

    @Test("with --json an argument that is not UTF-8 is one object")
    func json() throws {
        let run = try program.script("closer-keys inspect --json $'\\xff'")
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        #expect(run.exit == 64 && error?["message"]?.string == "an argument is not UTF-8")
        #expect(try program.script("closer-keys inspect $'\\xff' -- --json").output.isEmpty)
    }

    @Test("help says all of it, however narrow COLUMNS is", arguments: ["0", "-1", "1", "26", "27"])
    func columns(_ columns: String) throws {
        let words = { (text: String) in text.split(whereSeparator: \.isWhitespace).count }
        let run = try program.script("COLUMNS=\(columns) closer-keys field seal --help")
        #expect(try words(run.text) == words(program("field seal --help").text))
    }

    @Test("CLOSER_KEYS_COUPLE chooses what answer list lists")
    func couple() throws {
        let run = try program.script(
            """
            export CLOSER_KEYS_COUPLE=c
            echo '{"answer":"x"}' | closer-keys answer seal --question q --place daily:2026-11-20 > sealed
            closer-keys answer list; CLOSER_KEYS_COUPLE=other closer-keys answer list
            """)
        #expect(run.text.split(separator: "\n").count == 1 && run.text.hasPrefix("c\t"), "\(run.text)")
    }
}
