import CloserWire
import Foundation
import TestSupport
import Testing

/// One file for each vault: how far it had come, and where it and its key file are (closer-keys(1), FILES).
@Suite("What this machine remembers of its vaults")
struct KnownVaultTests {
    private static let states = ".local/state/closer-keys"
    private let program: ClosingProgram
    /// The folder of the test, without links.
    private let folder: String

    init() throws {
        program = try ClosingProgram()
        folder = String(try program.script("pwd -P").text.dropLast())
        try #require(try program("device init --vault a.db --user alice --key-file a.key").exit == 0)
    }

    /// Runs `device show` of `a.db` in a shell with these settings in front.
    private func show(_ options: String = "", with settings: String = "") throws -> ClosingProgram.Run {
        try program.script("\(settings) closer-keys device show --vault a.db \(options)")
    }

    /// The key file that `device show` names, in a run that warns of nothing.
    private func keyFile(_ options: String = "", with settings: String = "") throws -> String? {
        let run = try show("--json \(options)", with: settings)
        #expect((run.exit, run.errors) == (0, ""))
        return try JSONValue(parsing: run.output.dropLast())["keyFile"]?.string
    }

    private func known() throws -> [JSONValue] {
        try program.script("for f in \(Self.states)/*.json; do cat $f; echo; done").text.split(
            separator: "\n"
        )
        .map { try JSONValue(parsing: Array($0.utf8)) }
    }

    /// The path and the key file of each vault, as names within the test's folder.
    private func paths() throws -> [String: String] {
        let pairs = try known().map { (name($0["path"]?.string), name($0["keyFile"]?.string)) }
        return Dictionary(pairs) { "\($0) and \($1)" }
    }

    private func name(_ path: String?) -> String {
        guard let path else { return "none" }
        return path.hasPrefix("\(folder)/") ? String(path.dropFirst(folder.count + 1)) : path
    }

    private func changes(_ folder: String = states) throws -> [String] {
        try program.script("cat \(folder)/*.json | jq .changes").text.split(separator: "\n").map(String.init)
    }

    @Test("is a file of four members for its owner alone, and changes with the vault")
    func made() throws {
        let vault = try #require(try known().first)
        #expect(vault.members?.map(\.name).sorted() == ["changes", "digest", "keyFile", "path"])
        #expect(vault["changes"]?.number == 1)
        #expect(vault["digest"]?.string?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(try paths() == ["a.db": "a.key"])
        #expect(try keyFile() == "\(folder)/a.key")
        let modes = try program.script("stat -c %a \(Self.states) \(Self.states)/*.json")
        #expect(modes.text == "700\n600\n")
        #expect(try program("device policy --vault a.db --require-paired").exit == 0)
        let changed = try #require(try known().first)
        #expect(changed["changes"]?.number == 2 && changed["digest"] != vault["digest"])
    }

