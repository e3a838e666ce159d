import CloserWire
import Foundation
import Testing

/// Where a vault's key file is, as one machine remembers it (closer-keys(1), FILES).
@Suite("What this machine remembers of its vaults")
struct MemoryTests {
    private static let states = ".local/state/closer-keys"
    private let program: ClosingProgram
    /// The folder of the test, without links.
    private let folder: String

    init() throws {
        program = try ClosingProgram()
        folder = String(try program.script("pwd -P").text.dropLast())
        try #require(try program("device init --vault a.db --user alice --key-file a.key").exit == 0)
    }

    /// How a run failed.
    private struct Refusal: Equatable {
        let exit: Int32
        let code, message, hint: String?
    }

    /// Runs in a shell with these settings in front, as `device show` of `a.db` by default.
    private func show(_ options: String = "", with settings: String = "") throws -> ClosingProgram.Run {
        try program.script("\(settings) closer-keys device show --vault a.db \(options)")
    }

    private func refusal(_ script: String) throws -> Refusal {
        let run = try program.script(script)
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        return Refusal(
            exit: run.exit, code: error?["code"]?.string, message: error?["message"]?.string,
            hint: error?["hint"]?.string)
    }

    /// The key file that `device show` names, in a run that warns of nothing.
    private func keyFile(_ options: String = "", with settings: String = "") throws -> String? {
        let run = try show("--json \(options)", with: settings)
        #expect((run.exit, run.errors) == (0, ""))
        return try JSONValue(parsing: run.output.dropLast())["keyFile"]?.string
    }

    /// All memories, by the name of the vault in the test's folder: the name of its key file.
    private func memories() throws -> [String: String] {
        let script = "cd \(Self.states); for f in *.json; do if [ -s $f ]; then cat $f; echo; fi; done"
        let lines = try program.script(script).text.split(separator: "\n")
        let pairs = try lines.map { line in
            let memory = try JSONValue(parsing: Array(line.utf8))
            return (
                (memory["places"]?.array ?? []).map { name($0.string) }.joined(separator: " "),
                name(memory["keyFile"]?.string)
            )
        }
        return Dictionary(pairs) { "\($0) and \($1)" }
    }

    /// Within the test's folder; what is not there in full.
    private func name(_ path: String?) -> String {
        guard let path else { return "none" }
        return path.hasPrefix("\(folder)/") ? String(path.dropFirst(folder.count + 1)) : path
    }

    @Test("a new vault is remembered, for its owner alone")
    func made() throws {
        #expect(try memories() == ["a.db": "a.key"])
        #expect(try keyFile() == "\(folder)/a.key")
        let modes = try program.script("stat -c %a \(Self.states) \(Self.states)/*.json")
        #expect(modes.text == "700\n600\n")
    }

