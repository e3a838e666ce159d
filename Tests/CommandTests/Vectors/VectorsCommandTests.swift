import Foundation
import Testing

@Suite("Reports of vectors, read by others")
struct VectorsCommandTests {
    private let program: ClosingProgram

    init() async throws { program = try await ClosingProgram(after: Script(named: "Vectors/verify")) }

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
}
