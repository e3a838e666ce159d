import Foundation
import Testing

/// A file, an open descriptor, standard input, a command or the environment; never an argument.
@Suite("Where a secret comes from")
struct SecretSourceTests {
    private static let first = Result {
        try ClosingProgram(
            after: """
                umask 077; echo 'three words more' > pass; echo 'some more words' > other
                closer-keys device init --vault v.db --user alice --passphrase-file pass
                closer-keys device init --vault k.db --user bob --key-file k.key
                closer-keys couple create --vault k.db --couple c --phrase-file phrase -o invite
                jq -r .code invite > code; jq -c 'del(.code)' invite > bare
                closer-keys couple show --vault k.db --couple c --document > couple.json
                """)
    }
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram(copying: Self.first.get()) }

    /// `device show` of the vault with a passphrase.
    private func show(_ options: String = "", with settings: String = "") throws -> ClosingProgram.Run {
        try program.script("\(settings) closer-keys device show --vault v.db --no-input --json \(options)")
    }

    @Test(
        "a name is a file, an open descriptor or standard input",
        arguments: [
            "closer-keys device show --vault v.db --passphrase-file - < pass",
            "closer-keys device show --vault v.db --passphrase-file /dev/fd/3 3< pass",
            "closer-keys device show --vault v.db --passphrase-file <(cat pass)",
            "cat pass | closer-keys device show --vault v.db --passphrase-file /dev/stdin",
            "closer-keys phrase check --phrase-file - < phrase",
            "closer-keys phrase check --phrase-file /dev/fd/3 3< phrase",
            "closer-keys couple recover --couple c --rehearse --phrase-file /dev/fd/4 couple.json 4< phrase",
            "closer-keys couple join --vault v.db --passphrase-file /dev/fd/3 --couple c --code-file - bare 3< pass < code",
            "closer-keys device export --vault v.db --passphrase-file - --export-passphrase-file /dev/fd/9 -o e < pass 9< other",
        ])
    func named(_ command: String) throws {
        let run = try program.script(command)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test("a descriptor may be a socket, which Linux does not open by its path")
    func socket() throws {
        let run = try program.script(
            """
            python3 -c '
            import socket, subprocess
            ours, theirs = socket.socketpair()
            ours.sendall(open("pass", "rb").read()); ours.close()
            name = "/dev/fd/" + str(theirs.fileno())
            subprocess.run(["closer-keys", "device", "show", "--vault", "v.db", "--passphrase-file", name],
                           pass_fds=[theirs.fileno()], check=True)'
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "standard input is read once, whatever it is called",
        arguments: [
            "device show --vault v.db --passphrase-file - --key-file /dev/fd/0",
            "device export --vault v.db --passphrase-file - --export-passphrase-file /dev/stdin -o e",
            "couple recover --vault v.db --couple c --passphrase-file - --phrase-file - couple.json",
            "couple join --vault v.db --couple c --code-file -",
        ])
    func twice(_ arguments: String) throws {
        let run = try program(arguments, input: "three words more\n")
        #expect(run.exit == 64 || arguments.contains("--key-file"), "\(run.errors)")
        #expect(
            run.errors.contains("standard input can be read only once") || arguments.contains("--key-file"))
    }

    @Test(
        "a command of the shell prints it, in its first line",
        arguments: [
            "cat pass", "printf 'three words more'", "printf 'three words more\\r\\nand a comment\\n'",
            "cat pass; exit 0", "test -z \"$(cat)\" && cat pass", "yes 'three words more' | head -n 2000",
        ])
    func command(_ command: String) throws {
        let run = try program.run(
            ["device", "show", "--vault", "v.db", "--passphrase-command", command], input: Data("x".utf8))
        #expect((run.exit, run.errors) == (0, ""))
    }

    @Test("a command is waited for where the parent ignores the end of its children")
    func ignoredChildren() throws {
        let run = try program.script(
            "(trap '' CHLD; exec closer-keys device show --vault v.db --passphrase-command 'cat pass')")
        #expect((run.exit, run.errors) == (0, ""))
    }

    @Test("a command's standard error is the program's, and its standard input is none of the data's")
    func commandStreams() throws {
        let run = try program.script(
            """
            printf %s 'echo unlocking >&2; cat; cat pass' > told
            printf data | closer-keys couple list --vault v.db --passphrase-command "$(cat told)"
            """)
        #expect(
            run.exit == 0 && run.errors.hasPrefix("unlocking\ncloser-keys: no couples yet"), "\(run.errors)")
    }

    @Test(
        "a command that fails gives no passphrase",
        arguments: [
            ("cat pass; exit 3", 66, "the command for the passphrase for v.db ended with exit code 3"),
            ("cat pass; kill -9 $$", 66, "the command for the passphrase for v.db ended by signal 9"),
            ("no-such-command", 66, "the command for the passphrase for v.db ended with exit code 127"),
            ("cat other", 3, "does not open"), ("head -c 70000 /dev/zero", 6, "prints more than 65536 bytes"),
            ("head -c 1025 /dev/zero", 6, "has more than 1024 bytes"),
        ] as [(String, Int32, String)])
    func failed(_ command: String, _ exit: Int32, _ words: String) throws {
        let run = try program.run(
            ["device", "show", "--vault", "v.db", "--passphrase-command", command], input: Data())
        #expect(run.exit == exit && run.errors.contains(words), "\(run.errors)")
        #expect(run.output.isEmpty && !run.errors.contains("three words"))
    }

    @Test("a file and a command are one too many")
    func both() throws {
        let run = try show("--passphrase-file pass --passphrase-command 'cat pass'")
        #expect(
            run.exit == 64
                && run.errors.contains("use either --passphrase-file or --passphrase-command"))
    }
}

// MARK: - The environment

extension SecretSourceTests {
    @Test("CLOSER_KEYS_PASSPHRASE_FILE stands in for a passphrase that would be asked for")
    func environment() throws {
        #expect(try show().exit == 7)
        #expect(try show(with: "CLOSER_KEYS_PASSPHRASE_FILE=pass").exit == 0)
        #expect(try show(with: "CLOSER_KEYS_PASSPHRASE_FILE=other").exit == 3)
        #expect(try show("--passphrase-file pass", with: "CLOSER_KEYS_PASSPHRASE_FILE=other").exit == 0)
        #expect(
            try show("--passphrase-command 'cat pass'", with: "CLOSER_KEYS_PASSPHRASE_FILE=other").exit == 0)
        #expect(
            try program.script("CLOSER_KEYS_PASSPHRASE_FILE=- closer-keys device show --vault v.db < pass")
                .exit == 0)
        let keyFile = try program.script(
            "CLOSER_KEYS_PASSPHRASE_FILE=none closer-keys device show --vault k.db")
        #expect(keyFile.exit == 0, "\(keyFile.errors)")
    }

    @Test(
        "a new passphrase and an export's never come from the environment",
        arguments: [
            "device init --vault n.db --user n", "device passphrase --vault v.db",
            "device export --vault v.db -o e",
            "device passphrase --vault k.db",
        ])
    func environmentIsOld(_ arguments: String) throws {
        let run = try program.script(
            "CLOSER_KEYS_PASSPHRASE_FILE=pass closer-keys \(arguments) --no-input || exit $?")
        #expect(run.exit == 7 && run.errors.contains("cannot ask for the "), "\(run.errors)")
    }

    @Test("a key file that does not open the vault is named, and so is the variable that names it")
    func keyFile() throws {
        let wrong = "head -c 32 /dev/zero > zero; chmod 600 zero"
        let option = try program.script("\(wrong); closer-keys device show --vault k.db --key-file zero")
        #expect(
            option.exit == 3
                && option.errors == """
                    closer-keys: error: the vault k.db does not open with the key file zero
                    closer-keys: hint: if another key file protects it, name that with --key-file

                    """,
            "\(option.errors)")
        let variable = try program.script(
            "\(wrong); CLOSER_KEYS_KEY_FILE=zero closer-keys device show --vault k.db")
        #expect(
            variable.exit == 3
                && variable.errors == """
                    closer-keys: error: the vault k.db does not open with the key file zero
                    closer-keys: hint: CLOSER_KEYS_KEY_FILE names that one: if another key file protects it, name that with --key-file

                    """,
            "\(variable.errors)")
    }
}