    @Test("the key file of a vault that it does not know must be named, once")
    func unknown() throws {
        #expect(
            try refusal("rm -r .local; closer-keys device show --vault a.db --json")
                == Refusal(
                    exit: 7, code: "inputRequired",
                    message: "this machine does not know the key file of the vault a.db",
                    hint: "name its key file with --key-file"))
        #expect(try keyFile(with: "CLOSER_KEYS_KEY_FILE=a.key") == "\(folder)/a.key")
        #expect(try memories() == ["a.db": "a.key"])
        #expect(try keyFile() == "\(folder)/a.key")
    }

    @Test("a named key file wins, and is remembered if it opens the vault")
    func named() throws {
        let other = try program.script("cp a.key c.key; head -c 32 /dev/zero > zero; chmod 600 zero")
        try #require(other.exit == 0)
        #expect(
            try refusal("closer-keys device show --vault a.db --key-file zero --json")
                == Refusal(
                    exit: 3, code: "authFailed", message: "it does not open with this key file or passphrase",
                    hint: "if it was locked with another key file, name it with --key-file"))
        #expect(try memories() == ["a.db": "a.key"])
        #expect(try keyFile("--key-file c.key", with: "CLOSER_KEYS_KEY_FILE=zero") == "\(folder)/c.key")
        #expect(try memories() == ["a.db": "c.key"])
        #expect(try keyFile() == "\(folder)/c.key")
    }

    @Test("a vault that was moved opens, and is remembered there; so is a new lock")
    func moved() throws {
        try #require(try program.script("mkdir sub; mv a.db sub/b.db; echo words > pass").exit == 0)
        try program.write(Data("words".utf8), to: "pass")
        let first =
            "closer-keys: warning: this machine sees this vault at \(folder)/sub/b.db for the first time; it was at \(folder)/a.db\n"
        #expect(try program("device show --vault sub/b.db").errors == first)
        #expect(try program("device show --vault sub/b.db").errors == "")
        #expect(try memories() == ["a.db sub/b.db": "a.key"])
        #expect(try program("device passphrase --vault sub/b.db --new-key-file new.key").exit == 0)
        #expect(try memories() == ["a.db sub/b.db": "new.key"])
        #expect(try program("device show --vault sub/b.db").exit == 0)
        #expect(try program("device passphrase --vault sub/b.db --new-passphrase-file pass").exit == 0)
        #expect(try memories() == ["a.db sub/b.db": "none"])
        #expect(try program("device show --vault sub/b.db --passphrase-file pass").errors == "")
    }

    @Test("an imported vault is remembered")
    func imported() throws {
        try program.write(Data("words".utf8), to: "pass")
        let run = try program.script(
            """
            closer-keys device export --vault a.db --export-passphrase-file pass -o export
            closer-keys device import export --vault n.db --export-passphrase-file pass --key-file n.key
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try memories() == ["a.db": "a.key", "n.db": "n.key"])
        #expect(try program("device show --vault n.db").exit == 0)
    }

    @Test("a key file whose own path is not UTF-8 is remembered by the name that led to it")
    func unspeakable() throws {
        let run = try program.script(
            #"""
            name=$(printf 'k\374'); mkdir "$name"; mv a.key "$name/a.key"; ln -s "$name" k
            mkdir in; cd in; closer-keys device show --vault ../a.db --key-file ../k/a.key
            cd ..; closer-keys device show --vault a.db
            """#)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try memories() == ["a.db": "k/a.key"])
    }

    @Test(
        "a key file without a path that a text can tell is not remembered; a warning says so of a new one, and what was remembered stays"
    )
    func pathless() throws {
        let run = try program.script(
            #"""
            here=$PWD; name=$(printf 'w\377'); mkdir "$name"; cp a.key b.key "$name/" 2> /dev/null || cp a.key "$name/"
            cd "$name"; closer-keys couple list --vault $here/a.db --key-file a.key
            closer-keys device init --vault $here/n.db --user bob --key-file n.key 2> told
            grep -c "warning: this machine cannot remember where the key file n.key is: name it each time" told
            cd ..; closer-keys device show --vault a.db --quiet && closer-keys device list --quiet
            closer-keys device show --vault n.db || echo $?
            cd "$name"; closer-keys device show --vault $here/n.db --key-file n.key --quiet | tail -n 1
            """#)
        #expect(run.exit == 0 && run.text.hasSuffix("7\nchanges: 1\n"), "\(run.text)\(run.errors)")
        #expect(run.text.contains("\n1\n"), "\(run.text)")
        #expect(try memories()["a.db"] == "a.key")
    }

    @Test("a key file of another user's is told", .enabled(if: getuid() == 0))
    func foreignKeyFile() throws {
        let run = try program.script(
            "head -c 32 /dev/urandom > n.key; chmod 600 n.key; chown 65534 n.key; closer-keys device init --vault n.db --user n --key-file n.key"
        )
        #expect(
            run.exit == 0
                && run.errors.contains("warning: n.key belongs to another user, who can read it\n"),
            "\(run.errors)")
    }

    @Test("a remembered key file that is not there is never made anew")
    func missing() throws {
        #expect(
            try refusal("mv a.key k; closer-keys device show --vault a.db --json")
                == Refusal(
                    exit: 66, code: "noInput", message: "the vault's key file \(folder)/a.key is not there",
                    hint: "if it was moved, name it with --key-file"))
        #expect(try !program.files().contains("a.key"))
        #expect(try keyFile("--key-file k") == "\(folder)/k")
    }

    @Test(
        "a machine that cannot remember warns once in each run, says what that means, and goes on",
        arguments: [
            ("", "$PWD/.local/state/closer-keys: not a directory"),
            ("env -u HOME -u XDG_STATE_HOME", "there is no home folder"),
        ])
    func forgetful(_ settings: String, _ reason: String) throws {
        try #require(try program.script("rm -r .local/state; touch .local/state").exit == 0)
        let run = try show("--key-file a.key", with: settings)
        let reason = reason.replacing("$PWD", with: program.folder.path())
        #expect(run.exit == 0)
        #expect(
            run.errors
                == "closer-keys: warning: this machine cannot remember the vault (\(reason)): name its key file each time, and know that nobody notices if an older one is put back\n"
        )
        #expect(try show(with: settings).exit == 7)
    }

    @Test("a folder for state counts if its path is absolute")
    func stateFolder() throws {
        #expect(try keyFile(with: "XDG_STATE_HOME=state") == "\(folder)/a.key")
        #expect(try show(with: "XDG_STATE_HOME=$PWD/state").exit == 7)
        #expect(try !program.files().contains("state"))
        #expect(try keyFile("--key-file a.key", with: "XDG_STATE_HOME=$PWD/state") == "\(folder)/a.key")
        #expect(try keyFile(with: "XDG_STATE_HOME=$PWD/state") == "\(folder)/a.key")
        #expect(try program.files().contains("state"))
    }

    @Test("the folder of a vault is made where nobody names one")
    func vaultFolder() throws {
        let run = try program.script(
            """
            closer-keys device init --user bob --key-file b.key; set +e
            CLOSER_KEYS_VAULT=$PWD/none/v.db closer-keys device init --user bob --key-file b.key --json
            """)
        #expect(run.exit == 73 && run.text.contains("none"), "\(run.text)")
        #expect(try !program.files().contains("none"))
        #expect(try memories() == ["a.db": "a.key", ".local/share/closer-keys/vault.db": "b.key"])
    }
}

// MARK: - What is no file, and what is no vault of ours

extension MemoryTests {
    @Test(
        "a key file is opened once, so that nothing takes its place between a look and the reading",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/sys/fs/inotify")))
    func openedOnce() throws {
        // IN_OPEN and IN_CLOSE_NOWRITE are 0x30: two events that are the same would be one. One without a name has 16 bytes.
        let run = try program.script(
            """
            python3 -c '
            import ctypes, os, subprocess
            c = ctypes.CDLL(None)
            watch = c.inotify_init1(0o4000)
            assert c.inotify_add_watch(watch, b"a.key", 0x30) >= 0
            subprocess.run(["closer-keys", "device", "show", "--vault", "a.db"], check=True, stdout=subprocess.DEVNULL)
            print(len(os.read(watch, 4096)) // 16)'
            """)
        #expect(run.text == "2\n", "\(run.errors)")
    }

    @Test(
        "a key file is a regular file, and nothing else is waited for or remembered",
        arguments: [
            "device show --vault a.db --key-file", "device init --vault n.db --user bob --key-file",
            "device passphrase --vault a.db --new-key-file",
        ])
    func regular(_ arguments: String) throws {
        try #require(try program.script("mkfifo fifo").exit == 0)
        let notRegular = Refusal(
            exit: 5, code: "malformed", message: "a vault's key file is a regular file", hint: nil)
        for file in ["fifo", "/dev/stdin", "<(cat a.key)", "/dev/null", "."] {
            #expect(
                try refusal("cat a.key | closer-keys \(arguments) \(file) --json") == notRegular, "\(file)")
        }
        #expect(
            try refusal("closer-keys \(arguments) - --json < a.key")
                == Refusal(
                    exit: 64, code: "usage", message: "a vault's key file is a file, and not -",
                    hint: nil))
        #expect(try memories() == ["a.db": "a.key"])
        #expect(try keyFile() == "\(folder)/a.key")
        #expect(try !program.files().contains("n.db"))
    }

    @Test("standard input from a key file is that file, by its own path")
    func redirected() throws {
        let run = try program.script(
            "cp a.key c.key; closer-keys device show --vault a.db --key-file /dev/stdin < c.key")
        #expect((run.exit, run.errors) == (0, ""))
        #expect(try memories() == ["a.db": "c.key"])
    }
}
