import CloserWire
import Foundation
import TestSupport
import Testing

/// An output never replaces a file that the same run reads or makes (closer-keys(1)).
@Suite("What a command reads is not what it writes")
struct InputOutputTests {
    private static let first = Result { try prepare() }
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram(copying: Self.first.get()) }

    private static func prepare() throws -> ClosingProgram {
        let program = try ClosingProgram()
        for (name, text) in [("pass", "three words more"), ("other", "some more words")] {
            try program.write(Data(text.utf8), to: name)
        }
        for arguments in [
            "device init --vault a.db --user alice --key-file a.key",
            "couple create --vault a.db --couple c --phrase-file phrase -o invite",
            "device export --vault a.db --export-passphrase-file pass -o export",
        ] { try #require(try program(arguments).exit == 0) }
        let code = try program.script("jq -r .code invite > code; jq 'del(.code)' invite > bare")
        try #require(code.exit == 0)
        return program
    }

    @Test(
        "secrets, keys, documents and the vault stay as they are, also with --force",
        .proves(
            "`-o` writes a file whole or leaves it alone, with mode 0600, and replaces only with `--force`"),
        arguments: [
            ("device export --vault a.db --export-passphrase-file pass", "pass"),
            ("device export --vault a.db --export-passphrase-file pass", "a.db"),
            ("couple join --vault a.db --couple d --code-file code bare", "code"),
            ("couple join --vault a.db --couple d --code-file code bare", "bare"),
            ("couple show --vault a.db --couple c --document", "a.db"),
            ("couple list --vault a.db", "a.key"),
        ])
    func inputs(_ arguments: String, _ output: String) throws {
        let before = try program.script("cksum -- *").text
        let run = try program("\(arguments) -o \(output) --force")
        #expect(run.exit == 7, "\(run.errors)")
        #expect(try program.script("cksum -- *").text == before)
    }

    @Test("the parts of one result do not take each other's place")
    func parts() throws {
        let partner = try program.script(
            "closer-keys device init --vault b.db --user bob --key-file b.key >/dev/null; closer-keys device show --vault b.db --json | jq -r .publicKey"
        ).text.dropLast()
        let verify = "couple verify --vault a.db --couple c --partner bob --partner-key \(partner)"
        for outputs in ["--qr-svg q --qr-png q", "--qr-svg q -o q", "--qr-png q -o q", "--qr-svg a.db"] {
            #expect(try program("\(verify) \(outputs) --force").exit == 7, "\(outputs)")
            #expect(try !program.files().contains("q"), "\(outputs)")
        }
        #expect(try program("\(verify) --qr-svg s --qr-png p -o d").exit == 0)
        #expect(try program.files().filter { ["s", "p", "d"].contains($0) }.count == 3)
    }

    @Test("what a keybox held goes to no terminal, as a file neither")
    func terminal() throws {
        let run = try program.script(
            """
            closer-keys keyset new --type ecies-p256 -o k; closer-keys keyset public k -o k.pub
            echo '{"plaintext":"hunter2"}' | closer-keys keybox seal --to-file k.pub --context x --jsonl > boxes
            for output in "" "-o /dev/tty"; do
                script -qec "closer-keys keybox open --keyset-file k --context x --jsonl boxes $output; echo exit \\$?" /dev/null
            done
            """)
        #expect(
            run.text.components(separatedBy: "exit 7").count == 3 && !run.text.contains("hunter2"),
            "\(run.text)")
    }

    @Test("with a key in a file, no vault is read and nothing is stored")
    func withoutVault() throws {
        let program = try ClosingProgram()
        let run = try program.script(
            """
            export CLOSER_KEYS_VAULT=$PWD/vault
            closer-keys keyset new --type aes256-gcm -o k
            printf text | closer-keys field seal --keyset-file k --couple c > token
            mkfifo vault
            closer-keys field open --keyset-file k --couple c token
            closer-keys field open --couple c token || printf ' %s' $?
            """)
        #expect(run.text == "text 74")
        #expect(try program.files() == ["k", "token", "vault"])
    }

    @Test(
        "no option takes a passphrase, a phrase, a code or a private key itself, only where it is",
        .proves("A secret is written only where it belongs"))
    func arguments() throws {
        let help = try JSONValue(parsing: ClosingProgram()("--experimental-dump-help").output.dropLast())
        let secret = optionNames(in: help).filter { $0.contains(/phrase|code|private|keyset|secret/) }
        #expect(secret.isSuperset(of: ["passphrase-file", "phrase-file", "code-file", "private-key-file"]))
        for name in secret { #expect(name.hasSuffix("-file") || name.hasSuffix("-command"), "\(name)") }
    }

    /// The names of all options in what the program says of itself that take a value.
    private func optionNames(in value: JSONValue) -> Set<String> {
        let isFlag = value["kind"]?.string == "flag"
        let names = isFlag ? [] : (value["names"]?.array ?? []).compactMap { $0["name"]?.string }
        let inner = (value.members ?? []).map(\.value) + (value.array ?? [])
        return inner.reduce(into: Set(names)) { $0.formUnion(optionNames(in: $1)) }
    }

    @Test("an open descriptor counts as its file")
    func descriptor() throws {
        let run = try program.script(
            """
            set +e
            closer-keys device export --vault a.db --export-passphrase-file /dev/fd/3 -o pass --force 3< pass
            echo $?; cat pass
            """)
        #expect(run.text == "7\nthree words more")
    }

    @Test(
        "no key file and no output takes the place of the vault or of its lock",
        arguments: ["a.db", "a.db.lock"])
    func sideFiles(_ name: String) throws {
        // One that is there has not the 32 bytes of a key file.
        #expect(try program("device passphrase --vault a.db --new-key-file \(name)").exit == 5)
        #expect(try program("couple show --vault a.db --couple c -o \(name) --force").exit == 7)
        let new = name.replacing("a.db", with: "n.db")
        #expect(try program("device init --vault n.db --user u --key-file \(new)").exit == 7)
        #expect(try program.files().filter { $0.hasPrefix("n.") } == [])
        #expect(try program("couple show --vault a.db --couple c").exit == 0)
    }
}