    @Test("a machine that only reads remembers what it saw")
    func reader() throws {
        let run = try program.script(
            """
            cp a.db old.db
            XDG_STATE_HOME=$PWD/two closer-keys device policy --vault a.db --key-file a.key --require-paired
            closer-keys couple list --vault a.db
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try changes() == ["2"])
        let older = try program.script("cp old.db a.db; closer-keys couple list --vault a.db")
        #expect(older.exit == 8)
    }

    @Test("of two processes that write at once, the greater count is kept")
    func crowd() throws {
        try #require(
            try program("couple create --vault a.db --couple c --phrase-file p -o invite").exit == 0)
        let crowd = try (1...16).map { number in
            try program.start(
                number.isMultiple(of: 4)
                    ? "couple list --vault a.db"
                    : "answer seal --vault a.db --couple c --question q_\(number) --place daily:2026-11-20",
                input: #"{"answer":"yes"}"#)
        }
        for run in try crowd.map({ try $0.wait() }) { #expect((run.exit, run.errors) == (0, "")) }
        #expect(try changes() == ["15"])
        #expect(try program("device show --vault a.db").text.contains("changes: 15\n"))
    }

    @Test(
        "is read once a command, and not written where nothing is new",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/sys/fs/inotify")))
    func once() throws {
        // IN_OPEN is 0x20, IN_CLOSE_NOWRITE 0x10, and IN_MOVED_TO 0x80: two events that are the same would be one.
        let run = try program.script(
            """
            python3 -c '
            import ctypes, glob, os, struct, subprocess
            c = ctypes.CDLL(None)
            watch = c.inotify_init1(0o4000)
            assert c.inotify_add_watch(watch, b"\(Self.states)", 0xb0) >= 0
            subprocess.run(["closer-keys", "couple", "list", "--vault", "a.db"], check=True)
            events, opened, moved = os.read(watch, 65536), 0, 0
            while events:
                _, mask, _, count = struct.unpack("iIII", events[:16])
                isJSON = events[16:16 + count].rstrip(b"\\0").endswith(b".json")
                opened, moved, events = opened + (isJSON and mask & 0x20 != 0), moved + (mask & 0x80 != 0), events[16 + count:]
            print(opened, moved)'
            """)
        #expect(run.text == "1 0\n", "\(run.errors)")
    }

    @Test("the list names each vault, its changes and its path; a vault that is forgotten is unknown")
    func listed() throws {
        try #require(try program("device init --vault b.db --user bob --key-file b.key").exit == 0)
        let run = try program("device list --json")
        let vaults = try #require(try JSONValue(parsing: run.output.dropLast())["vaults"]?.array)
        #expect(vaults.count == 2)
        let ours = try #require(vaults.first { $0["path"]?.string == "\(folder)/a.db" })
        #expect(ours.members?.map(\.name).sorted() == ["changes", "id", "keyFile", "path"])
        #expect(ours["changes"]?.number == 1 && ours["keyFile"]?.string == "\(folder)/a.key")
        let id = try #require(ours["id"]?.string)
        let text = try program("device list").text
        #expect(text.contains("\(id)  1  \(folder)/a.db\n") && text.split(separator: "\n").count == 2)
        #expect(try program("device forget \(id)").text == "forgotten\n")
        #expect(try paths() == ["b.db": "b.key"])
        #expect(try program("device forget \(id)").exit == 4)
        #expect(try show().exit == 7)
        #expect(try keyFile("--key-file a.key") == "\(folder)/a.key")
    }
}

// MARK: - Where the vault and its key file are

extension KnownVaultTests {
    @Test("a key file that is named wins, and is remembered by its absolute path if it opens the vault")
    func named() throws {
        let run = try program.script(
            """
            cp a.key c.key; head -c 32 /dev/zero > zero; chmod 600 zero; mkdir sub; ln -s sub by
            closer-keys device show --vault a.db --key-file zero || echo $?
            cd by; CLOSER_KEYS_KEY_FILE=../zero closer-keys device show --vault ../a.db --key-file ../c.key --json | jq -r .keyFile
            """)
        #expect(run.text == "3\n\(folder)/c.key\n", "\(run.errors)")
        #expect(run.errors.contains("hint: if another key file protects it, name that with --key-file"))
        #expect(try paths() == ["a.db": "c.key"])
        #expect(try keyFile() == "\(folder)/c.key")
        #expect(try keyFile("--key-file /dev/stdin", with: "< a.key") == "\(folder)/a.key")
    }

    @Test(
        "the key file of a vault that is unknown must be named, once",
        .proves("The vault's file cannot choose its key file"))
    func unknown() throws {
        let run = try program.script("rm -r .local; closer-keys device show --vault a.db")
        #expect(run.exit == 7)
        #expect(
            run.errors == """
                closer-keys: error: this machine does not know the key file of the vault a.db
                closer-keys: hint: name its key file with --key-file

                """)
        #expect(try keyFile(with: "CLOSER_KEYS_KEY_FILE=a.key") == "\(folder)/a.key")
        #expect(try keyFile() == "\(folder)/a.key")
    }

    @Test("a remembered key file that is not there is named, and never made anew")
    func missing() throws {
        let run = try program.script("mv a.key k; closer-keys device show --vault a.db")
        #expect(
            run.exit == 66
                && run.errors.contains("error: the vault's key file \(folder)/a.key is not there\n"))
        #expect(try !program.files().contains("a.key"))
        #expect(try keyFile("--key-file k") == "\(folder)/k")
    }

    @Test("a vault that was moved opens, and is remembered there; so is a new key slot")
    func moved() throws {
        try program.write(Data("three words more".utf8), to: "pass")
        try #require(try program.script("mkdir sub; mv a.db sub/b.db").exit == 0)
        let run = try program("device show --vault sub/b.db")
        #expect((run.exit, run.errors) == (0, ""))
        #expect(try paths() == ["sub/b.db": "a.key"])
        #expect(try program("device passphrase --vault sub/b.db --new-key-file new.key").exit == 0)
        #expect(try paths() == ["sub/b.db": "new.key"])
        #expect(try program("device show --vault sub/b.db").exit == 0)
        #expect(try program("device passphrase --vault sub/b.db --new-passphrase-file pass").exit == 0)
        #expect(try paths() == ["sub/b.db": "none"])
        #expect(try program("device show --vault sub/b.db --passphrase-file pass").errors == "")
    }

    @Test("an imported vault is remembered, and so is one in the default place, whose folder is made")
    func imported() throws {
        try program.write(Data("three words more".utf8), to: "pass")
        let run = try program.script(
            """
            closer-keys device export --vault a.db --export-passphrase-file pass -o export
            closer-keys device import export --vault n.db --export-passphrase-file pass --key-file n.key
            closer-keys device init --user bob --key-file b.key
            CLOSER_KEYS_VAULT=$PWD/none/v.db closer-keys device init --user bob --key-file b.key || exit $?
            """)
        #expect(run.exit == 73 && run.errors.contains("none"), "\(run.errors)")
        #expect(
            try paths() == ["a.db": "a.key", "n.db": "n.key", ".local/share/closer-keys/vault.db": "b.key"])
        #expect(try program("device show --vault n.db").exit == 0)
    }

    @Test("a folder for state counts if its path is absolute")
    func stateFolder() throws {
        #expect(try keyFile(with: "XDG_STATE_HOME=state") == "\(folder)/a.key")
        #expect(try show(with: "XDG_STATE_HOME=$PWD/state").exit == 7)
        #expect(try !program.files().contains("state"))
        #expect(try keyFile("--key-file a.key", with: "XDG_STATE_HOME=$PWD/state") == "\(folder)/a.key")
        #expect(try keyFile(with: "XDG_STATE_HOME=$PWD/state") == "\(folder)/a.key")
    }

    @Test(
        "a key file is a regular file, and anything else is not remembered",
        arguments: [
            "device show --vault a.db --key-file", "device init --vault n.db --user bob --key-file",
            "device passphrase --vault a.db --new-key-file",
        ])
    func regular(_ arguments: String) throws {
        for (file, exit, message) in [
            ("/dev/stdin", 5, "a vault's key file is a regular file"),
            ("<(cat a.key)", 5, "a vault's key file is a regular file"),
            ("/dev/null", 5, "a vault's key file is a regular file"),
            (".", 5, "a vault's key file is a regular file"),
            ("-", 64, "name a file for the vault's key in place of -"),
        ] as [(String, Int32, String)] {
            let run = try program.script("cat a.key | closer-keys \(arguments) \(file) || exit $?")
            #expect(run.exit == exit && run.errors.contains("error: \(message)\n"), "\(file): \(run.errors)")
        }
        #expect(try paths() == ["a.db": "a.key"])
        #expect(try !program.files().contains("n.db"))
    }

    // The reader looks at the vault again for the second line.
    @Test("a command that runs while the vault gets another key file does not bring the former one back")
    func newKeyFileMeanwhile() throws {
        let run = try program.script(
            """
            closer-keys couple create --vault a.db --couple c --phrase-file p -o invite 2>&-
            mkfifo lines; closer-keys field seal --jsonl --vault a.db --couple c lines > sealed &
            exec 9> lines; echo '{"plaintext":"1"}' >&9
            until grep -q token sealed; do sleep 0.05; done
            closer-keys device passphrase --vault a.db --new-key-file b.key > told
            echo '{"plaintext":"2"}' >&9; exec 9>&-; wait
            grep -c token sealed; closer-keys couple list --vault a.db
            """)
        #expect((run.exit, run.text.hasPrefix("2\nc")) == (0, true), "\(run.text) \(run.errors)")
        #expect(try paths() == ["a.db": "b.key"])
    }

    @Test("--force over nothing, and over a file that is neither vault nor key file, writes it")
    func force() throws {
        let run = try program.script(
            """
            for i in 1 2; do closer-keys device show --vault a.db -o out --force; done
            chmod 200 out; closer-keys device show --vault a.db -o out --force; cat out
            """)
        #expect(run.exit == 0 && run.text.hasPrefix("userId: alice\n"), "\(run.errors)")
    }

    @Test("a folder that others can write is told", .proves("V3: a folder that others can write is reported"))
    func sharedFolder() throws {
        let warning = "closer-keys: warning: other users can write into the folder \(folder)/shared,"
        for (mode, command, count) in [
            ("777", "device show --vault shared/a.db", 1), ("757", "device show --vault link", 1),
            ("777", "device show --vault a.db --key-file shared/a.key", 1),
            ("777", "device show --vault shared/a.db --key-file shared/a.key -o shared/out", 1),
            ("777", "device show --vault a.db -o $PWD/shared/out", 1),
            ("777", "device init --vault shared/n.db --user bob --key-file n.key", 1),
            ("1777", "device show --vault shared/a.db", 0), ("755", "device show --vault shared/a.db", 0),
            ("777", "device show --vault shared/a.db --quiet", 1),
        ] {
            let run = try program.script(
                """
                rm -rf shared link; mkdir shared; cp a.db a.key shared; ln -s shared/a.db link; chmod \(mode) shared
                closer-keys \(command)
                """)
            #expect(run.exit == 0, "\(command): \(run.errors)")
            #expect(
                run.errors.components(separatedBy: warning).count - 1 == count, "\(command): \(run.errors)")
        }
    }
}
