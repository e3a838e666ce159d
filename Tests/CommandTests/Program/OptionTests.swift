import CloserWire
import Foundation
import Testing

@Suite("Options that mean nothing are not there")
struct OptionTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    @Test(
        "a former option is told what takes its place",
        arguments: [
            ("device show --passphrase-fd 3", "now it is --passphrase-file /dev/fd/3"),
            ("device passphrase --new-passphrase-fd 3", "now it is --new-passphrase-file /dev/fd/3"),
            ("device export --export-passphrase-fd 3", "now it is --export-passphrase-file /dev/fd/3"),
            ("couple rehearse --phrase-fd 3", "now it is --phrase-file /dev/fd/3"),
            ("pair accept --code-fd 3 offer", "now it is --code-file /dev/fd/3"),
            ("device lock -o x", "now it is > FILE"),
            ("version --output x", "now it is > FILE"),
            ("field seal --require-rekeyed", "now it is --require-private"),
            ("pair accept --new-key", "now it is --partner-has-new-key"),
            ("pair accept --new-code", "now it is --code-is-newer"),
            ("keybox seal --to-file x", "now it is --to FILE"),
            ("couple verify --qr-svg x", "now it is --qr-file FILE.svg"),
            ("couple verify --qr-png x", "now it is --qr-file FILE.png"),
            ("x25519 safety-number --ours-user x", "now it is --user"),
            ("x25519 safety-number --theirs-user x", "now it is --partner"),
        ])
    func former(_ arguments: String, _ hint: String) throws {
        let run = try program(arguments)
        let option = arguments.split(separator: " ").first { $0.hasPrefix("-") } ?? ""
        #expect(
            run.exit == 64
                && run.errors
                    == "closer-keys: error: unknown option '\(option)'\ncloser-keys: hint: \(hint)\n",
            "\(run.errors)")
    }

    @Test(
        "a former verb is told the line to type now",
        arguments: [
            ("couple list", "closer-keys couple status"),
            ("couple migrate start", "closer-keys couple migrate"),
            ("couple migrate finish x", "closer-keys couple migrate --finish DOCUMENT"),
            ("couple migrate show", "closer-keys couple show"), ("answer list", "closer-keys answer status"),
            ("answer canonical x", "CanonicalJSON, in the library"), ("exit-codes", "man closer-keys"),
            ("phrase check", "closer-keys couple rehearse --words-only"),
            ("device check x", "closer-keys doctor FILE"),
            ("keyset promote x", "closer-keys keyset set primary"),
            ("keyset enable x", "closer-keys keyset set enabled"),
            ("keyset disable x", "closer-keys keyset set disabled"),
            ("keyset remove x", "closer-keys keyset set removed"),
            ("vectors list", "closer-keys vectors export"),
            ("couple recover --rehearse", "closer-keys couple rehearse"),
            ("pair invite --hours 3", "--for 24h"),
        ])
    func formerVerb(_ arguments: String, _ now: String) throws {
        let run = try program(arguments)
        #expect(
            run.exit == 64 && run.errors.hasSuffix("closer-keys: hint: now it is \(now)\n"), "\(run.errors)")
    }

    @Test("each verb says what it did in JSON; what replaces a file has a file; no secret has a number")
    func all() throws {
        let dump = try JSONValue(parsing: program("--experimental-dump-help").output.dropLast())
        for (verb, options) in verbs(try #require(dump["command"])) {
            #expect(options.isSuperset(of: ["json", "quiet"]), "\(verb)")
            #expect(!options.contains("force") || options.contains("output"), "\(verb)")
            #expect(!options.contains { $0.hasSuffix("-fd") || $0 == "accept-older" }, "\(verb)")
            #expect(!options.contains("jobs") || options.contains("jsonl"), "\(verb)")
        }
        let verbs = Dictionary(uniqueKeysWithValues: verbs(try #require(dump["command"])))
        for verb in ["device lock", "device forget", "device policy", "couple forget", "version"] {
            #expect(verbs[verb]?.isDisjoint(with: ["output", "force"]) == true, "\(verb)")
        }
    }

    private func verbs(_ command: JSONValue, _ path: [String] = []) -> [(String, Set<String>)] {
        let below = (command["subcommands"]?.array ?? []).filter { $0["commandName"] != "help" }
        guard below.isEmpty else {
            return below.flatMap { verbs($0, path + [$0["commandName"]?.string ?? ""]) }
        }
        let names = (command["arguments"]?.array ?? []).flatMap { $0["names"]?.array ?? [] }
        return [(path.joined(separator: " "), Set(names.compactMap { $0["name"]?.string }))]
    }

    @Test("completions are those of three shells", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) throws {
        let script = try program("completions \(shell)")
        #expect(script.exit == 0)
        #expect(try script.text == program("--generate-completion-script \(shell)").text)
        let json = try JSONValue(parsing: program("completions \(shell) --json").output.dropLast())
        #expect(json["script"]?.string.map { "\($0)\n" } == script.text && json["shell"]?.string == shell)
        #expect(try program("--help").text.contains("  completions"))
    }

    @Test("of twenty writers of one output, none fails, and the file is one of theirs, whole")
    func crowd() throws {
        let run = try program.script(
            """
            for i in $(seq 20); do closer-keys keyset new --type aes256-gcm -o same --force & pids="${pids-} $!"; done
            for pid in $pids; do wait $pid; done
            closer-keys keyset list same | wc -l; ls -A | grep -c tmp || true
            """)
        #expect((run.exit, run.text, run.errors) == (0, "1\n0\n", ""))
    }

    @Test(
        "a link to nothing is called that, wherever something was to be written",
        arguments: [
            ("keyset new --type aes256-gcm -o link", 73),
            ("keyset new --type aes256-gcm -o link --force", 73),
            ("device init --vault link --user u --key-file u.key", 74),
            ("couple create --vault v.db --couple c --phrase-file link -o invite", 73),
        ] as [(String, Int32)])
    func linkToNothing(_ arguments: String, _ exit: Int32) throws {
        let run = try program.script(
            """
            closer-keys device init --vault v.db --user v --key-file v.key > made; ln -s nothing link
            closer-keys \(arguments) || exit $?
            """)
        #expect(run.exit == exit && run.errors.contains(": is a link to nothing\n"), "\(run.errors)")
        #expect(try !program.files().contains("nothing"))
    }
}
