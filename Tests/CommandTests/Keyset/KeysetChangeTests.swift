import CloserWire
import Foundation
import Testing

/// A keyset changes in one command, into another file or in its own.
@Suite("keyset: rotate, enable, disable, remove")
struct KeysetChangeTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let run = try program.script(
            """
            closer-keys keyset new --type aes256-gcm -o k
            printf before | closer-keys field seal --keyset-file k --couple c > before
            """)
        try #require(run.exit == 0, "\(run.errors)")
    }

    /// What `keyset list` prints of each key, in order, without its id.
    private func keys(_ file: String) throws -> [String] {
        let lines = try program("keyset list \(file)").text.split(separator: "\n")
        return lines.map { $0.split(separator: "  ").dropFirst().joined(separator: " ") }
    }

    private func ids(_ file: String) throws -> [String] {
        try program("keyset list \(file)").text.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }

    @Test("one command makes a new primary, and what was sealed before still opens")
    func rotate() throws {
        let run = try program.script(
            """
            closer-keys keyset rotate k -o r
            printf after | closer-keys field seal --keyset-file r --couple c > after
            closer-keys field open --keyset-file r --couple c before
            closer-keys field open --keyset-file r --couple c after
            closer-keys field open --keyset-file k --couple c after || echo " $?"
            """)
        #expect(run.text == "beforeafter 4\n", "\(run.errors)")
        #expect(try keys("r") == ["aes256-gcm enabled tink", "aes256-gcm enabled tink primary"])
        #expect(try keys("k") == ["aes256-gcm enabled tink primary"])
    }

    @Test("a disabled key is enabled again, and a removed one is gone")
    func enable() throws {
        let run = try program.script(
            """
            OLD=$(closer-keys keyset list k | cut -d ' ' -f 1)
            closer-keys keyset rotate k -o r
            closer-keys keyset disable r --key-id "$OLD" -o d
            closer-keys field open --keyset-file d --couple c before 2>&- || echo $?
            closer-keys keyset enable d --key-id "$OLD" -o e
            closer-keys field open --keyset-file e --couple c before
            closer-keys keyset remove d --key-id "$OLD" -o g
            closer-keys field open --keyset-file g --couple c before 2>&- || echo " $?"
            cmp r e
            """)
        #expect((run.exit, run.text) == (0, "4\nbefore 4\n"), "\(run.errors)")
        #expect(try keys("g") == ["aes256-gcm enabled tink primary"])
    }

    @Test("each change is made in the keyset's own file, with mode 0600, and prints nothing")
    func inPlace() throws {
        try program.write(try program.content("k"), to: "link-target")
        let run = try program.script(
            """
            ln -s link-target link
            for file in k link; do
                chmod 644 "$file"
                OLD=$(closer-keys keyset list "$file" 2>&- | cut -d ' ' -f 1)
                closer-keys keyset rotate --in-place "$file" 2>&-
                closer-keys keyset disable --in-place "$file" --key-id "$OLD"
                closer-keys keyset enable "$file" --key-id "$OLD" --in-place
                closer-keys keyset promote "$file" --key-id "$OLD" --in-place
                closer-keys keyset add --in-place "$file"
                NEW=$(closer-keys keyset list "$file" | tail -n 1 | cut -d ' ' -f 1)
                closer-keys keyset remove "$file" --key-id "$NEW" --in-place
                stat -c '%a %F' "$file"
                closer-keys field open --keyset-file "$file" --couple c before && echo
            done
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(run.text == "600 regular file\nbefore\n777 symbolic link\nbefore\n")
        #expect(run.errors == "")
        let both = ["aes256-gcm enabled tink primary", "aes256-gcm enabled tink"]
        #expect(try keys("k") == both && keys("link-target") == both)
        #expect(try program.files().allSatisfy { !$0.contains(".tmp") })
    }

    @Test("in place, the form stays, or is the one that is asked for; --json describes the new keyset")
    func form() throws {
        let run = try program.script(
            """
            closer-keys keyset convert k --format json -o j
            closer-keys keyset rotate --in-place j
            closer-keys keyset rotate --in-place k --format json --json
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try program.content("j").starts(with: Data("{\"primaryKeyId\":".utf8)))
        #expect(try program.content("k").starts(with: Data("{\"primaryKeyId\":".utf8)))
        let described = try JSONValue(parsing: run.output.dropLast())
        #expect(described["output"]?.string == "k")
        #expect(try ids("k").last.flatMap(Double.init) == described["primaryKeyId"]?.number)
        #expect(!run.text.contains("keyData"))
    }

    @Test(
        "what is refused leaves the file as it was",
        arguments: [
            ("rotate --in-place -", 64, "--in-place needs a file"),
            ("rotate --in-place /dev/stdin", 64, "--in-place needs a file"),
            ("rotate --in-place fifo", 64, "--in-place needs a file"),
            ("rotate --in-place k -o other", 64, "use either --in-place or -o"),
            ("add --in-place k -o -", 64, "use either --in-place or -o"),
            ("rotate --in-place missing", 66, "cannot read missing: no such file or directory"),
            ("rotate k -o k --force", 7, "k is in use by this same command"),
            ("enable --in-place k --key-id 0", 4, "no key has the id 0"),
            ("remove --in-place k --key-id 0", 4, "no key has the id 0"),
            ("remove --in-place k --key-id PRIMARY", 8, "key PRIMARY is the primary"),
            ("disable --in-place k --key-id PRIMARY", 8, "key PRIMARY is the primary"),
            ("rotate --in-place before", 5, "this is a field token, not a keyset"),
            ("rotate public.json -o other", 5, "this needs ecies-p256 private keys"),
        ])
    func refused(_ arguments: String, _ exit: Int32, _ message: String) throws {
        let made = try program.script(
            """
            mkfifo fifo
            closer-keys keyset new --type ecies-p256 -o e
            closer-keys keyset public e --format json > public.json
            """)
        try #require(made.exit == 0, "\(made.errors)")
        let (before, files) = (try program.content("k"), try program.files())
        let primary = try #require(try ids("k").first)
        let run = try program("keyset \(arguments.replacing("PRIMARY", with: primary))")
        #expect(run.exit == exit)
        let words = message.replacing("PRIMARY", with: primary)
        #expect(run.errors.hasPrefix("closer-keys: error: \(words)"), "\(run.errors)")
        #expect(try program.content("k") == before)
        #expect(try program.files() == files)
    }

    @Test("a destroyed key is not enabled, and can be removed")
    func destroyed() throws {
        let run = try program.script(
            """
            closer-keys keyset convert k --format json |
                sed 's/]}/,{"status":"DESTROYED","keyId":7,"outputPrefixType":"RAW"}]}/' > d.json
            closer-keys keyset remove d.json --key-id 7 | closer-keys keyset list -
            closer-keys keyset enable d.json --key-id 7 || exit $?
            """)
        #expect(run.exit == 4 && run.text.filter(\.isNewline).count == 1, "\(run.text)")
        #expect(run.errors.contains("key 7 is destroyed"), "\(run.errors)")
    }

    @Test("eight rotations of one file at once: each new key is there")
    func crowd() throws {
        let crowd = try (1...8).map { _ in try program.start("keyset rotate --in-place k", input: "") }
        #expect(try crowd.map { try $0.wait().exit } == Array(repeating: 0, count: 8))
        #expect(try keys("k").count == 9)
        let run = try program("field open --keyset-file k --couple c before")
        #expect(run.text == "before")
    }

    @Test(
        "an id is given in decimal, or as Java prints it",
        arguments: [
            ("--key-id 3015563227", 0), ("--key-id=-1279404069", 0), ("--key-id -1279404069", 0),
            ("--key-id=-1279404068", 4), ("--key-id=1279404069", 4), ("--key-id 0xB3BDD7DB", 64),
            ("--key-id 4294967296", 64), ("--key-id=-2147483649", 64), ("--key-id=+3015563227", 64),
            ("--key-id=-", 64), ("--key-id=", 64),
        ])
    func ids(_ option: String, _ exit: Int32) throws {
        let run = try program.script(
            """
            closer-keys keyset convert k --format json | sed -E 's/(d":)[0-9]+/\\13015563227/g' > j
            closer-keys keyset add --in-place j
            closer-keys keyset promote j \(option) --in-place || exit $?
            """)
        #expect(run.exit == exit, "\(run.errors)")
        #expect(try ids("j").first == "3015563227")
    }
}
