import Foundation
import TestSupport
import Testing

/// Runs the examples of the man pages. `PageTests` runs those of the README and of docs.
@Suite("Examples work as written")
struct ExampleTests {
    @Test(
        "each man page's, in order", .proves("The examples of the man pages work"),
        arguments: Effort.some(
            of: [
                "closer-keys", "closer-keys-keyset", "closer-keys-keybox", "closer-keys-field",
                "closer-keys-device", "closer-keys-couple", "closer-keys-answer",
                "closer-keys-check", "closer-keys-file", "closer-keys-inspect", "closer-keys-pair",
                "closer-keys-x25519", "closer-keys-chat", "closer-keys-vectors",
            ], everyOther: 5))
    func manPage(_ page: String) throws {
        let text = try String(contentsOf: TestData.root.appending(path: "man/\(page).1"), encoding: .utf8)
        let commands = Self.commands(in: text)
        #expect(commands.count >= 3)
        let program = try ClosingProgram()
        let run = try program.script(commands.joined(separator: "\n"))
        #expect(run.exit == 0, "\(run.errors)")
    }

    /// The lines behind a `$`, with those that continue them, without mdoc's escapes.
    private static func commands(in page: String) -> [String] {
        var commands: [String] = []
        var continues = false
        for line in page.split(separator: "\n") where continues || line.hasPrefix("$ ") {
            continues = line.hasSuffix("\\e") || line.hasSuffix("|")
            let text = String(line.hasPrefix("$ ") ? line.dropFirst(2) : line)
            commands.append(text.replacing("\\e", with: "\\").replacing("\\&", with: ""))
        }
        return commands
    }
}
