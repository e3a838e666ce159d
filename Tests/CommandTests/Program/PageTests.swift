import Foundation
import TestSupport
import Testing

/// The pages for people, run as scripts (`Script`): the commands of a page in their order and in one shell.
@Suite("Pages work as written, and show what comes out")
struct PageTests {
    /// What a `text` block shows is what the `sh` block in front of it prints, errors included.
    @Test(
        "the page's commands, in order", .proves("The examples of the README and of docs work"),
        arguments: [
            "README", "docs/pairing", "docs/answers", "docs/scripting", "docs/legacy-invites",
            "docs/migration", "docs/ten-things", "docs/mishaps", "docs/new-phone", "docs/account",
            "docs/devices", "docs/chat",
        ])
    func page(_ page: String) async throws {
        let blocks = try Self.text("\(page).md").matches(
            of: /(?m)^```sh\n((?s:.*?))^```\n(?:\n```text\n((?s:.*?))^```\n)?/)
        #expect(blocks.count { $0.2 != nil } >= 2)
        try await play(
            page,
            blocks.map { "$ exec 2>&1\n\(Self.lines($0.1, ">"))\($0.2.map { Self.lines($0, "|") } ?? "")" }
                + [Self.noKeyBesideVault])
    }

    @Test(
        "each man page's examples, in order", .proves("The examples of the man pages work"),
        arguments: Effort.some(
            of: [
                "", "-keyset", "-keybox", "-field", "-device", "-couple", "-answer", "-check", "-file",
                "-inspect", "-pair", "-x25519", "-chat", "-vectors",
            ], everyOther: 5))
    func manPage(_ noun: String) async throws {
        // The lines behind a `$`, with those that continue them, without mdoc's escapes.
        let examples = try Self.text("man/closer-keys\(noun).1").matches(
            of: /(?m)^\$ (?:.*(?:\\e|\|)\n)*.*\n/)
        #expect(examples.count >= 3)
        let commands = examples.map { $0.0.replacing("\\e", with: "\\").replacing("\\&", with: "") }
        try await play("man\(noun)", commands.map { "$ :\n\(Self.lines($0.dropFirst(2), ">"))? 0\n" })
    }

    /// A reader does what a page does, so no page leads into a finding of doctor's.
    private static let noKeyBesideVault = """
        $ for vault in *.db; do closer-keys doctor --json --vault $vault || true; done 2> /dev/null | grep -c keyBesideVault
        ? 1
        | 0

        """

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestData.root.appending(path: path), encoding: .utf8)
    }

    private static func lines(_ text: Substring, _ mark: String) -> String {
        text.split(separator: "\n").map { "\(mark) \($0)\n" }.joined()
    }

    private func play(_ name: String, _ steps: [String]) async throws {
        let script = try Script(named: name, parsing: "== \(name)\n\(steps.joined())")
        for fault in try await script.faults(in: script.cases[1]) { Issue.record("\(fault.text)") }
    }
}
