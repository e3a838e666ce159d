import CloserKeys
import CloserWire
import Foundation
import TestSupport
import Testing

/// Figures that pages say of the program, counted in the program.
@Suite("Figures on pages are those of the program")
struct FigureTests {
    private static let words = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen",
    ]

    /// Every page of the repository, by its path.
    private static let pages = Result {
        var pages = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "vectors/README.md"]
        for folder in ["docs", "man", "Sources"] {
            let names = FileManager.default.enumerator(atPath: TestData.root.appending(path: folder).path())
            pages += (names?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
                .filter {
                    $0.hasSuffix(".md") || $0.hasPrefix("man/") && ($0.hasSuffix(".1") || $0.hasSuffix(".7"))
                }
        }
        return try pages.map { path in
            (path, try String(contentsOf: TestData.root.appending(path: path), encoding: .utf8))
        }
    }

    /// The figures in the first group of a pattern, each with its page; at least one.
    private func figures(_ pattern: Regex<(Substring, Substring)>) throws -> [(page: String, figure: String)]
    {
        let found = try Self.pages.get().flatMap { page, text in
            text.matches(of: pattern).map { (page, String($0.1)) }
        }
        try #require(!found.isEmpty)
        return found
    }

    @Test("test cases")
    func cases() throws {
        let json = try JSONValue(parsing: ClosingProgram()("vectors export --json").output.dropLast())
        let files = try #require(json["files"]?.elements)
        let count = files.compactMap { $0["cases"]?.number }.reduce(0, +)
        let spelled = "\(Int(count) / 1000),\(String(format: "%03d", Int(count) % 1000))"
        for (page, figure) in try figures(/(\d,\d{3}) (?:test )?cases/) {
            #expect(figure == spelled, "\(page)")
        }
    }

    @Test("adapters to copy")
    func adapters() throws {
        let folder = TestData.root.appending(path: "vectors/adapters").path()
        let count = try FileManager.default.contentsOfDirectory(atPath: folder).count
        for (page, figure) in try figures(/\b([Ff]our|[Ff]ive|[Ss]ix|[Ss]even) (?:adapters|to copy)/) {
            #expect(figure.lowercased() == Self.words[count - 1], "\(page)")
        }
    }

    @Test("kinds of documents")
    func kinds() throws {
        for (page, figure) in try figures(/the (\w+) kinds:/) {
            #expect(figure == Self.words[DocumentKind.allCases.count - 1], "\(page)")
        }
    }

    @Test("threats")
    func threats() throws {
        let model = try String(
            contentsOf: TestData.root.appending(path: "docs/threat-model.md"), encoding: .utf8)
        let count = model.matches(of: #/(?m)^### W\d+: /#).count
        for (page, figure) in try figures(/(\d+) threats/) { #expect(figure == "\(count)", "\(page)") }
    }

    @Test("exceptions to locked memory")
    func exceptions() throws {
        let model = try String(
            contentsOf: TestData.root.appending(path: "docs/threat-model.md"), encoding: .utf8)
        let section = try #require(
            model.components(separatedBy: "\n## Secrets in memory\n").last?.components(separatedBy: "\n## ")
                .first)
        let count = section.matches(of: /(?m)^- \*\*/).count
        for (page, figure) in try figures(/(?:with|are) \[?(two|three|four|five|six)\s+exceptions/) {
            #expect(figure == Self.words[count - 1], "\(page)")
        }
    }
}
