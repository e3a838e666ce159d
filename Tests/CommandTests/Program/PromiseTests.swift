import Foundation
import TestSupport
import Testing

/// The table in SECURITY.md that names, for each promise, the tests that prove it. A name that no test has proves nothing.
@Suite("Each promise has its proof")
struct PromiseTests {
    private let security: String
    /// The rows of the table, each with what is promised and what proves it.
    private let rows: [(promise: Substring, proofs: Substring)]

    init() throws {
        security = try Self.text("SECURITY.md")
        let section = try #require(
            security.components(separatedBy: "\n## Promises and their proofs\n").last?
                .components(separatedBy: "\n## ").first)
        rows = section.matches(of: /(?m)^\| (.+?) \| (.+) \|$/).dropFirst().map { ($0.1, $0.2) }
            .filter { $0.promise != "---" }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestData.root.appending(path: path), encoding: .utf8)
    }

    /// Whether a proof exists: `make check-NAME`, or `MODULE/FILE: the test's name`.
    private func exists(_ proof: Substring) throws -> Bool {
        if let name = proof.wholeMatch(of: /make check-([a-z-]+)/)?.1 {
            let path = TestData.root.appending(path: "scripts/checks.d/\(name)").path()
            return FileManager.default.isExecutableFile(atPath: path)
        }
        guard let test = proof.wholeMatch(of: /(\w+)\/(\w+): (.+)/) else { return false }
        let folder = TestData.root.appending(path: "Tests/\(test.1)")
        let files = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        let paths = files.filter {
            !$0.hasPrefix(".build") && ($0 as NSString).lastPathComponent == "\(test.2).swift"
        }
        guard paths.count == 1 else { return false }
        let source = try String(contentsOf: folder.appending(path: paths[0]), encoding: .utf8)
        return source.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/).contains {
            $0.1.replacing("\\\"", with: "\"") == test.3
        }
    }

    @Test("each proof that the table names is there, and each row names one")
    func proofs() throws {
        #expect(rows.count >= 60)
        for row in rows {
            let proofs = row.proofs.matches(of: /`([^`]+)`/).map(\.1)
            #expect(!proofs.isEmpty, "\(row.promise)")
            for proof in proofs { #expect(try exists(proof), "\(row.promise): \(proof)") }
        }
    }

    @Test("each proof of the vault's six sentences is there, and each sentence but the fifth has one")
    func sentences() throws {
        let section = try #require(
            security.components(separatedBy: "\n## The vault\n").last?.components(separatedBy: "\n## ").first)
        let sentences = section.split(separator: #/\n[1-6]\. /#).dropFirst()
        #expect(sentences.count == 6)
        for (number, sentence) in zip(1..., sentences) {
            let proofs = sentence.matches(of: #/   - `([^`]+: [^`]+)`/#).map(\.1)
            // The fourth refers to the first, and the fifth promises nothing.
            #expect(!proofs.isEmpty || [4, 5].contains(number), "\(number)")
            for proof in proofs { #expect(try exists(proof), "\(number): \(proof)") }
        }
    }

    @Test("the table is whole: each of its lines is a row, and no promise is there twice")
    func table() throws {
        let table = try #require(security.components(separatedBy: "\n| promise | proof |\n").last)
        let lines = table.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        #expect(lines.count == rows.count + 1)
        for line in lines { #expect(line.hasPrefix("| ") && line.hasSuffix(" |"), "\(line)") }
        #expect(Set(rows.map(\.promise)).count == rows.count)
    }

    @Test(
        "a name that no test has is noticed",
        arguments: [
            "CloserVaultTests/RevealTests: nobody is shown an answer before giving two",
            "CloserVaultTests/RevealTest: nobody is shown an answer before giving one",
            "CloserWireTests/RevealTests: nobody is shown an answer before giving one",
            "CloserVaultTests/RevealTests: nobody is shown an answer", "make check-promises", "a test",
        ])
    func planted(_ proof: String) throws {
        #expect(try exists("CloserVaultTests/RevealTests: nobody is shown an answer before giving one"))
        #expect(try exists("make check-fuzz"))
        #expect(try !exists(proof[...]))
    }

    @Test("the README counts as many exceptions to locked memory as there are")
    func exceptions() throws {
        let section = try #require(
            security.components(separatedBy: "\n## Secrets in memory\n").last?
                .components(separatedBy: "\n## ").first)
        let count = try #require(section.firstMatch(of: /There are (\w+) exceptions:/)?.1)
        let exceptions = section.matches(of: /(?m)^- \*\*/).count
        #expect(["one", "two", "three", "four", "five"].firstIndex(of: count) == exceptions - 1)
        #expect(try Self.text("README.md").contains("[\(count) exceptions](SECURITY.md#secrets-in-memory)"))
    }

    @Test("each threat against which something is done today has a row")
    func threats() {
        let threats = security.matches(of: /### (W\d+): [^\n]*\n(?s:(.*?))\*\*Today:\*\* (\S+)/)
        #expect(threats.count == 22)
        let named = rows.flatMap { $0.promise.matches(of: /\bW\d+\b/).map(\.0) }
        for threat in threats where !threat.3.hasPrefix("nothing") {
            #expect(named.contains(threat.1), "\(threat.1)")
        }
    }
}
