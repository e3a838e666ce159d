import CloserWire
import Foundation
import TestSupport
import Testing

/// What stands at the end of each command's help, and what a shell completes.
@Suite("Help")
struct HelpTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    @Test(
        "each verb's help fits a screen of 32 lines, and ends with an example that the program takes and with a page that there is"
    )
    func examples() throws {
        let dump = try JSONValue(parsing: program("--experimental-dump-help").output.dropLast())
        let verbs = try leaves(try #require(dump["command"]), [])
        #expect(verbs.count > 50)
        for verb in verbs {
            let help = try program.run(verb + ["--help"], input: Data())
            let lines = help.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let shown = lines.reduce(0) { $0 + max(1, ($1.count + 79) / 80) }
            #expect(shown <= 32, "\(verb): \(shown) lines")
            let end = lines.suffix(2).map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
            try #require(end.map(\.first) == ["EXAMPLE", "MANUAL"], "\(verb): \(end)")
            #expect(end[0][1].hasPrefix("closer-keys \(verb.joined(separator: " "))"))
            let page = end[1][1].replacing(" man ", with: "")
            #expect(
                FileManager.default.fileExists(atPath: TestData.root.appending(path: "man/\(page).1").path()))
            try check(example: end[0][1])
        }
    }

    @Test("a help shows what the verb alone has, and on a line each the options of the vault and the output")
    func order() throws {
        let help = try program("field open --help").text
        let titles = help.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0.hasSuffix(":") }
        #expect(titles == ["ARGUMENTS:", "OPTIONS:"])
        #expect(help.contains("  --jsonl                 One JSON object a line: token becomes plaintext"))
        #expect(
            help.contains(
                """

                  vault, closer-keys(1)   --vault --key-file --passphrase-file …
                  output, closer-keys(1)  --output --force --json --quiet

                """))
    }

    @Test("the toolbox and the legacy invites stand under headings of their own")
    func headings() throws {
        let first = try program("--help").text.components(separatedBy: "\n\nTOOLBOX:\n")
        #expect(first.count == 2 && first[0].contains("\n  pair ") && first[1].contains("  keyset "))
        #expect(first[0].contains("\n  field ") && !first[0].contains("\n  chat "))
        let couple = try program("couple --help").text.components(separatedBy: "\n\nLEGACY INVITES:\n")
        #expect(couple.count == 2 && couple[0].contains("  recover ") && !couple[0].contains("  create "))
        #expect(couple[1].contains("  create ") && couple[1].contains("  join "))
    }

    /// Nothing that the example names is there. What fails must be that, and not the arguments.
    private func check(example: String) throws {
        let folder = try ClosingProgram()
        let run = try folder.script(
            "BOB=pub:v1:AAAA; set +e; \(example) --no-such-option; echo $?; \(example); echo $?")
        let exits = run.text.split(separator: "\n").compactMap { Int($0) }
        #expect(exits.first == 64 || example.contains(" -- "), "\(example): \(run.errors)")
        #expect(exits.last != 64, "\(example): \(run.errors)")
    }

    private func leaves(_ command: JSONValue, _ path: [String]) throws -> [[String]] {
        let below = (command["subcommands"]?.array ?? []).filter { $0["commandName"] != "help" }
        guard !below.isEmpty else { return [path] }
        return try below.flatMap { try leaves($0, path + [try #require($0["commandName"]?.string)]) }
    }

    @Test("a noun's help ends with its page, and help for a verb is the same as its own")
    func nouns() throws {
        #expect(try program("couple --help").text.hasSuffix("\n\nMANUAL: man closer-keys-couple\n"))
        #expect(try program("--help").text.hasSuffix("\n\nMANUAL: man closer-keys\n"))
        #expect(try program("help couple verify").text == program("couple verify --help").text)
        #expect(try program("--version").text.split(separator: "\n").count == 1)
    }

    @Test("completions know the vectors and the live operations", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) throws {
        let script = try program("--generate-completion-script \(shell)").text
        for name in ["x25519.json", "field.seal", "chat.fond.open"] { #expect(script.contains(name)) }
    }

    @Test("nobody is asked for a passphrase when the result has nowhere to go")
    func early() throws {
        try program.write(Data("secret".utf8), to: "pw")
        try program.write(Data(), to: "taken")
        #expect(try program("device init --user a --vault v.db --passphrase-file pw").exit == 0)
        for arguments in [
            "couple create --vault v.db --couple c -o taken", "couple create --vault v.db --couple c --json",
            "device export --vault v.db -o taken",
        ] {
            let sitting = try program.sit(arguments)
            #expect(sitting.exit == 7, "\(sitting.screen)\(sitting.errors)")
            #expect(!sitting.tells("passphrase for"), "\(arguments)")
        }
    }
}
