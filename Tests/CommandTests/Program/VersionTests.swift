import Foundation
import TestSupport
import Testing

/// The version is a constant of the program. Pages that name it are compared with CHANGELOG.md, and so is the program.
@Suite("The version")
struct VersionTests {
    /// What is behind `## `, from top to bottom.
    private let sections: [Substring]
    /// The number of the newest section, as in `0.3.0 (unreleased)` or `0.2.0 (2026-11-22)`.
    private let newest: Substring
    /// What the program says: a version that is unreleased ends in `-dev`.
    private var printed: String { sections[0].hasSuffix("(unreleased)") ? "\(newest)-dev" : String(newest) }

    init() throws {
        sections = try Self.text("CHANGELOG.md").matches(of: /(?m)^## (.+)$/).map(\.output.1)
        newest = try #require(sections.lazy.compactMap(Self.number).first)
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestData.root.appending(path: path), encoding: .utf8)
    }

    private static func number(of section: Substring) -> Substring? {
        section.wholeMatch(of: /(\d+\.\d+\.\d+) \((?:\d{4}-\d{2}-\d{2}|unreleased)\)/)?.1
    }

    @Test("the program has that of CHANGELOG.md's newest section")
    func program() throws {
        let program = try ClosingProgram()
        #expect(try program("--version").text == "closer-keys \(printed)\n")
        #expect(try program("version").text.hasPrefix("closer-keys \(printed)\n"))
    }

    @Test("what is read and what installs it name the same")
    func pages() throws {
        let minor = newest.split(separator: ".").prefix(2).joined(separator: ".")
        let readme = try Self.text("README.md")
        #expect(readme.contains("State: \(minor), ") && readme.contains("from: \"\(newest)\""))
        let article = try Self.text("Sources/CloserVault/Documentation.docc/AddItToYourApp.md")
        #expect(article.contains("from: \"\(newest)\"") && article.contains("from \(newest)."))
        #expect(try Self.text("packaging/homebrew/closer-keys.rb").contains("tag: \"\(newest)\""))
    }

    @Test("only the first section is unreleased, and each version stands above the ones before it")
    func order() {
        #expect(sections.dropFirst().allSatisfy { !$0.hasSuffix("(unreleased)") })
        let numbers = sections.map(Self.number)
        #expect(numbers.allSatisfy { $0 != nil })
        let versions = numbers.compactMap { $0?.split(separator: ".").compactMap { Int($0) } }
        for (newer, older) in zip(versions, versions.dropFirst()) {
            #expect(older.lexicographicallyPrecedes(newer))
        }
    }
}
