import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("Input, output, terminals")
struct OutputCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try #require(try program("keyset new --type aes256-gcm -o k").exit == 0)
        try #require(try program("keyset new --type ecies-p256 -o e").exit == 0)
    }

    @Test(
        "plaintexts are verbatim: no byte trimmed, none added",
        arguments: ["", "\n", " text \r\n\r\n", "\u{0}\u{1}", "❤"])
    func verbatim(_ text: String) throws {
        let token = try program("field seal --keyset-file k --couple c", input: text)
        #expect(token.text.hasPrefix("enc:v1:") && token.text.hasSuffix("\n"))
        #expect(
            try program("field open --keyset-file k --couple c", input: token.text).output == Data(text.utf8))
    }

    @Test(
        "-o writes the result with mode 0600, and --json describes it without repeating it",
        .proves("`--json` prints exactly one object"))
    func outputAndJSON() throws {
        let run = try program("field seal --keyset-file k --couple c -o token --json", input: "text")
        let object = try JSONValue(parsing: run.output.dropLast())
        #expect(object.members?.map(\.name) == ["keyId", "output"])
        #expect(try String(decoding: program.content("token"), as: UTF8.self).hasPrefix("enc:v1:"))
        let mode = try FileManager.default.attributesOfItem(
            atPath: program.folder.appending(path: "token").path())
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "no vault and no key file that this machine remembers is replaced by an output, whatever name leads there",
        .proves(
            "`-o` writes a file whole or leaves it alone, with mode 0600, and replaces only with `--force`")
    )
    func outputOverVault() throws {
        let run = try program.script(
            """
            mkdir v; closer-keys device init --vault v/a.db --user alice --key-file a.key > log
            ln -s v backups; ln -s . here; ln -s v/a.db link; cp v/a.db copy; echo some plain text > plain
            cksum v/a.db a.key copy > before
            for output in v/a.db backups/a.db "$PWD/v/a.db" link copy a.key here/a.key; do
                closer-keys keyset new --type aes256-gcm --force -o $output || echo $?
            done
            closer-keys device export --vault v/a.db --export-passphrase-file plain --force -o v/a.db || echo $?
            cksum v/a.db a.key copy | cmp - before
            closer-keys keyset new --type aes256-gcm --force -o plain; closer-keys keyset list plain | wc -l
            """)
        #expect(
            run.exit == 0 && run.text == String(repeating: "7\n", count: 8) + "1\n",
            "\(run.text) \(run.errors)")
        #expect(run.errors.components(separatedBy: "closer-keys: hint: ").count == 9, "\(run.errors)")
    }

    @Test(
        "a warning that cannot be written ends nothing: the result is there, and the change is made",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func unwrittenWarning() async throws {
        let run = try await CoupleScene().run(
            """
            changes() { closer-keys device show --vault b.db --json | jq .changes; }
            before=$(changes); release b alice a alice.json --json 2> /dev/full | jq -c keys
            echo $(($(changes) - before)); release b alice a alice.json 2>&1 > /dev/null | grep -c warning:
            """)
        #expect(run.text == "[\"partnerKeyVerified\",\"releaseKey\"]\n1\n1\n", "\(run.text)\(run.errors)")
    }

    @Test("bytes that are no text become base64 in JSON")
    func binaryJSON() throws {
        try program.write(Data([0xFF, 0x00, 0x80]), to: "bytes")
        let token = try program("field seal --keyset-file k --couple c bytes")
        let opened = try program("field open --keyset-file k --couple c --json", input: token.text)
        #expect(try JSONValue(parsing: opened.output.dropLast())["plaintextBase64"]?.string == "/wCA")
    }

    @Test("JSON has no raw control character for a terminal")
    func printableJSON() throws {
        let token = try program("field seal --keyset-file k --couple c", input: "a\u{9b}2J\u{7f}é")
        let opened = try program("field open --keyset-file k --couple c --json", input: token.text)
        #expect(opened.text.hasPrefix("{\"plaintext\":\"a\\u009b2J\\u007fé\","))
    }

    @Test(
        "what a keybox held is a secret: in a file, not in JSON",
        .proves("A secret is written only where it belongs"))
    func keyboxIsSecret() throws {
        let box = try program.script(
            "printf key | closer-keys keybox seal --to-file <(closer-keys keyset public e) --context x")
        let json = try program("keybox open --keyset-file e --context x --json", input: box.text)
        #expect(json.exit == 7)
        let file = try program("keybox open --keyset-file e --context x --json -o key", input: box.text)
        #expect(file.exit == 0)
        #expect(try program.content("key") == Data("key".utf8))
    }

    @Test("keyset forms: JSON and binary are the same keyset")
    func convert() throws {
        #expect(try program("keyset convert k --format json -o k.json").exit == 0)
        #expect(try program("keyset convert k.json --format binary -o k2").exit == 0)
        #expect(try program.content("k") == program.content("k2"))
        let listed = try program("keyset list k.json").text
        #expect(try listed == program("keyset list k").text)
        #expect(try program("keyset add k.json -o k3.json").exit == 0)
        #expect(try program.content("k3.json").first == UInt8(ascii: "{"))
    }

    @Test("a keyset is piped through standard input and output")
    func pipes() throws {
        let run = try program.script(
            """
            closer-keys keyset new --type ecies-p256 --point-format compressed --dem aes256-gcm --salt-hex 0a0b > a
            closer-keys keyset add - < a | closer-keys keyset list -
            closer-keys keyset public a --format binary > pub
            printf key | closer-keys keybox seal --to-file pub --context x --format binary | \
                closer-keys keybox open --keyset-file a --context x
            """)
        #expect(run.exit == 0)
        #expect(run.text.split(separator: "\n").count == 3)
        #expect(run.text.contains("ecies-p256+compressed+aes256-gcm+salt  enabled  tink  primary"))
        #expect(run.text.hasSuffix("\nkey"))
    }

    @Test("a box too short for a token's rules says what to do")
    func shortBox() throws {
        try #require(try program("keyset new --type ecies-p256 --point-format compressed -o c").exit == 0)
        try #require(try program("keyset public c --format binary -o c.pub").exit == 0)
        let run = try program("keybox seal --to-file c.pub --context x", input: "k")
        #expect(run.exit == 5)
        #expect(run.errors.contains("hint: use --format binary"))
    }

    @Test(
        "a terminal gets no key and no binary, unless it is asked for",
        .proves("A secret is written only where it belongs"),
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func terminal() throws {
        try program.write(Data([0x1B, 0x5B, 0x32, 0x4A]), to: "escape")
        let run = try program.script(
            """
            set +e
            closer-keys field seal --keyset-file k --couple c escape -o token
            closer-keys keyset public e -o e.pub
            on_terminal() { script -qec "$1; echo exit \\$?" /dev/null < /dev/null; }
            on_terminal 'closer-keys keyset new --type aes256-gcm'
            on_terminal 'closer-keys keyset convert k --format json'
            on_terminal 'closer-keys field open --keyset-file k --couple c token'
            on_terminal 'closer-keys keybox seal --to-file e.pub --context x --format binary k'
            on_terminal 'closer-keys keyset new --type aes256-gcm -o /dev/tty'
            printf 'a\\xc2\\x9b2J' | closer-keys field seal --keyset-file k --couple c -o c1
            on_terminal 'closer-keys field open --keyset-file k --couple c c1'
            on_terminal 'closer-keys field seal --keyset-file k --couple c escape'
            on_terminal 'closer-keys field open --keyset-file k --couple c token -o -' | tr -d '\\033'
            """)
        let exits = run.text.split(whereSeparator: \.isNewline).compactMap { line in
            line.range(of: "exit ").map { line[$0.upperBound...] }
        }
        #expect(exits == ["7", "7", "7", "7", "7", "7", "0", "0"], "\(run.text)")
        #expect(run.text.contains("hint: name a file with -o"))
    }

    @Test("exit-codes, version and self-test, as lines and as JSON")
    func program_() throws {
        let codes = try program("exit-codes").text.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(
            codes.map { $0[0] } == [
                "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "64", "66", "73", "74", "130", "143",
            ])
        let json = try JSONValue(parsing: program("exit-codes --json").output.dropLast())
        #expect(json["exitCodes"]?.array?.count == codes.count)
        let version = try program("version").text
        #expect(version.prefixMatch(of: /closer-keys \d+\.\d+\.\d+(?:-dev)?\nlibsodium 1\./) != nil)
        #expect(version.hasSuffix(", swift-argument-parser 1.8.2\n"))
        let test = try JSONValue(parsing: program("self-test --json").output.dropLast())
        #expect(test["passed"]?.array?.count == 16)
        #expect(test["memoryIsLocked"] != nil)
    }
}
