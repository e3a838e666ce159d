import Foundation
import Testing

/// What the program says about its arguments as a whole: the cause first, and all that is missing at once.
@Suite("Arguments")
struct ArgumentTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    @Test(
        "the cause of a mistake is told, with what was probably meant",
        arguments: [
            ("device init --usr alice", "unknown option '--usr'", "did you mean --user?"),
            ("field seal -c couple_2 token", "unknown option '-c'", "did you mean --couple?"),
            ("answer seal --quest q", "unknown option '--quest'", "did you mean --question?"),
            ("keyset new -tux2", "unknown option '-t'", "did you mean --type?"),
            ("field seal --banana", "unknown option '--banana'", "closer-keys field seal --help"),
            ("answer seal --json=yes", "--json takes no value", "closer-keys answer seal --help"),
            (
                "device show --json yes",
                "unexpected argument, the word 4: closer-keys device show takes only its options",
                "closer-keys device show --help"
            ),
            (
                "field open a b",
                "unexpected argument, the word 4: closer-keys field open takes <file> and its options",
                "closer-keys field open --help"
            ),
            (
                "answer seal -- -x", "missing expected arguments '--question <id>', '--place <place>'",
                "closer-keys answer seal --help"
            ),
            (
                "field open -- -a -b",
                "unexpected argument, the word 5: closer-keys field open takes <file> and its options",
                "closer-keys field open --help"
            ),
            ("device init --user", "missing value for '--user <id>'", "closer-keys device init --help"),
            (
                "answer seal", "missing expected arguments '--question <id>', '--place <place>'",
                "closer-keys answer seal --help"
            ),
            (
                "device unlock --for 25", "the value for '--for <time>' is invalid",
                "it takes a number and s, m or h, such as 8h"
            ),
            ("completions tcsh", "the value for '<shell>' is invalid", "it is one of: bash, zsh, fish"),
            (
                "field seal --max-errors 2", "the option --max-errors goes with --jsonl",
                "closer-keys field seal --help"
            ),
            (
                "vectors run --time-limit soon", "the value for '--time-limit <seconds>' is invalid",
                "it takes a number, in digits"
            ),
            (
                "--generate-completion-script tcsh", "unknown option '--generate-completion-script'",
                "now it is closer-keys completions bash"
            ),
        ])
    func cause(_ arguments: String, _ message: String, _ hint: String) throws {
        let run = try program(arguments)
        #expect(run.exit == 64)
        #expect(
            run.errors == "closer-keys: error: \(message)\ncloser-keys: hint: \(hint)\n", "\(run.errors)")
    }

    @Test(
        "what stands in a wrong place is not printed: it may be a phrase or a token",
        arguments: [
            "T", "field T", "help T", "field open a T", "field open -T", "field open --T", "field open --T=T",
            "device unlock --for T", "keyset new --type T", "device show --json=T", "completions T",
            "field seal --jsonl --jobs T", "device init --user a --user T",
        ])
    func noEcho(_ arguments: String) throws {
        let run = try program(arguments.replacing("T", with: "enc:v1:Hunter2"))
        #expect(run.exit == 64 && !(run.errors + run.text).contains("Hunter2"), "\(run.errors)")
    }

    @Test(
        "an option with two values is refused, and one that is repeated is not",
        arguments: [
            ("field seal --couple a --couple b", 64), ("keyset new --type=aes256-gcm -o a -ob", 64),
            ("keyset new --type aes256-gcm -o a --output=b", 64),
            ("keyset new --type aes256-gcm --type aes256-gcm -o k --quiet --quiet", 0),
            ("vectors run --min-coverage 1 -- cat --min-coverage 2", 74),
        ])
    func twice(_ arguments: String, _ exit: Int32) throws {
        let run = try program(arguments)
        #expect(run.exit == exit, "\(run.errors)")
        #expect(run.errors.contains("is given twice, with two values") == (exit == 64), "\(run.errors)")
        #expect(try program.files().filter { "ab".contains($0) }.isEmpty)
    }

    @Test("an empty path is refused before anything is made, for each option and operand that is one")
    func emptyPaths() throws {
        var count = 0
        for command in try HelpTree(program).commands {
            for argument in command.arguments where argument.isPath {
                count += 1
                let given = argument.option.map { [$0, ""] } ?? [""]
                let run = try program.run(command.path + given, input: Data())
                let name = argument.option ?? "<\(argument.valueName)>"
                #expect(run.exit == 64)
                #expect(run.errors.hasPrefix("closer-keys: error: \(name) is empty\n"), "\(run.errors)")
            }
        }
        #expect(count > 100)
        let made = try program.run(
            ["device", "init", "--vault", "", "--user", "u", "--key-file", "k"], input: Data())
        #expect(made.exit == 64)
        #expect(try program.files().isEmpty)
    }

    @Test("a noun shows its verbs, and another program's word for a command the command that does it")
    func verbs() throws {
        #expect(try program("field").errors.hasSuffix("hint: closer-keys field seal | open\n"))
        for (words, command) in [
            ("device create", "device init"), ("couple new", "pair invite"),
            ("backup --vault a.db", "device export"), ("encrypt", "field seal"),
        ] {
            let run = try program(words)
            #expect(run.exit == 64 && run.errors.hasSuffix("hint: closer-keys \(command)\n"), "\(run.errors)")
        }
    }

    @Test("each command that a word of other programs stands for is there")
    func synonyms() throws {
        let run = try program.script(
            """
            set +eo pipefail
            for words in init backup restore invite join list encrypt decrypt "device "{new,create,backup,restore} \
                "couple "{new,rotate} "pair join" {field,file}" "{encrypt,decrypt} "keyset "{create,generate}; do
                closer-keys $words 2>&1 | sed -n 's/^closer-keys: hint: closer-keys //p'
            done
            """)
        let commands = Set(try HelpTree(program).commands.map { $0.path.joined(separator: " ") })
        let hints = run.text.split(separator: "\n").map(String.init)
        #expect(hints.count == 21)
        #expect(hints.filter { !commands.contains($0) }.isEmpty)
    }

    @Test("an output that is there is told before a passphrase is read")
    func existingOutput() throws {
        let run = try program.script(
            """
            (umask 077; echo a long passphrase > right; echo a wrong passphrase > wrong)
            closer-keys device init --vault v.db --user u --passphrase-file right > /dev/null; touch out
            closer-keys device show --document --vault v.db --passphrase-file wrong -o out || echo $?
            closer-keys device show --document --vault v.db --passphrase-file wrong -o out --force || echo $?
            """)
        #expect(run.text == "7\n3\n" && run.errors.contains("out exists"), "\(run.errors)")
    }
}
