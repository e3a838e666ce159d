import CloserWire
import Foundation
import TestSupport
import Testing

/// `vectors live`: fresh cases with another program.
@Suite("vectors live")
struct VectorsLiveTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.writeAdapterScript(features: #""field.seal","canonical","base64.decode""#)
    }

    @Test("asked is what the program has of what can be made, as often as it is told")
    func asked() throws {
        let run = try program("vectors live --count 7 --json -- sh child.sh \"error\":\"malformed\"")
        #expect(run.exit == 1)
        #expect(run.errors == "closer-keys: error: 14 of 14 cases failed\n")
        let report = try JSONValue(parsing: run.output)
        let files = try #require(report["files"]?.array)
        #expect(files.map { $0["file"]?.string } == ["field.seal", "canonical"])
        #expect(files.map { $0["failed"]?.number } == [7, 7])
        #expect(files.allSatisfy { $0["algorithm"] == nil })
        let absent = report["absentOperations"]?.array?.compactMap(\.string)
        #expect(absent?.count == 31)
        #expect(absent?.first == "aead.open" && absent?.contains("field.seal") == false)
        let lines = try program("vectors live --count 7 -- sh child.sh \"error\":\"malformed\"").text.split(
            separator: "\n")
        #expect(
            lines.dropLast().last?.hasPrefix(
                "Your program does not have, and was not asked for: aead.open, field.open, ") == true)
        let named = try program(
            "vectors live --count 7 --json canonical -- sh child.sh \"error\":\"malformed\"")
        #expect(try JSONValue(parsing: named.output)["absentOperations"] == nil)
    }

    @Test("an operation that is named twice is asked once, in the order in which they are named")
    func once() throws {
        let run = try program(
            "vectors live --count 3 canonical field.seal canonical -- sh child.sh \"skip\":\"none\"")
        #expect(run.text.hasSuffix("\n6 cases in 2 operations: 0 passed, 6 skipped (0.0 % answered)\n"))
        #expect(run.text.hasPrefix("canonical: "))
    }

    @Test("a failure has its whole case, and what came instead")
    func failure() throws {
        let output = #"{"token":"enc:v1:AAAA"}"#
        let run = try program("vectors live --count 2 --json field.seal -- sh child.sh \"output\":\(output)")
        #expect(run.exit == 1)
        let failure = try #require(try JSONValue(parsing: run.output)["failures"]?.array?.first)
        #expect(failure["got"]?.string == "read back: error malformed: \(output)")
        #expect(failure["readBack"]?["op"]?.string == "field.open")
        #expect(failure["readBack"]?["case"]?.members?.map(\.name) == ["coupleId", "keyset", "token"])
        #expect(failure["expected"]?.string?.hasPrefix(#"what we read as {"plaintext":""#) == true)
        #expect(failure["case"]?.members?.map(\.name) == ["coupleId", "keyset", "plaintext"])
    }

    @Test("passing over everything, and having nothing, is too little", arguments: ["", "wrap.wrap"])
    func tooLittle(_ operation: String) throws {
        let run = try program("vectors live --count 2 \(operation) -- sh child.sh \"skip\":\"none\"")
        #expect(run.exit == 1)
        let reason =
            operation.isEmpty
            ? " cases (0.0 %) were answered, expected 1 percent\n" : " were not answered: wrap.wrap\n"
        #expect(run.errors.hasSuffix(reason))
        let nothing = #"echo '{"seq":0,"features":[]}'; cat > /dev/null"#
        let none = try program.run(
            ["vectors", "live", "--format", "markdown", "--", "sh", "-c", nothing], input: Data())
        #expect(none.exit == 1)
        #expect(
            none.text.hasPrefix(
                "## Live cases: too few answered\n\n0 of 2908 cases (0.0 %) were answered, expected 1 percent\n\nYour program does not have, and was not asked for: `aead.open`, `field.open`, "
            )
        )
    }

    @Test("wrong arguments have their exit code")
    func refused() throws {
        let bare = try program("vectors live field.seal node adapter.mjs")
        #expect(bare.exit == 64)
        #expect(bare.errors.hasSuffix("as in closer-keys vectors live -- node adapter.mjs\n"))
        #expect(try program("vectors live --count 0 -- true").exit == 64)
        #expect(try program("vectors live --count 100001 -- true").exit == 64)
        let unknown = try program("vectors live field.sael -- true")
        #expect(unknown.exit == 64)
        #expect(
            unknown.errors == """
                closer-keys: error: no operation 'field.sael' has live cases
                closer-keys: hint: did you mean field.seal?

                """)
        #expect(
            try program("vectors live field.x -- true").errors.contains(
                "hint: there are field.open, field.seal"))
        #expect(try program("vectors live fields -- true").errors.hasSuffix("hint: did you mean field?\n"))
        #expect(try program("vectors live kdfParams -- true").errors.contains("hint: there are aead.open, "))
        #expect(try program("vectors live -- /no/such/program").exit == 66)
    }

    @Test(
        "what WebCrypto in Node seals is read, and what it reads is ours",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/node")),
        arguments: ["adapter.mjs", "sealer.mjs"])
    func webCrypto(_ name: String) throws {
        let adapter = TestData.root.appending(path: "vectors/adapters/node-webcrypto/\(name)").path()
        let run = try program("vectors live --count 40 --min-coverage 95 -- /usr/bin/node \(adapter)")
        #expect(run.exit == 0, "\(run.text)\(run.errors)")
    }
}
