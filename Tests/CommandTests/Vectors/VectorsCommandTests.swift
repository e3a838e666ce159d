import CloserWire
import Foundation
import TestSupport
import Testing

/// `vectors list`, `verify` and `export`, as scripts see them.
@Suite("vectors")
struct VectorsCommandTests {
    private let program: ClosingProgram

    /// Three cases: one passes, one fails, one is skipped. Their comments are written to break a report.
    private static let mixed = #"""
        {"algorithm": "HMACSHA256", "schema": "mac_test_schema_v1.json", "numberOfTests": 3, "notes": {}, "testGroups": [
         {"type": "MacTest", "keySize": 32, "tagSize": 256, "tests": [
          {"tcId": 1, "comment": "RFC 4231 §4.3 <&\"'>]]> | # \\ `x`", "flags": [], "key": "4a656665",
           "msg": "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
           "tag": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", "result": "valid"},
          {"tcId": 2, "comment": "called \u001b[31mvalid\u0007 # SKIP <&\"'>]]> | \\ `x`\uffff", "flags": [], "key": "4a656665",
           "msg": "", "tag": "00", "result": "valid"}]},
         {"type": "MacTest", "keySize": 32, "tagSize": 128, "tests": [
          {"tcId": 3, "comment": "cut", "flags": [], "key": "4a656665", "msg": "", "tag": "00", "result": "invalid"}]}]}
        """#

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(Self.mixed.utf8), to: "mixed.json")
    }

    @Test("verify passes every vector in the program")
    func verify() throws {
        let run = try program("vectors verify")
        #expect(run.exit == 0, "\(run.text)")
        #expect(run.text.hasSuffix("\n4646 cases in 27 files: 4646 passed\n"))
        #expect(run.errors.isEmpty)
    }

    @Test("a failure comes first, with what was expected and what came, and is exit 1")
    func text() throws {
        let run = try program("vectors verify mixed.json")
        #expect(run.exit == 1)
        #expect(run.errors == "closer-keys: error: 1 of 3 cases failed\n")
        let lines = run.text.split(separator: "\n")
        try #require(lines.count == 5)
        #expect(lines[0].hasPrefix("FAILED mixed.json 2, wycheproof.mac: called \u{FFFD}[31mvalid\u{FFFD} #"))
        #expect(lines[1] == #"  expected: {"tag":"00"}"#)
        #expect(lines[2] == "  got:      error authFailed")
        #expect(lines[3] == "mixed.json: 1 passed, 1 failed, 1 skipped (tagSize 128: 1)")
        #expect(lines[4] == "3 cases in 1 file: 1 passed, 1 failed, 1 skipped (66.6 % answered)")
    }

    @Test("TAP has a plan and a line for each case, and no comment becomes a directive")
    func tap() throws {
        let run = try program("vectors verify --format tap mixed.json")
        #expect(run.exit == 1)
        let lines = run.text.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["TAP version 13", "1..3"])
        #expect(lines.filter { $0.hasPrefix("ok ") }.count == 2)
        #expect(lines.filter { $0.hasPrefix("not ok ") }.count == 1)
        #expect(
            lines.filter { $0.firstMatch(of: /[^\\]# SKIP/) != nil } == [
                "ok 3 - mixed.json 3: cut # SKIP tagSize 128"
            ])
        #expect(lines.contains(#"  expected: "{\"tag\":\"00\"}""#))
        let all = try program("vectors verify --format tap").text.split(separator: "\n")
        #expect(all.dropFirst().first == "1..4646")
        #expect(all.filter { $0.hasPrefix("ok ") }.count == 4646)
    }

    @Test(
        "the TAP that we write is read by Perl's own harness, that of Debian 12, too",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/prove")))
    func prove() throws {
        let run = try program.script(
            """
            closer-keys vectors verify --format tap kdf_params.json | prove -e cat /dev/stdin
            closer-keys vectors verify --format tap mixed.json 2> errors | prove -e cat /dev/stdin > failed || true
            grep -e '^  Failed test' -e '^Parse errors' failed
            """)
        #expect(run.text.contains("\nResult: PASS\n"), "\(run.text)\(run.errors)")
        #expect(run.text.hasSuffix("\n  Failed test:  2\n"))
    }

    @Test("JUnit is XML that a parser reads, with the counts in it")
    func junit() throws {
        let run = try program.script(
            """
            closer-keys vectors verify --format junit mixed.json -o report.xml 2> errors.txt || echo "exit $?"
            $(command -v /usr/bin/python3 || command -v python3) - <<'END'
            import xml.etree.ElementTree as tree
            root = tree.parse("report.xml").getroot()
            suite = root[0]
            print(root.tag, root.get("tests"), root.get("failures"), root.get("skipped"), len(suite))
            print(suite.get("name"), [case.get("classname") for case in suite])
            print(suite[1].find("failure").text.splitlines()[0], suite[2].find("skipped").get("message"))
            print(suite[0].get("name"))
            times = [float(part.get("time")) for part in [root, suite, *suite]]
            print(times[0] == times[1] > 0, abs(times[1] - sum(times[2:])) < 1e-5, min(times[2:]) >= 0)
            END
            """)
        #expect(
            run.text == """
                exit 1
                testsuites 3 1 1 3
                mixed.json ['mixed.json', 'mixed.json', 'mixed.json']
                expected: {"tag":"00"} tagSize 128
                1: RFC 4231 §4.3 <&"'>]]> | # \\ `x`
                True True True

                """, "\(run.errors)")
    }

    @Test("Markdown is a table in which no comment becomes a cell or a code span")
    func markdown() throws {
        let run = try program("vectors verify --format markdown mixed.json")
        #expect(run.exit == 1)
        let lines = run.text.split(separator: "\n")
        #expect(lines.first == "## Vectors: failed")
        let row = try #require(lines.first { $0.hasPrefix("| `mixed.json` 2 |") })
        #expect(row.replacing("\\|", with: "").filter { $0 == "|" }.count == 6)
        #expect(lines.contains("| `mixed.json` | 1 | 1 | 1 (tagSize 128\\: 1) |"))
        let odd = try program.script(
            "cp mixed.json 'a`b|.json'; closer-keys vectors verify --format markdown 'a`b|.json' || true")
        #expect(odd.text.contains("\n| a\\`b\\|\\.json | 1 | 1 | 1 ("))
        #expect(try program("vectors verify --format markdown").text.hasPrefix("## Vectors: passed\n"))
    }

    @Test("JSON is one object, the same with --json and with --format json")
    func json() throws {
        let run = try program("vectors verify --json mixed.json")
        #expect(run.exit == 1)
        #expect(try program("vectors verify --format json mixed.json").output == run.output)
        let report = try JSONValue(parsing: run.output)
        #expect(["cases", "passed", "failed", "skipped"].map { report[$0]?.number } == [3, 1, 1, 1])
        #expect(report["verdict"]?.string == "vectorMismatch")
        let failure = try #require(report["failures"]?.array?.first)
        #expect(failure["tcId"]?.number == 2)
        #expect(failure["expected"]?.string == #"{"tag":"00"}"#)
        #expect(failure["got"]?.string == "error authFailed")
        #expect(try program("vectors verify --json --format tap mixed.json").exit == 64)
    }

    @Test("a file that is none stops the run before any case")
    func malformed() throws {
        try program.write(
            Data(Self.mixed.replacing(#""numberOfTests": 3"#, with: #""numberOfTests": 4"#).utf8),
            to: "count.json")
        let run = try program("vectors verify mixed.json count.json --json")
        #expect(run.exit == 5)
        #expect(try JSONValue(parsing: run.output)["error"]?["code"]?.string == "malformed")
        #expect(run.errors.hasPrefix("closer-keys: error: count.json: numberOfTests is 4, and it has 3\n"))
        #expect(try program("vectors verify --format yaml").exit == 64)
        #expect(try program("vectors verify -", input: "{}").exit == 5)
        #expect(try program("vectors verify -", input: Self.mixed).exit == 1)
        #expect(try program("vectors").exit == 64)
    }

    @Test("list names each file with its count, algorithm and sources")
    func list() throws {
        let lines = try program("vectors list").text.split(separator: "\n")
        #expect(lines.count == 27)
        #expect(lines.contains("x25519.json\t52\tX25519\tcryptography 50.0.2\tx25519.agree"))
        let files = try #require(
            try JSONValue(parsing: program("vectors list --json").output)["files"]?.array)
        #expect(files.compactMap { $0["cases"]?.number }.reduce(0, +) == 4646)
        let operations = Dictionary(
            uniqueKeysWithValues: files.map {
                ($0["file"]?.string, $0["operations"]?.array?.compactMap(\.string) ?? [])
            })
        #expect(operations["cpace.json"] == ["cpace.generator", "cpace.agree"])
        #expect(operations.values.allSatisfy { !$0.isEmpty })
        #expect(
            try program("vectors list mixed.json").text == "mixed.json\t3\tHMACSHA256\t\twycheproof.mac\n")
        let odd = try program.script(
            #"""
            cp mixed.json "$(printf 'a\tb\n\033[2J.json')"
            closer-keys vectors list a*b*
            """#)
        #expect(odd.text == "a\u{FFFD}b\u{FFFD}\u{FFFD}[2J.json\t3\tHMACSHA256\t\twycheproof.mac\n")
    }

    @Test("the whole report goes into a file beside the one that is shown, and replaces none unasked")
    func jsonFile() throws {
        let shown = try program("vectors verify mixed.json --format markdown --json-file whole.json")
        #expect(shown.exit == 1)
        #expect(shown.text.hasPrefix("## Vectors: failed\n"))
        let whole = try program.content("whole.json")
        #expect(try whole == program("vectors verify mixed.json --json").output)
        #expect(try program("vectors verify mixed.json --json-file whole.json").exit == 7)
        #expect(try program("vectors verify mixed.json --json --json-file whole.json --force").exit == 1)
        #expect(try program.content("whole.json") == whole)
        #expect(try program("vectors verify mixed.json --json-file a.json -o a.json").exit != 1)
        #expect(try program("vectors verify mixed.json --json-file mixed.json --force").exit != 1)
        #expect(try program("vectors verify mixed.json --json-file -").exit == 64)
        #expect(try !program.files().contains("-"))
        let unread = try program.script(
            "set +e; closer-keys vectors verify mixed.json --json-file b.json > /dev/full")
        #expect(unread.exit == 74)
        #expect(try program.content("b.json") == whole)
    }

    @Test("a bare name is a file here, or else one in the program, and refused if it is both")
    func names() throws {
        #expect(try program("vectors verify field.json mixed.json").exit == 1)
        func files(_ names: String) throws -> [Substring?] {
            try program("vectors list \(names)").text.split(separator: "\n").map {
                $0.split(separator: "\t").first
            }
        }
        #expect(try files("field.json x25519 builtin:aead") == ["field.json", "x25519.json", "aead.json"])
        try program.write(Data(Self.mixed.utf8), to: "field.json")
        for verb in ["list field.json", "verify field.json", "run field.json -- true"] {
            let run = try program("vectors \(verb)")
            #expect((run.exit, run.text) == (64, ""))
            #expect(
                run.errors == """
                    closer-keys: error: field.json is a file here, and a file of vectors in this program
                    closer-keys: hint: say which: ./field.json, or builtin:field

                    """)
        }
        #expect(try program("vectors list ./field.json").text.hasPrefix("./field.json\t3\tHMACSHA256\t"))
        #expect(try files("builtin:field field builtin:field.json") == ["field.json"])
        #expect(try program("vectors list field").text.hasPrefix("field.json\t79\t"))
        let mistyped = try program("vectors list builtin:feild")
        #expect(mistyped.exit == 66)
        #expect(mistyped.errors.hasSuffix("\ncloser-keys: hint: did you mean field?\n"))
        for name in ["no-such-file.json", "missing/x25519.json"] {
            let run = try program("vectors verify \(name)")
            #expect(run.exit == 66)
            #expect(
                run.errors == """
                    closer-keys: error: cannot read \(name): no such file or directory
                    closer-keys: hint: closer-keys vectors list shows the names of those in this program

                    """)
        }
    }

    @Test("a file that is missing, and is called nearly as one in the program, gets that one's name")
    func nearName() throws {
        for name in ["./x25519.json", "x2519.json"] {
            let run = try program("vectors verify \(name)")
            #expect((run.exit, run.text) == (66, ""))
            #expect(run.errors.hasSuffix("\ncloser-keys: hint: did you mean x25519.json?\n"))
        }
    }

    @Test("every file of the repository's v1 is one that can be named")
    func folder() throws {
        let folder = TestData.root.appending(path: "vectors/v1").path()
        let run = try program.script("closer-keys vectors list \(folder)/*.json | wc -l")
        #expect(run.text.trimmingCharacters(in: .whitespacesAndNewlines) == "27", "\(run.errors)")
    }

    @Test("a file that is named twice is taken once")
    func once() throws {
        try FileManager.default.createSymbolicLink(
            atPath: program.folder.appending(path: "link.json").path(), withDestinationPath: "mixed.json")
        let names = "mixed.json ./mixed.json field.json link.json field.json"
        let lines = try program("vectors list \(names)").text.split(separator: "\n")
        #expect(lines.map { $0.prefix(10) } == ["mixed.json", "field.json"])
        #expect(try program("vectors list - -", input: Self.mixed).exit == 0)
    }

    @Test("export writes the repository's files, and replaces none unless it is told to")
    func export() throws {
        #expect(try program("vectors export -o out/v1").exit == 0)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: program.folder.appending(path: "out/v1").path())
        #expect(names.count == 27)
        for name in names {
            let file = TestData.root.appending(path: "vectors/v1/\(name)")
            #expect(try program.content("out/v1/\(name)") == Data(contentsOf: file), "\(name)")
        }
        try program.write(Data(), to: "out/v1/field.json")
        try FileManager.default.removeItem(at: program.folder.appending(path: "out/v1/aead.json"))
        let again = try program("vectors export -o out/v1")
        #expect(again.exit == 7)
        #expect(again.errors.contains("out/v1/"))
        #expect(
            !FileManager.default.fileExists(atPath: program.folder.appending(path: "out/v1/aead.json").path())
        )
        #expect(try program("vectors export -o out/v1 --force").exit == 0)
        #expect(try program.script("closer-keys vectors verify out/v1/*.json").exit == 0)
    }

    @Test("export of one file gives it verbatim")
    func exportOne() throws {
        let field = try Data(contentsOf: TestData.root.appending(path: "vectors/v1/field.json"))
        #expect(try program("vectors export field.json").output == field)
        #expect(try program("vectors export field.json -o field.json").exit == 0)
        #expect(try program.content("field.json") == field)
        #expect(try program("vectors export field.json -o field.json").exit == 7)
        #expect(try program("vectors export builtin:field").output == field)
        #expect(try program("vectors export nothing.json").exit == 66)
        #expect(try program("vectors export").exit == 64)
    }

    @Test("a program whose vectors were changed says so, and verifies nothing")
    func changedProgram() throws {
        let run = try program.script(
            """
            LC_ALL=C sed 's/"comment": "code 7KQ2MX"/"comment": "code 7KQ2MY"/' "$(command -v closer-keys)" > changed
            ! cmp -s changed "$(command -v closer-keys)"
            chmod +x changed
            for verb in verify list "run -- true" "export -o folder"; do ./changed vectors $verb || echo "exit $?"; done
            """)
        #expect(run.text == String(repeating: "exit 1\n", count: 4), "\(run.errors)")
        #expect(
            run.errors.hasPrefix("closer-keys: error: the vectors in this program: invite.json was changed\n")
        )
        #expect(try !program.files().contains("folder"))
    }
}
