import Foundation
import TestSupport
import Testing

/// The pages for people: every `sh` block runs, in order and in one shell, and prints what the `text` block behind it shows.
///
/// In a `text` block, `…` stands for any part of a line, and a line that is only `…` for any lines.
@Suite("Pages work as written, and show what comes out")
struct PageTests {
    struct Block {
        let code: Substring
        let shown: Substring?
    }

    static let pages =
        ["README.md"]
        + ["pairing", "answers", "scripting", "legacy-invites", "migration", "ten-things", "mishaps"].map {
            "docs/\($0).md"
        }

    @Test(
        "the page's commands, in order", .proves("The examples of the README and of docs work"),
        arguments: pages)
    func page(_ path: String) throws {
        let text = try String(contentsOf: TestData.root.appending(path: path), encoding: .utf8)
        let blocks = Self.blocks(of: text)
        #expect(blocks.count { $0.shown != nil } >= 2)
        let run = try ClosingProgram().script(Self.script(of: blocks))
        #expect(run.exit == 0, "\(run.text) \(run.errors)")
        let outputs = run.text.components(separatedBy: Self.mark).dropLast()
        #expect(outputs.count == blocks.count)
        for (block, output) in zip(blocks, outputs) {
            guard let shown = block.shown else { continue }
            #expect(Self.isAsShown(output, shown), "\(block.code)printed:\n\(output)")
        }
    }

    @Test(
        "another output than the shown one is noticed",
        arguments: [
            ("ok\n", "ok\n", true), ("ok\n", "no\n", false), ("ok\n", "ok\nok\n", false),
            ("a\nb\n", "a\n", false),
            ("a 1 b\n", "a … b\n", true), ("a 1 c\n", "a … b\n", false), ("a\nb\nc\n", "…\nc\n", true),
            ("a\nb\n", "…\nc\n", false), ("ab\n", "a…\n", true), ("cab\n", "a…\n", false),
        ])
    func planted(_ output: String, _ shown: String, _ isSame: Bool) {
        #expect(Self.isAsShown(output, shown[...]) == isSame)
    }

    static func blocks(of page: String) -> [Block] {
        page.matches(of: /(?m)^```sh\n(?<code>(?s:.*?))^```\n(?:\n```text\n(?<shown>(?s:.*?))^```\n)?/).map {
            Block(code: $0.code, shown: $0.shown)
        }
    }

    private static let mark = "--- the block ends ---\n"

    /// Both outputs of each block, in the order in which they were written.
    static func script(of blocks: [Block]) -> String {
        "exec 2>&1\n" + blocks.map { "\($0.code)\nprintf -- '\(mark.dropLast())\\n'\n" }.joined()
    }

    static func isAsShown(_ output: String, _ shown: Substring) -> Bool {
        isAsShown(output.split(separator: "\n")[...], shown.split(separator: "\n")[...])
    }

    private static func isAsShown(_ lines: ArraySlice<Substring>, _ shown: ArraySlice<Substring>) -> Bool {
        guard let pattern = shown.first else { return lines.isEmpty }
        if pattern == "…" {
            return lines.indices.contains { isAsShown(lines[$0...], shown.dropFirst()) } || shown.count == 1
        }
        guard let line = lines.first, matches(line, pattern) else { return false }
        return isAsShown(lines.dropFirst(), shown.dropFirst())
    }

    private static func matches(_ line: Substring, _ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return line == pattern }
        guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = line.dropFirst(parts[0].count).dropLast(parts[parts.count - 1].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
